import { Schema } from "effect"

/** The ID of an API key in the ledger, in orders and in the audit log. It is not a secret. */
export const KeyId = Schema.String.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** The ID of a sub-key, which draws on the balance of its key. It is not a secret. */
export const SubKeyId = Schema.String.pipe(Schema.brand("SubKeyId"))
export type SubKeyId = typeof SubKeyId.Type

/** `active` if the operator allows the key to be used; an inactive plan can be activated again. */
export const KeyPlan = Schema.Literals(["active", "inactive"]).annotate({ title: "KeyPlan" })
export type KeyPlan = typeof KeyPlan.Type

/** `unconfirmed` until its first secret is revealed, then `usable`; `revoked` is final. */
export const KeyState = Schema.Literals(["unconfirmed", "usable", "revoked"]).annotate({ title: "KeyState" })
export type KeyState = typeof KeyState.Type

/** The key was revoked, which is final. */
export class KeyRevoked extends Schema.TaggedError<KeyRevoked>()("KeyRevoked", { prefix: Schema.String }) {
  override get message() {
    return `The key ${this.prefix} is revoked and can never be used again; use another key`
  }
}

/** The operator deactivated the key's plan, and can activate it again. */
export class PlanInactive extends Schema.TaggedError<PlanInactive>()("PlanInactive", {
  keyId: KeyId,
  subKeyId: Schema.optional(SubKeyId),
  prefix: Schema.String
}) {}

/** The reasons why a confirmed key cannot be used; `keys/KeyFailures.ts` has those why a secret is not one of a key. */
export type KeyUnusable = KeyRevoked | PlanInactive

/** The state that decides whether a key can be used; `prefix` is the shown part of its secret. */
interface KeyStatus {
  readonly keyId: KeyId
  /** The sub-key whose secret was sent, if it was one. */
  readonly subKeyId?: SubKeyId | undefined
  readonly state: KeyState
  readonly keyPlan: KeyPlan
  readonly prefix: string
}

const ofPlan = ({ keyId, keyPlan, prefix, subKeyId }: KeyStatus): KeyUnusable | undefined =>
  keyPlan === "inactive" ? new PlanInactive({ keyId, subKeyId, prefix }) : undefined

/** The reason by the state of a key; key look-up refuses unconfirmed keys before it asks. */
const reasonBy: { readonly [State in KeyState]: (status: KeyStatus) => KeyUnusable | undefined } = {
  unconfirmed: ofPlan,
  usable: ofPlan,
  revoked: ({ prefix }) => new KeyRevoked({ prefix })
}

/**
 * The reason why a key cannot be used, if there is one. Key look-up asks before a request is read (`usableKey`), and
 * credit accounting again when it is charged: a key may be revoked in between.
 */
export const unusable = (status: KeyStatus): KeyUnusable | undefined => reasonBy[status.state](status)
