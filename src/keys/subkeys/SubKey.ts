import type { KeyId, SubKeyId } from "../../KeyId.ts"

/** The record of a sub-key: a secret of its own that draws on the balance of its key. Times are milliseconds UTC. */
export interface SubKey {
  readonly id: SubKeyId
  readonly keyId: KeyId
  readonly name: string
  /** How many credits it may spend in a UTC month. */
  readonly monthlyLimit: number | null
  /** The first characters of its newest secret, for display. */
  readonly secretPrefix: string
  readonly createdAt: number
  readonly revokedAt: number | undefined
  /** When it last spent a credit. */
  readonly lastUsedAt: number | undefined
  /** The newest UTC month in which it spent a credit, like 2026-11, and its forecasts in it. */
  readonly month: string | undefined
  readonly requests: number
}

/** The sub-key that a secret belongs to. */
export type SecretSubKey = Pick<SubKey, "id" | "name" | "monthlyLimit" | "revokedAt">

/** The same text for names that differ in nothing but case. */
export const foldedName = (name: string): string => name.normalize().toUpperCase().toLowerCase()

/** Whether another usable sub-key of the same key may not have its name. */
export const isUsable = ({ revokedAt }: Pick<SubKey, "revokedAt">): boolean => revokedAt === undefined
