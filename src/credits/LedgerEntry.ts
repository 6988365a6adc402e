import { Schema } from "effect"
import { nullable } from "../database/Statements.ts"
import { KeyId, SubKeyId } from "../KeyStatus.ts"

/** The reasons for a change of a balance. */
export const LedgerKind = Schema.Literals(["preview_grant", "forecast", "credit_pack", "adjustment"]).annotate({
  title: "LedgerKind"
})
export type LedgerKind = typeof LedgerKind.Type

/** One change of a key's credits. `delta` is never 0, `balanceAfter` never below 0; times are milliseconds UTC. */
export const LedgerEntry = Schema.Struct({
  /** The IDs of a key's entries increase. */
  id: Schema.Int,
  keyId: KeyId,
  kind: LedgerKind,
  delta: Schema.Int,
  balanceAfter: Schema.Int,
  /** Unique among all entries: the same change cannot be written twice. */
  reference: Schema.String,
  createdAt: Schema.Int,
  /** The name of the sub-key that caused it, if any. */
  subKey: nullable(Schema.String)
})
export type LedgerEntry = typeof LedgerEntry.Type

/** The forecasts of a key by itself, or with one of its sub-keys, on a UTC day like 2026-11-23. */
export const DailyRequests = Schema.Struct({
  day: Schema.String,
  subKeyId: nullable(SubKeyId),
  /** The name of the sub-key. */
  subKey: nullable(Schema.String),
  requests: Schema.Int
})
export type DailyRequests = typeof DailyRequests.Type

/** The same, with the ID of its last entry; undefined if it was written by a version that did not store it. */
export const DailyForecasts = Schema.Struct({ ...DailyRequests.fields, lastEntryId: nullable(Schema.Int) })
export type DailyForecasts = typeof DailyForecasts.Type

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
