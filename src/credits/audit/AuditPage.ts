/** An entry of the ledger as the check reads it. `month` is the UTC month it was written in, as in 2026-11. */
export interface EntryRow {
  readonly part: "entry"
  readonly keyId: string
  readonly id: number
  readonly isForecast: boolean
  readonly delta: number
  readonly balanceAfter: number
  readonly month: string
}

/** The forecasts that were counted for a key in a month. */
interface MonthRow {
  readonly part: "month"
  readonly keyId: string
  readonly month: string
  readonly requests: number
}

/** The balance that is kept for a key. */
interface BalanceRow {
  readonly part: "balance"
  readonly keyId: string
  readonly remaining: number
  readonly granted: number
}

/** A row of what is kept about the credits of a key. The key's id may be one that no key has. */
export type LedgerRow = EntryRow | MonthRow | BalanceRow

/** How far the ledger was read: all keys before `keyId`, and the entries of that key up to the one with `id`. */
export interface LedgerCursor {
  readonly keyId: string
  readonly id: number
}

/** Before the first row. */
export const beginning: LedgerCursor = { keyId: "", id: Number.MIN_SAFE_INTEGER }

/** A reference that several entries have, and one of their keys. */
export interface RepeatedReference {
  readonly reference: string
  readonly keyId: string
  readonly entries: number
}

/** What was found among references that were read in their order; `next` is where to go on, none at the end. */
export interface ReferencePage {
  readonly repeated: ReadonlyArray<RepeatedReference>
  readonly next: string | undefined
}
