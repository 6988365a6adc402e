import { Schema } from "effect"
import { nullable } from "../database/Statements.ts"
import { KeyId, SubKeyId } from "../KeyStatus.ts"
import { dayLength } from "../text/Times.ts"

/** The record of a sub-key: a secret of its own that draws on the balance of its key. Times are milliseconds UTC. */
export const SubKey = Schema.Struct({
  id: SubKeyId,
  keyId: KeyId,
  name: Schema.String,
  /** The most credits that it may spend in a UTC month; null if unlimited. */
  monthlyLimit: Schema.NullOr(Schema.Int),
  /** The first characters of its newest secret, for display. */
  secretPrefix: Schema.String,
  createdAt: Schema.Int,
  revokedAt: nullable(Schema.Int),
  /** The time when it last spent a credit. */
  lastUsedAt: nullable(Schema.Int),
  /** The current UTC month, like 2026-11, and its forecasts in that month. */
  month: Schema.String,
  requests: Schema.Int
})
export type SubKey = typeof SubKey.Type

/** The time that a revoked sub-key is listed before it is deleted, in milliseconds. */
export const keptAfterRevocation = 90 * dayLength

/** The sub-key that a secret belongs to. */
export type SecretSubKey = Pick<SubKey, "id" | "name" | "monthlyLimit" | "revokedAt">

/**
 * A text that is the same for names that look the same: those that differ only in case, in characters that are not
 * shown, or in equivalent ones, such as full-width letters.
 */
export const foldedName = (name: string): string =>
  name
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .trim()

/** True if it is not revoked; then no other usable sub-key of the same key may have its name. */
export const isUsable = ({ revokedAt }: Pick<SubKey, "revokedAt">): boolean => revokedAt === undefined
