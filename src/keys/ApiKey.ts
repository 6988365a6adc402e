import { Schema } from "effect"
import { KeyId } from "./KeyId.ts"

/**
 * An address: a dot-atom of ASCII, @ and a host name, 3 to 254 characters. Quotes, comments, groups and lists, which mail
 * headers know too, are none: one mailbox would have many addresses. It is kept and compared in lower case.
 */
export const EmailAddress = Schema.String.check(
  Schema.isPattern(
    /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[\p{L}\p{N}]([\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u,
    {
      code: "invalid_format",
      message: "must be an address as in ada@example.com",
      // Other languages, and JavaScript without its Unicode flag, read this pattern differently or not at all.
      toJsonSchema: () => ({ format: "email" })
    }
  ),
  Schema.isMaxLength(254, { code: "invalid_format", message: "must have at most 254 characters" })
)

const canBeSeen = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/**
 * A name of a person or a company: 1 to 200 characters, of which one at least can be seen. NUL and halves of characters
 * are none: Postgres stores no NUL, and no mail carries a half.
 */
export const DisplayName = Schema.String.check(
  Schema.makeFilter(canBeSeen, {
    code: "invalid_format",
    message: "must not be empty",
    toJsonSchema: () => ({ minLength: 1 })
  }),
  Schema.makeFilter((text) => !canBeSeen(text) || !/[\0\p{Cs}]/u.test(text), {
    code: "invalid_format",
    message: "must not contain NUL or half of a surrogate pair"
  }),
  Schema.isMaxLength(200, { code: "invalid_format", message: "must have at most 200 characters" })
)

/** Who a key was issued to, or asks for one. */
export const Owner = Schema.Struct({
  name: DisplayName.annotate({ description: "Your name.", examples: ["Ada Lovelace"] }),
  email: EmailAddress.annotate({ description: "Where the mail with your link goes.", examples: ["ada@example.com"] }),
  company: DisplayName.annotate({ description: "Your company.", examples: ["Example Ltd"] })
})
export type Owner = typeof Owner.Type

/** An owner as it is kept: no blanks around a field, the address in lower case. */
export const normalized = ({ company, email, name }: Owner): Owner => ({
  name: name.trim(),
  email: email.toLowerCase(),
  company: company.trim()
})

/** Whether the operator lets the key be used: an inactive plan answers 403 and can be activated again. */
export const Plan = Schema.Literals(["active", "inactive"])
export type Plan = typeof Plan.Type

/** `unconfirmed` until its secret was revealed, then `usable`; `revoked` for good. */
export const KeyState = Schema.Literals(["unconfirmed", "usable", "revoked"])
export type KeyState = typeof KeyState.Type

/** The record of one API key; there is no account beside it. Times are milliseconds since 1970, UTC. */
export const ApiKey = Schema.Struct({
  id: KeyId,
  owner: Owner,
  plan: Plan,
  state: KeyState,
  isDemo: Schema.Boolean,
  /** The first characters of its newest secret, for display; empty while it has none. */
  secretPrefix: Schema.String,
  createdAt: Schema.Int
})
export type ApiKey = typeof ApiKey.Type

/** A secret of a key, of which only the SHA-256 is kept. A key has several while an old one is still valid. */
export interface KeySecretRecord {
  readonly hash: string
  readonly keyId: KeyId
  /** Its first characters, for display. */
  readonly prefix: string
  /** The link that revealed it, if one did. */
  readonly linkId: string | undefined
  readonly createdAt: number
  readonly firstUsedAt: number | undefined
  /** From when on it is not valid any more. */
  readonly expiresAt: number | undefined
}

/** The key after it was revoked: no request is accepted any more, and nothing brings it back. */
export const revoked = (key: ApiKey): ApiKey => ({ ...key, state: "revoked" })

/** Whether the key holds its address: a revoked one does not, and the demo key has none. */
export const isLive = ({ isDemo, state }: ApiKey): boolean => state !== "revoked" && !isDemo

/** The key with another plan. */
export const withPlan = (key: ApiKey, plan: Plan): ApiKey => ({ ...key, plan })
