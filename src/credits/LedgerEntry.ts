import { Schema } from "effect"
import type { Balance } from "../Balance.ts"
import type { KeyId, KeyUnusable, SubKeyId } from "../KeyId.ts"

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
