import { Context, Effect, Layer, Option, Schema } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { KeyId } from "../keys/ApiKey.ts"

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
 * The rows of the ledger in memory, shared with its audit: balances by key, entries by reference, months by `monthKey`.
 */
export class MemoryLedger extends Context.Service<
  MemoryLedger,
  {
    readonly balances: Map<string, Balance>
    readonly entries: Map<string, LedgerEntry>
    readonly months: Map<string, number>
  }
>()("outreach-forecast/credits/MemoryLedger") {
  static readonly layer = Layer.effect(
    MemoryLedger,
    Effect.map(MemoryTables, ({ make }) =>
      MemoryLedger.of({ balances: make<Balance>(), entries: make<LedgerEntry>(), months: make<number>() })
    )
  )
}

/** Identifies a month of a key in `MemoryLedger`. */
export const monthKey = (keyId: string, month: string): string => `${keyId} ${month}`

/**
 * Where credits are kept: an append-only ledger, and for each key its balance, which is the sum of its entries and what
 * the last one says. Each method changes all of that or nothing; the callers put them into a transaction.
 */
export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Keeps every other transaction from the balances of keys until this one ends; the debits of a key come after each
     * other.
     */
    readonly lock: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<void>
    /**
     * Takes a credit for each debit, in order, and counts the month; none, and nothing changed, where no credit is
     * left.
     */
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
  }
>()("outreach-forecast/credits/Ledger") {
  static readonly layerMemory = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const { balances, entries, months } = yield* MemoryLedger
      const none: Balance = { remaining: 0, granted: 0 }
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
        find: (reference) => Effect.sync(() => Option.fromUndefinedOr(entries.get(reference)))
      })
    })
  ).pipe(Layer.provide(MemoryLedger.layer))
}
