import { Clock, Effect, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { described } from "../input/Schemas.ts"
import { nullable } from "../database/Statements.ts"
import { KeyId, KeyPlan, KeyState, SubKeyId } from "../KeyStatus.ts"
import { randomBase62 } from "../Randomness.ts"
import { asciiHost } from "./Mailbox.ts"
import { erasedDomain } from "../mail/Mail.ts"

const addressForm =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[\p{L}\p{N}]([\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u

const hostOf = (address: string) => address.slice(address.lastIndexOf("@") + 1)

/**
 * An email address: an ASCII dot-atom, @ and a host name, 3 to 254 characters. Mail headers also allow quotes,
 * comments, groups and lists; these are refused, because one mailbox would have many addresses. Stored as typed, except
 * for the case of its host.
 */
export const EmailAddress = Schema.String.check(
  Schema.isPattern(addressForm, {
    code: "invalid_format",
    message: "must be an address like ada@example.com",
    // Other regex engines, and JavaScript without the `u` flag, reject this pattern or read it differently.
    toJsonSchema: () => ({ format: "email" })
  }),
  Schema.makeFilter((address) => !addressForm.test(address) || asciiHost(hostOf(address)) !== undefined, {
    code: "invalid_format",
    message: "must have a host after the @, like ada@example.com"
  }),
  Schema.isMaxLength(254, { code: "invalid_format", message: "must have at most 254 characters" })
)

/** A character that is neither a space nor a control character nor invisible, in the syntax of every regex engine. */
export const visible = String.raw`[^\u0000-\u0020\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]`
const hasVisible = new RegExp(visible, "u")
/** True if a text has a visible character. */
export const canBeSeen = (text: string) => hasVisible.test(text)

/**
 * The name of a person or a company: 1 to 200 characters, at least one of them visible. NUL is refused: Postgres cannot
 * store it.
 */
export const DisplayName = Schema.String.check(
  Schema.makeFilter(canBeSeen, {
    code: "invalid_format",
    message: "must not be empty",
    toJsonSchema: () => ({ minLength: 1, pattern: String.raw`^[^\u0000]*${visible}[^\u0000]*$` })
  }),
  Schema.makeFilter((text) => !canBeSeen(text) || !text.includes("\0"), {
    code: "invalid_format",
    message: "must not contain NUL",
    // The pattern above excludes it.
    toJsonSchema: () => ({})
  }),
  Schema.isMaxCodePoints(200, { code: "invalid_format", message: "must have at most 200 characters" })
)

/** The person who owns or requests a key. */
export const Owner = Schema.Struct({
  name: DisplayName.annotate({ description: "Your name.", examples: ["Ada Lovelace"] }),
  email: described(EmailAddress, "Your email address, which the link is sent to.", "ada@example.com"),
  company: DisplayName.annotate({ description: "Your company.", examples: ["Example Ltd"] })
})
export type Owner = typeof Owner.Type

/** An owner in a record: what older versions or imports allowed is not checked again. */
export const StoredOwner = Schema.Struct({ name: Schema.String, email: Schema.String, company: Schema.String })

/** An owner as stored: fields trimmed, the host of the address in lower case. */
export const normalized = ({ company, email, name }: Owner): Owner => ({
  name: name.trim(),
  email: `${email.slice(0, -hostOf(email).length)}${hostOf(email).toLowerCase()}`,
  company: company.trim()
})

/** The placeholder for the owner of a record who was erased; `id` is that of the record. */
export const erasedOwner = (id: string): Owner => ({
  name: "erased",
  email: `${id}@${erasedDomain}`,
  company: "erased"
})

/** The record of an API key; there is no separate account. Times are Unix times in milliseconds. */
export const ApiKey = Schema.Struct({
  id: KeyId,
  owner: StoredOwner,
  plan: KeyPlan,
  state: KeyState,
  isDemo: Schema.Boolean,
  /** The first characters of its newest secret, for display; empty if it has no secret. */
  secretPrefix: Schema.String,
  createdAt: Schema.Int
})
export type ApiKey = typeof ApiKey.Type

/** A secret of a key, stored as its SHA-256. A key has several secrets during the grace period of a replaced one. */
export const KeySecretRecord = Schema.Struct({
  hash: Schema.String,
  keyId: KeyId,
  /** The sub-key that it belongs to; undefined for a secret of the key itself. */
  subKeyId: nullable(SubKeyId),
  /** Its first characters, for display. */
  prefix: Schema.String,
  /** The link that revealed it, if any. */
  linkId: nullable(Schema.String),
  createdAt: Schema.Int,
  firstUsedAt: nullable(Schema.Int),
  /** The time when it becomes invalid, if any. */
  expiresAt: nullable(Schema.Int)
})
export type KeySecretRecord = typeof KeySecretRecord.Type

/** The key in the state `revoked`, which is final. */
export const revoked = (key: ApiKey): ApiKey => ({ ...key, state: "revoked" })

/** The key after its owner confirmed it: an unconfirmed one becomes usable, and no other state changes. */
export const confirmed = (key: ApiKey): ApiKey => (key.state === "unconfirmed" ? { ...key, state: "usable" } : key)

/** True if no other key may have its address: a revoked key frees it, and the demo key has none. */
export const isLive = ({ isDemo, state }: ApiKey): boolean => state !== "revoked" && !isDemo

/** Creates the record of an owner, unconfirmed and without a secret unless `fields` say otherwise. */
export const newApiKey = Effect.fnUntraced(function* (
  random: SecureRandom.SecureRandom["Service"],
  owner: Owner,
  fields: Partial<ApiKey> = {}
) {
  const key: ApiKey = {
    id: KeyId.make(`key_${yield* randomBase62(random, 16)}`),
    owner,
    plan: "active",
    state: "unconfirmed",
    isDemo: false,
    secretPrefix: "",
    createdAt: yield* Clock.currentTimeMillis,
    ...fields
  }
  return key
})
