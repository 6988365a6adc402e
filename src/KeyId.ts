import { Schema } from "effect"

/** The ID of an API key in the ledger, in orders and in the audit log. It is not a secret. */
export const KeyId = Schema.String.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** The ID of a sub-key, which draws on the balance of its key. It is not a secret. */
export const SubKeyId = Schema.String.pipe(Schema.brand("SubKeyId"))
export type SubKeyId = typeof SubKeyId.Type
