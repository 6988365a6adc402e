import { Clock, Context, Effect, Layer, Option, type Redacted, Result } from "effect"
import { Transaction } from "../../database/Transaction.ts"
import { Settings } from "../../Settings.ts"
import type { ApiKey } from "../ApiKey.ts"
import { hashOf } from "../KeySecrets.ts"
import { makeNewToken } from "../../Randomness.ts"
import { KeyStore } from "../KeyStore.ts"
import { SessionStore } from "./SessionStore.ts"
import { usableKey } from "../Authenticator.ts"

/** How long a session lasts, in milliseconds, regardless of activity. */
export const sessionLifetime = 30 * 60_000

/** The most sessions of one secret at a time; beyond it, the oldest end. */
const most = 100

/**
 * Browser sessions in which the owner of a key manages it without sending the key each time. A session has the rights
 * of the secret that opened it, and ends no later than it; the key's state is not cached.
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Opens a session for an authenticated secret. Returns its token, 256 random bits, of which only the hash is
     * stored.
     */
    readonly open: (secret: Redacted.Redacted) => Effect.Effect<Redacted.Redacted>
    /** The key of a session; none if the session has ended, or if its secret or key may no longer be used. */
    readonly find: (token: Redacted.Redacted) => Effect.Effect<Option.Option<ApiKey>>
    /** Moves a session to a new secret of its key; in the caller's transaction. */
    readonly continueWith: (token: Redacted.Redacted, secret: Redacted.Redacted) => Effect.Effect<void>
    readonly close: (token: Redacted.Redacted) => Effect.Effect<void>
  }
>()("outreach-forecast/keys/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const { environment } = yield* Settings
      const keys = yield* KeyStore
      const store = yield* SessionStore
      const transaction = yield* Transaction
      const newToken = yield* makeNewToken

      const open = Effect.fn("Sessions.open")(function* (secret: Redacted.Redacted) {
        const token = yield* newToken
        const createdAt = yield* Clock.currentTimeMillis
        const session = {
          hash: hashOf(token),
          secretHash: hashOf(secret),
          createdAt,
          expiresAt: createdAt + sessionLifetime
        }
        yield* transaction.run(store.insert(session, most))
        return token
      })

      const find = Effect.fn("Sessions.find")(function* (token: Redacted.Redacted) {
        const session = yield* store.find(hashOf(token))
        if (Option.isNone(session)) return Option.none<ApiKey>()
        const { expiresAt, secretHash } = session.value
        const now = yield* Clock.currentTimeMillis
        if (expiresAt <= now) return Option.none<ApiKey>()
        const found = yield* keys.findSecrets([secretHash])
        return Result.getSuccess(usableKey(found.get(secretHash), now, environment))
      })

      return Sessions.of({
        open,
        find,
        continueWith: (token, secret) => store.move(hashOf(token), hashOf(secret)),
        close: (token) => store.delete(hashOf(token))
      })
    })
  )
}
