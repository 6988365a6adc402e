import { Effect, type Redacted } from "effect"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { hashToFind } from "../../src/keys/KeySecrets.ts"
import { Settings } from "../../src/Settings.ts"

/** Finds the usable key of a secret, without limits. */
export const authenticate = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const hash = yield* Effect.fromResult(hashToFind(secret, yield* Settings))
  return yield* (yield* Authenticator).find(hash)
})
