import { Result, Schema } from "effect"
import { KeyId } from "../KeyStatus.ts"
import { withoutSecrets } from "../text/SafeText.ts"

/** The request has no key. */
export class MissingKey extends Schema.TaggedError<MissingKey>()("MissingKey", {}) {}

/** The key is not valid here: mistyped, from another environment, expired, unconfirmed, or unknown. */
export class InvalidKey extends Schema.TaggedError<InvalidKey>()("InvalidKey", {}) {}

/** The result for a key that is not valid: always the same, because each new error would take the stack of its place. */
export const invalidKey: Result.Result<never, InvalidKey> = Result.fail(new InvalidKey())

/** A client sent too many wrong keys; `retryAfter` is in seconds. */
export class TooManyWrongKeys extends Schema.TaggedError<TooManyWrongKeys>()("TooManyWrongKeys", {
  retryAfter: Schema.Int
}) {}

/** A key was sent with more than `limit` requests in a second; `retryAfter` is in seconds. */
export class TooManyKeyRequests extends Schema.TaggedError<TooManyKeyRequests>()("TooManyKeyRequests", {
  limit: Schema.Int,
  retryAfter: Schema.Int
}) {}

/** The key is the demo key, which everyone shares: it cannot be replaced or revoked. */
export class DemoKeyProtected extends Schema.TaggedError<DemoKeyProtected>()("DemoKeyProtected", {}) {
  override get message() {
    return "The demo key cannot be revoked; set DEMO_KEY to another key and restart the service to disable this one"
  }
}

/** The request was sent with a sub-key, but only the key itself may do this. */
export class SubKeyRefused extends Schema.TaggedError<SubKeyRefused>()("SubKeyRefused", {}) {}

/** No key has this ID, prefix or secret; if `keyId` is set, a sub-key of that key has. */
export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", {
  name: Schema.String,
  keyId: Schema.optionalKey(KeyId)
}) {
  override get message() {
    const shown = withoutSecrets(this.name)
    if (this.keyId !== undefined) return `${shown} is a sub-key; this command takes only its key ${this.keyId}`
    return shown === this.name
      ? `No key has the ID or prefix ${shown}`
      : `No key has this secret, which starts with ${shown}`
  }
}

/** More than one key has this prefix. */
export class AmbiguousPrefix extends Schema.TaggedError<AmbiguousPrefix>()("AmbiguousPrefix", {
  prefix: Schema.String,
  ids: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Several keys match ${this.prefix}; use the ID of one of them: ${this.ids.join(", ")}`
  }
}

/** The address has a key that is not revoked. */
export class AddressTaken extends Schema.TaggedError<AddressTaken>()("AddressTaken", {
  email: Schema.String,
  prefix: Schema.String
}) {
  override get message() {
    return `${this.email} already has the key ${this.prefix}…; revoke it before issuing another`
  }
}

/** The service never created this link, or it is incomplete. */
export class LinkUnknown extends Schema.TaggedError<LinkUnknown>()("LinkUnknown", {}) {}

/** The link no longer works: it expired, a newer one replaced it, its secret is in use, or its key was revoked. */
export class LinkGone extends Schema.TaggedError<LinkGone>()("LinkGone", {
  reason: Schema.Literals(["expired", "replaced", "used", "revoked"])
}) {}
