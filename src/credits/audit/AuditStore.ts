import { Context, Effect, Layer } from "effect"
import { type Balance, MemoryLedger, monthKey } from "../Ledger.ts"
import { monthOf } from "../Month.ts"

/** An error in the records of a key's credits. In a damaged database no key may have the id `keyId`. */
export interface LedgerFault {
  readonly keyId: string
  readonly what: string
  readonly expected: string | number
  readonly found: string | number
}

/** A sum over the entries of a key so far: its balance, its granted credits, or its requests in a month. */
export interface AuditSum {
  readonly what: string
  readonly expected: number
  readonly found: number | null
}

/**
 * How far the ledger has been checked: all keys before `keyId`, and the entries of that key up to and including the one
 * with this `id` and `balanceAfter`; `sums` are over these.
 */
export interface AuditPosition {
  readonly keyId: string
  readonly id: number
  readonly balanceAfter: number
  readonly sums: ReadonlyArray<AuditSum>
}

/** The position before the first entry. */
export const beginning: AuditPosition = { keyId: "", id: Number.MIN_SAFE_INTEGER, balanceAfter: 0, sums: [] }

/**
 * The result of a step. Faults are ordered by key, those of entries first; `next` is undefined at the end of the
 * ledger.
 */
export interface Checked {
  readonly keys: number
  readonly entries: number
  readonly faults: ReadonlyArray<LedgerFault>
  readonly next: AuditPosition | undefined
}

/** Checks the ledger where it is stored. */
export class AuditStore extends Context.Service<
  AuditStore,
  {
    /**
     * Checks about `limit` entries after a position, and the balances and months of keys whose entries end there; the
     * last step also checks that references are unique. What is compared is read at one instant, so concurrent debits
     * are never reported as faults.
     */
    readonly check: (from: AuditPosition, limit: number) => Effect.Effect<Checked>
    /** How many entries there are. */
    readonly size: Effect.Effect<number>
  }
>()("outreach-forecast/credits/audit/AuditStore") {
  /**
   * Checks everything in one step. Entries have no ids in memory; they are named by their references, which are unique.
   */
  static readonly layerMemory = Layer.effect(
    AuditStore,
    Effect.map(MemoryLedger, (ledger) =>
      AuditStore.of({
        check: () => Effect.sync(() => checkAll(ledger)),
        size: Effect.sync(() => ledger.entries.size)
      })
    )
  ).pipe(Layer.provide(MemoryLedger.layer))
}

const checkAll = ({ balances, entries, months }: MemoryLedger["Service"]): Checked => {
  const faults: Array<LedgerFault> = []
  const expect = (keyId: string, what: string, expected: string | number, found: string | number) => {
    if (expected !== found) faults.push({ keyId, what, expected, found })
  }
  const sums = new Map<string, Balance>()
  const forecasts = new Map<string, number>()
  for (const { balanceAfter, createdAt, delta, keyId, kind, reference } of entries.values()) {
    const { granted, remaining } = sums.get(keyId) ?? { granted: 0, remaining: 0 }
    const isForecast = kind === "forecast"
    expect(keyId, `balance_after of entry ${reference}`, remaining + delta, balanceAfter)
    if (balanceAfter < 0) expect(keyId, `balance_after of entry ${reference}`, "at least 0", balanceAfter)
    if (isForecast && delta > -1) expect(keyId, `delta of entry ${reference}, a forecast`, -1, delta)
    sums.set(keyId, { remaining: remaining + delta, granted: isForecast ? granted : granted + delta })
    const inMonth = monthKey(keyId, monthOf(createdAt))
    if (isForecast) forecasts.set(inMonth, (forecasts.get(inMonth) ?? 0) - delta)
  }
  const keyIds = new Set([...sums.keys(), ...balances.keys()])
  for (const keyId of keyIds) {
    expect(keyId, "balance", sums.get(keyId)?.remaining ?? 0, balances.get(keyId)?.remaining ?? "none")
    expect(keyId, "granted", sums.get(keyId)?.granted ?? 0, balances.get(keyId)?.granted ?? "none")
  }
  for (const name of new Set([...forecasts.keys(), ...months.keys()])) {
    const [keyId = "", month] = name.split(" ")
    expect(keyId, `requests in ${month}`, forecasts.get(name) ?? 0, months.get(name) ?? 0)
  }
  return { keys: keyIds.size, entries: entries.size, faults, next: undefined }
}
