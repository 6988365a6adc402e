import { Context, Effect, Layer, Option, Schema } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { KeyId } from "../keys/KeyId.ts"
import type { LedgerCursor, LedgerRow, ReferencePage } from "./audit/AuditPage.ts"
import { monthOf } from "./Month.ts"

/** Why a balance changed. */
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
}

/** What a key has left, and what it was given in all. */
export interface Balance {
  readonly remaining: number
  readonly granted: number
}

/** The forecasts of a key in a UTC month, as in 2026-11. */
export interface MonthlyRequests {
  readonly month: string
  readonly requests: number
}

/** A debit of one credit for a forecast. */
export interface Debit {
  readonly keyId: KeyId
  readonly reference: string
}

/** When debits are made: in milliseconds, and the UTC month that they count in, as in 2026-11. */
export interface DebitTime {
  readonly createdAt: number
  readonly month: string
}

/** The balance after a debit, and the forecasts of the key in the month, with this one. */
export interface Debited extends Balance {
  readonly requests: number
}

/**
 * Where credits are kept: an append-only ledger, and for each key its balance, which is the sum of its entries and what
 * the last one says. Each method changes all of that or nothing; the callers put them into a transaction.
 */
export class Ledger extends Context.Service<
  Ledger,
  {
    /** Keeps every other transaction from the balances of keys until this one ends; the debits of a key come after each other. */
    readonly lock: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<void>
    /** Takes a credit for each debit, in order, and counts the month; none, and nothing changed, where no credit is left. */
    readonly debit: (
      debits: ReadonlyArray<Debit>,
      time: DebitTime
    ) => Effect.Effect<ReadonlyArray<Option.Option<Debited>>>
    /** Adds an entry that is no forecast; a balance that would fall below 0 is a defect. */
    readonly append: (entry: Omit<LedgerEntry, "balanceAfter">) => Effect.Effect<Balance>
    /** Whether an entry with this reference was written, for any key. */
    readonly hasReference: (reference: string) => Effect.Effect<boolean>
    /** Zero for a key that never had credits. */
    readonly balance: (keyId: KeyId) => Effect.Effect<Balance>
    /** The forecasts of a key in a month. */
    readonly requests: (keyId: KeyId, month: string) => Effect.Effect<number>
    /** The successful forecasts of a key by month, newest first. */
    readonly months: (keyId: KeyId) => Effect.Effect<ReadonlyArray<MonthlyRequests>>
    /** The entries of a key, newest first; those written before the entry `before`, if it is given. */
    readonly entries: (
      keyId: KeyId,
      limit: number,
      before?: number
    ) => Effect.Effect<ReadonlyArray<LedgerEntry & { readonly id: number }>>
    /** The entry with this reference, of any key. */
    readonly find: (reference: string) => Effect.Effect<Option.Option<LedgerEntry>>
    /**
     * At most `limit` rows of all that is kept, of one instant, after a cursor: for each key, in the order of ids, its
     * entries in the order of theirs, then its months and its balance.
     */
    readonly page: (after: LedgerCursor, limit: number) => Effect.Effect<ReadonlyArray<LedgerRow>>
    /** Which of about `limit` references after `after` several entries have. */
    readonly references: (after: string, limit: number) => Effect.Effect<ReferencePage>
  }
>()("outreach-forecast/credits/Ledger") {
  static readonly layerMemory = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const balances = tables.make<Balance>()
      const entries = tables.make<LedgerEntry>()
      const months = tables.make<number>()
      const none: Balance = { remaining: 0, granted: 0 }
      const monthKey = (keyId: KeyId, month: string) => `${keyId} ${month}`
      const monthsOf = (keyId: string): ReadonlyArray<MonthlyRequests> =>
        [...months]
          .filter(([key]) => key.startsWith(`${keyId} `))
          .map(([key, requests]) => ({ month: key.slice(keyId.length + 1), requests }))
          .toSorted((a, b) => (a.month < b.month ? 1 : -1))
      const write = (entry: LedgerEntry, balance: Balance) => {
        if (entries.has(entry.reference) || balance.remaining < 0) {
          throw new Error("The reference is taken or the balance falls below 0")
        }
        entries.set(entry.reference, entry)
        balances.set(entry.keyId, balance)
        return balance
      }
      const rowsOf = (keyId: string): ReadonlyArray<LedgerRow> => [
        ...[...entries.values()].flatMap((entry, id) =>
          entry.keyId === keyId
            ? [
                {
                  part: "entry" as const,
                  keyId,
                  id,
                  isForecast: entry.kind === "forecast",
                  delta: entry.delta,
                  balanceAfter: entry.balanceAfter,
                  month: monthOf(entry.createdAt)
                }
              ]
            : []
        ),
        ...monthsOf(keyId).map((counted) => ({ part: "month" as const, keyId, ...counted })),
        { part: "balance", keyId, ...(balances.get(keyId) ?? none) }
      ]
      const isAfter = (row: LedgerRow, id: number) => row.part !== "entry" || row.id > id
      return Ledger.of({
        // One transaction runs at a time.
        lock: () => Effect.void,
        debit: (debits, { createdAt, month }) =>
          Effect.sync(() =>
            debits.map((debit) => {
              const { granted, remaining } = balances.get(debit.keyId) ?? none
              if (remaining === 0) return Option.none()
              const left = remaining - 1
              const balance = write(
                { ...debit, createdAt, kind: "forecast", delta: -1, balanceAfter: left },
                { remaining: left, granted }
              )
              const requests = (months.get(monthKey(debit.keyId, month)) ?? 0) + 1
              months.set(monthKey(debit.keyId, month), requests)
              return Option.some({ ...balance, requests })
            })
          ),
        append: (entry) =>
          Effect.sync(() => {
            const before = balances.get(entry.keyId) ?? none
            const remaining = before.remaining + entry.delta
            return write({ ...entry, balanceAfter: remaining }, { remaining, granted: before.granted + entry.delta })
          }),
        balance: (keyId) => Effect.sync(() => balances.get(keyId) ?? none),
        hasReference: (reference) => Effect.sync(() => entries.has(reference)),
        requests: (keyId, month) => Effect.sync(() => months.get(monthKey(keyId, month)) ?? 0),
        months: (keyId) => Effect.sync(() => monthsOf(keyId)),
        entries: (keyId, limit, before = Infinity) =>
          Effect.sync(() =>
            [...entries.values()]
              .map((entry, id) => ({ ...entry, id }))
              .filter((entry) => entry.keyId === keyId && entry.id < before)
              .toReversed()
              .slice(0, limit)
          ),
        find: (reference) => Effect.sync(() => Option.fromUndefinedOr(entries.get(reference))),
        page: (after, limit) =>
          Effect.sync(() =>
            [...balances.keys()]
              .toSorted()
              .filter((keyId) => keyId >= after.keyId)
              .flatMap((keyId) => rowsOf(keyId).filter((row) => keyId > after.keyId || isAfter(row, after.id)))
              .slice(0, limit)
          ),
        references: () => Effect.succeed({ repeated: [], next: undefined })
      })
    })
  )
}
