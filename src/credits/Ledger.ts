import { Context, Effect, Layer, Option, Schema } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import { type Balance, isPayable, noBalance, withAllowance } from "../Balance.ts"
import { KeyId, type SubKeyId } from "../KeyId.ts"
import { KeyRevoked, type KeyState, type KeyUnusable, type Plan, unusable } from "../KeyStanding.ts"
import { dayOf } from "../text/Times.ts"

/** The reasons for a change of a balance. */
export const LedgerKind = Schema.Literals(["preview_grant", "forecast", "credit_pack", "adjustment"])
export type LedgerKind = typeof LedgerKind.Type

/** One change of a key's credits. `delta` is never 0, `balanceAfter` never below 0; times are milliseconds UTC. */
export interface LedgerEntry {
  readonly keyId: KeyId
  readonly kind: LedgerKind
  readonly delta: number
  readonly balanceAfter: number
  /** Unique among all entries: the same change cannot be written twice. */
  readonly reference: string
  readonly createdAt: number
  /** The name of the sub-key that caused it, if any. */
  readonly subKey?: string | undefined
}

/** An entry with its ID. The IDs of a key's entries increase. */
export interface NumberedEntry extends LedgerEntry {
  readonly id: number
}

/** The forecasts of a key in a UTC month, like 2026-11. */
export interface MonthlyRequests {
  readonly month: string
  readonly requests: number
}

/** The forecasts of a key by itself, or with one of its sub-keys, on a UTC day like 2026-11-23. */
export interface DailyRequests {
  readonly day: string
  readonly subKeyId: SubKeyId | undefined
  /** The name of the sub-key. */
  readonly subKey: string | undefined
  readonly requests: number
}

/** The same, with the ID of its last entry; undefined if it was written by a version that did not store it. */
export interface DailyForecasts extends DailyRequests {
  readonly lastEntryId: number | undefined
}

/** The number of days that usage by day is kept. */
export const keptUsageDays = 400

/** A debit for forecasts: `cost` is in credits, one for each forecast. */
export interface Debit {
  readonly keyId: KeyId
  readonly subKeyId?: SubKeyId | undefined
  readonly cost: number
  readonly reference: string
}

/** The time of debits: in milliseconds, and the UTC month that they count in, like 2026-11. */
export interface DebitTime {
  readonly createdAt: number
  readonly month: string
}

/**
 * What a debit finds: the balance, the forecasts of the key, or of its sub-key if it has one, in the month, and the
 * reason why one of them can no longer be used, if there is one.
 */
export interface Standing extends Balance {
  readonly requests: number
  readonly unusable?: KeyUnusable
}

/** The outcome of a debit: whether it was made, and what the next one finds. */
export interface Debited extends Standing {
  readonly isMade: boolean
}

/** The balance of a key, its successful forecasts in a UTC month, and those by month, newest first. */
export interface Account {
  readonly balance: Balance
  readonly month: string
  readonly requests: number
  readonly months: ReadonlyArray<MonthlyRequests>
}

/** An account in a month, from the forecasts by month. */
export const accountIn = (month: string, balance: Balance, months: Account["months"]): Account => ({
  balance,
  month,
  requests: months.find((counted) => counted.month === month)?.requests ?? 0,
  months
})

/** The balance after credits were last added, and whether a notice is due. */
interface NoticeState {
  readonly refilledTo: number
  readonly isDue: boolean
}

/** What the ledger reads of a key. */
interface LedgerKey {
  readonly state: KeyState
  readonly plan: Plan
  readonly secretPrefix: string
}

/** What the ledger reads of a sub-key, and counts in it. */
interface LedgerSubKey {
  readonly id: SubKeyId
  readonly keyId: KeyId
  readonly name: string
  readonly monthlyLimit: number | null
  readonly secretPrefix: string
  readonly revokedAt: number | undefined
  readonly lastUsedAt: number | undefined
  readonly month: string | undefined
  readonly requests: number
}

/**
 * The rows of the ledger in memory, shared with its audit: balances and notices by key, entries by reference, months by
 * `monthKey`, and days by `monthKey` of the day and the sub-key; and those of keys and sub-keys, as it reads them.
 */
export class MemoryLedger extends Context.Service<
  MemoryLedger,
  {
    readonly balances: Map<string, Balance>
    readonly notices: Map<string, NoticeState>
    readonly entries: Map<string, LedgerEntry & { readonly subKeyId?: SubKeyId | undefined }>
    readonly months: Map<string, number>
    readonly days: Map<string, Omit<DailyRequests, "subKey"> & { readonly keyId: KeyId }>
    readonly keys: Map<string, LedgerKey>
    readonly subKeys: Map<string, LedgerSubKey>
  }
>()("outreach-forecast/credits/MemoryLedger") {
  static readonly layer = Layer.effect(
    MemoryLedger,
    Effect.map(MemoryTables, ({ table }) =>
      MemoryLedger.of({
        balances: table("credit_balances"),
        notices: table("credit_notices"),
        entries: table("credit_ledger"),
        months: table("usage_months"),
        days: table("usage_days"),
        keys: table("api_keys"),
        subKeys: table("sub_keys")
      })
    )
  )
}

/** The state of a key's notice after an entry; `dueNotices` says when one is due. */
const noticeAfter = ({ balanceAfter, delta }: LedgerEntry, before: NoticeState | undefined): NoticeState => {
  if (delta > 0) return { refilledTo: balanceAfter, isDue: false }
  const { isDue = false, refilledTo = 0 } = before ?? {}
  const hasRunLow = 5 * balanceAfter < refilledTo && 5 * (balanceAfter - delta) >= refilledTo
  return { refilledTo, isDue: isDue || hasRunLow || balanceAfter === 0 }
}

/** Identifies a month of a key in `MemoryLedger`. */
export const monthKey = (keyId: string, month: string): string => `${keyId} ${month}`

/**
 * The store of credits: an append-only ledger, for each key its balance, which is the sum of its entries and equals
 * `balanceAfter` of the last one, and the spending of its sub-keys. Each method changes all of that or nothing; callers
 * run it in a transaction.
 */
export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Locks the balances of keys against other transactions until this one ends, so that the debits of a key follow
     * each other.
     */
    readonly lock: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<void>
    /**
     * Takes the cost of each debit, in order, and counts its forecasts in the day and the month. A debit that costs
     * more than is left, or more than its sub-key may still spend in the month, is not made and changes nothing; nor is
     * one of a key or a sub-key that was revoked, or whose plan is inactive: once that was committed, no debit is. A
     * single statement if several processes write, unless a debit costs more than 1.
     */
    readonly debit: (debits: ReadonlyArray<Debit>, time: DebitTime) => Effect.Effect<ReadonlyArray<Debited>>
    /** Adds an entry other than a forecast; a balance that would fall below 0 is a defect. */
    readonly append: (entry: Omit<LedgerEntry, "balanceAfter">) => Effect.Effect<Balance>
    /** The balances of keys, in their order; zero for a key that never had credits. */
    readonly balances: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<Balance>>
    /**
     * Some of the keys for which a notice is due: the balance has fallen below a fifth of its value after credits were
     * last added, or to 0. The change itself makes the notice due, once for each of the two; adding credits makes both
     * possible again, and cancels a due one.
     */
    readonly dueNotices: Effect.Effect<ReadonlyArray<KeyId>>
    /** Takes the due notice of a key, and returns the key's balance; none if another process has taken it. */
    readonly takeNotice: (keyId: KeyId) => Effect.Effect<Option.Option<number>>
    /** What a debit of a key, or of one of its sub-keys, would find at a time. */
    readonly standing: (keyId: KeyId, subKeyId: SubKeyId | undefined, time: DebitTime) => Effect.Effect<Standing>
    /**
     * The forecasts of a key on the days of a month, or of all kept days, oldest first; with `subKeyId`, only those of
     * this sub-key.
     */
    readonly days: (
      keyId: KeyId,
      options: { readonly month?: string; readonly subKeyId?: SubKeyId | undefined }
    ) => Effect.Effect<ReadonlyArray<DailyRequests>>
    /** The newest rows of `days` before a day, the newest day first. */
    readonly daysBefore: (keyId: KeyId, day: string, limit: number) => Effect.Effect<ReadonlyArray<DailyForecasts>>
    /**
     * The newest entries of each of these rows, newest first: at most `most`, and only those near its last entry, which
     * may be among entries of other sub-keys.
     */
    readonly entriesOfDays: (
      days: ReadonlyArray<DailyForecasts>,
      most: number
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<NumberedEntry>>>
    /** The newest entries of a key other than forecasts, from a time until before another, newest first. */
    readonly changes: (
      keyId: KeyId,
      span: { readonly from: number; readonly before: number },
      limit: number
    ) => Effect.Effect<ReadonlyArray<NumberedEntry>>
    /** The accounts of keys, in their order, each as of one instant. */
    readonly accounts: (keyIds: ReadonlyArray<KeyId>, month: string) => Effect.Effect<ReadonlyArray<Account>>
    /**
     * The entries of a key, newest first; with `before`, only those before this ID, which may be above all IDs of the
     * key. There are none before an entry of another key.
     */
    readonly entries: (keyId: KeyId, limit: number, before?: number) => Effect.Effect<ReadonlyArray<NumberedEntry>>
    /** Replaces the references that an operator chose for adjustments of a key whose owner was erased. */
    readonly eraseReferences: (keyId: KeyId) => Effect.Effect<void>
    /** The entry with this reference, of any key. */
    readonly find: (reference: string) => Effect.Effect<Option.Option<LedgerEntry>>
  }
>()("outreach-forecast/credits/Ledger") {
  static readonly layerMemory = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const { balances, days, entries, keys, months, notices, subKeys } = yield* MemoryLedger
      const monthsOf = (keyId: string): ReadonlyArray<MonthlyRequests> =>
        [...months]
          .filter(([key]) => key.startsWith(`${keyId} `))
          .map(([key, requests]) => ({ month: key.slice(keyId.length + 1), requests }))
          .toSorted((a, b) => (a.month < b.month ? 1 : -1))
      const daysOf = (keyId: KeyId, subKeyId: SubKeyId | undefined, month = "") =>
        [...days.values()]
          .filter((row) => row.keyId === keyId && row.day.startsWith(month))
          .filter((row) => subKeyId === undefined || row.subKeyId === subKeyId)
          .map(({ day, requests, subKeyId }) => ({
            day,
            subKeyId,
            subKey: subKeys.get(subKeyId ?? "")?.name,
            requests
          }))
      const forecastsOf = (keyId: KeyId, { day, subKeyId }: DailyRequests) =>
        [...entries.values()]
          .map((entry, id) => ({ ...entry, id, subKey: subKeys.get(entry.subKeyId ?? "")?.name }))
          .filter((entry) => entry.kind === "forecast" && entry.keyId === keyId && entry.subKeyId === subKeyId)
          .filter(({ createdAt }) => dayOf(createdAt) === day)
          .toReversed()
      const requestsOf = ({ id, keyId, month, requests }: LedgerSubKey, asked: string) =>
        month === asked ? requests : daysOf(keyId, id, asked).reduce((sum, { requests }) => sum + requests, 0)
      const standingOf = (keyId: KeyId, subKeyId: SubKeyId | undefined, { createdAt, month }: DebitTime): Standing => {
        const { granted, remaining } = balances.get(keyId) ?? noBalance
        const key = keys.get(keyId)
        const subKey = subKeys.get(subKeyId ?? "")
        const reason =
          (key && unusable({ keyId, state: key.state, plan: key.plan, prefix: key.secretPrefix })) ??
          (subKey?.revokedAt === undefined ? undefined : new KeyRevoked({ prefix: subKey.secretPrefix }))
        const standing = { remaining, granted, ...(reason && { unusable: reason }) }
        if (subKey === undefined) return { ...standing, requests: months.get(monthKey(keyId, month)) ?? 0 }
        const use = { monthlyLimit: subKey.monthlyLimit, requests: requestsOf(subKey, month) }
        return withAllowance({ ...standing, requests: use.requests }, use, month, createdAt)
      }
      const countSubKey = (subKey: LedgerSubKey, month: string, requests: number, lastUsedAt: number) => {
        const isLate = subKey.month !== undefined && subKey.month > month
        subKeys.set(subKey.id, { ...subKey, lastUsedAt, ...(isLate ? {} : { month, requests }) })
      }
      const countDay = (keyId: KeyId, subKeyId: SubKeyId | undefined, day: string, cost: number) => {
        const id = `${monthKey(keyId, day)} ${subKeyId ?? ""}`
        days.set(id, { keyId, subKeyId, day, requests: (days.get(id)?.requests ?? 0) + cost })
      }
      const write = (entry: LedgerEntry & { readonly subKeyId?: SubKeyId | undefined }, balance: Balance) => {
        if (entries.has(entry.reference) || balance.remaining < 0) {
          throw new Error("The reference is taken or the balance falls below 0")
        }
        entries.set(entry.reference, entry)
        notices.set(entry.keyId, noticeAfter(entry, notices.get(entry.keyId)))
        balances.set(entry.keyId, balance)
        return balance
      }
      return Ledger.of({
        // One transaction runs at a time.
        lock: () => Effect.void,
        debit: (debits, time) =>
          Effect.sync(() =>
            debits.map(({ cost, keyId, reference, subKeyId }) => {
              const { createdAt, month } = time
              const found = standingOf(keyId, subKeyId, time)
              if (found.unusable !== undefined || !isPayable(cost, found)) return { isMade: false, ...found }
              const { granted, remaining } = found
              const left = remaining - cost
              write(
                { keyId, subKeyId, reference, createdAt, kind: "forecast", delta: -cost, balanceAfter: left },
                { remaining: left, granted }
              )
              months.set(monthKey(keyId, month), (months.get(monthKey(keyId, month)) ?? 0) + cost)
              countDay(keyId, subKeyId, dayOf(createdAt), cost)
              const subKey = subKeys.get(subKeyId ?? "")
              if (subKey !== undefined) countSubKey(subKey, month, found.requests + cost, createdAt)
              return { isMade: true, ...standingOf(keyId, subKeyId, time) }
            })
          ),
        append: (entry) =>
          Effect.sync(() => {
            const before = balances.get(entry.keyId) ?? noBalance
            const remaining = before.remaining + entry.delta
            return write({ ...entry, balanceAfter: remaining }, { remaining, granted: before.granted + entry.delta })
          }),
        balances: (keyIds) => Effect.sync(() => keyIds.map((keyId) => balances.get(keyId) ?? noBalance)),
        dueNotices: Effect.sync(() => [...notices].flatMap(([keyId, { isDue }]) => (isDue ? [KeyId.make(keyId)] : []))),
        takeNotice: (keyId) =>
          Effect.sync(() => {
            const notice = notices.get(keyId)
            if (notice?.isDue !== true) return Option.none()
            notices.set(keyId, { ...notice, isDue: false })
            return Option.some((balances.get(keyId) ?? noBalance).remaining)
          }),
        standing: (keyId, subKeyId, time) => Effect.sync(() => standingOf(keyId, subKeyId, time)),
        days: (keyId, { month, subKeyId }) => Effect.sync(() => daysOf(keyId, subKeyId, month)),
        daysBefore: (keyId, before, limit) =>
          Effect.sync(() =>
            daysOf(keyId, undefined)
              .filter(({ day }) => day < before)
              .toSorted((a, b) => b.day.localeCompare(a.day) || (a.subKeyId ?? "").localeCompare(b.subKeyId ?? ""))
              .slice(0, limit)
              .map((row) => ({ ...row, lastEntryId: forecastsOf(keyId, row)[0]?.id }))
          ),
        entriesOfDays: (rows, most) =>
          Effect.sync(() => {
            const all = [...entries.values()]
            return rows.map((row) => {
              const last = all[row.lastEntryId ?? -1]
              return last === undefined ? [] : forecastsOf(last.keyId, row).slice(0, most)
            })
          }),
        changes: (keyId, { before, from }, limit) =>
          Effect.sync(() =>
            [...entries.values()]
              .map((entry, id) => ({ ...entry, id }))
              .filter((entry) => entry.kind !== "forecast" && entry.keyId === keyId)
              .filter(({ createdAt }) => createdAt >= from && createdAt < before)
              .toReversed()
              .toSorted((a, b) => b.createdAt - a.createdAt)
              .slice(0, limit)
          ),
        accounts: (keyIds, month) =>
          Effect.sync(() => keyIds.map((keyId) => accountIn(month, balances.get(keyId) ?? noBalance, monthsOf(keyId)))),
        entries: (keyId, limit, before = Infinity) =>
          Effect.sync(() => {
            const all = [...entries.values()]
              .map(({ subKeyId, ...entry }, id) => ({ ...entry, id, subKey: subKeys.get(subKeyId ?? "")?.name }))
              .filter((entry) => entry.keyId === keyId)
              .toReversed()
            const isAfterAll = (all[0]?.id ?? 0) < before
            const position = all.findIndex(({ id }) => id === before)
            return isAfterAll ? all.slice(0, limit) : position < 0 ? [] : all.slice(position + 1, position + 1 + limit)
          }),
        eraseReferences: (keyId) =>
          Effect.sync(() => {
            const all = [...entries.values()]
            entries.clear()
            all.forEach((entry, id) => {
              const isErased = entry.keyId === keyId && entry.reference.startsWith("adjustment:")
              const reference = isErased ? `adjustment:erased ${id}` : entry.reference
              entries.set(reference, { ...entry, reference })
            })
          }),
        find: (reference) => Effect.sync(() => Option.fromUndefinedOr(entries.get(reference)))
      })
    })
  ).pipe(Layer.provide(MemoryLedger.layer))
}
