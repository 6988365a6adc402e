import { Schema } from "effect"

export const KeyId = Schema.String.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** An address as it is kept and compared: in lower case, 3 to 254 characters, one @, no blanks. */
export const EmailAddress = Schema.String.check(
  Schema.isPattern(/^[^\s@A-Z]+@[^\s@A-Z]+$/, { message: "must be an address as in ada@example.com" }),
  Schema.isMaxLength(254, { message: "must have at most 254 characters" })
)

/** Who a key was issued to. */
export const Owner = Schema.Struct({ name: Schema.String, email: EmailAddress, company: Schema.String })
export type Owner = typeof Owner.Type

/** Whether the operator lets the key be used: an inactive plan answers 403 and can be activated again. */
export const Plan = Schema.Literals(["active", "inactive"])
export type Plan = typeof Plan.Type

/** `unconfirmed` until its secret was revealed, then `usable`; `revoked` for good. */
export const KeyState = Schema.Literals(["unconfirmed", "usable", "revoked"])
export type KeyState = typeof KeyState.Type

/**
 * The record of one API key; there is no account beside it. Of its secret only the SHA-256 is kept, and the first
 * characters for display. Times are milliseconds since 1970, UTC.
 */
export const ApiKey = Schema.Struct({
  id: KeyId,
  owner: Owner,
  plan: Plan,
  state: KeyState,
  isDemo: Schema.Boolean,
  secretHash: Schema.String,
  secretPrefix: Schema.String,
  createdAt: Schema.Int
})
export type ApiKey = typeof ApiKey.Type

/** The key after it was revoked: no request is accepted any more, and nothing brings it back. */
export const revoked = (key: ApiKey): ApiKey => ({ ...key, state: "revoked" })

/** The key with another plan. */
export const withPlan = (key: ApiKey, plan: Plan): ApiKey => ({ ...key, plan })
