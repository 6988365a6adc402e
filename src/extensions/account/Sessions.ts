import { Clock, Context, Effect, Layer, Option, type Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { execute, type Expiring, findFirst } from "../../database/Statements.ts"
import { Transaction } from "../../database/Transaction.ts"
import { Settings } from "../../Settings.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import { hashOf } from "../../keys/KeySecrets.ts"
import { newToken } from "../../Randomness.ts"
import { KeyStore } from "../../keys/KeyStore.ts"
import { usableKey } from "../../keys/Authenticator.ts"

/** The length of a session in milliseconds, regardless of activity. */
export const sessionLifetime = 30 * 60_000

/** The most sessions of one secret at a time; beyond it, the oldest end. */
const most = 100

/** The key of a session. Only the SHA-256 of its token and of the secret are stored; times are milliseconds UTC. */
const FoundSession = Schema.Struct({ secretHash: Schema.String, expiresAt: Schema.Int })

export const expiring: Expiring = { table: "account_sessions", id: "hash", column: "expires_at", lifetime: 0 }

/**
 * Browser sessions in which the owner of a key manages it without sending the key each time. A session has the rights
 * of the secret that opened it, and ends no later than it; the key's state is not cached. Sessions are stored even after
 * their secret was deleted.
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
  /** Sessions in the table `account_sessions`. */
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const { environment } = yield* Settings
      const keys = yield* KeyStore
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const open = Effect.fn("Sessions.open")(function* (secret: Redacted.Redacted) {
        const token = yield* newToken(random)
        const createdAt = yield* Clock.currentTimeMillis
        const secretHash = hashOf(secret)
        const session = { hash: hashOf(token), secretHash, createdAt, expiresAt: createdAt + sessionLifetime }
        yield* transaction.run(
          execute(
            Effect.andThen(
              sql`INSERT INTO account_sessions ${sql.insert(session)}`,
              sql`
                DELETE FROM account_sessions WHERE secret_hash = ${secretHash} AND hash NOT IN (
                  SELECT hash FROM account_sessions WHERE secret_hash = ${secretHash}
                  ORDER BY created_at DESC, hash LIMIT ${most})`
            )
          )
        )
        return token
      })

      const find = Effect.fn("Sessions.find")(function* (token: Redacted.Redacted) {
        const session = yield* findFirst(
          FoundSession,
          sql`SELECT secret_hash, expires_at FROM account_sessions WHERE hash = ${hashOf(token)}`
        )
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
        continueWith: (token, secret) =>
          execute(sql`UPDATE account_sessions SET secret_hash = ${hashOf(secret)} WHERE hash = ${hashOf(token)}`),
        close: (token) => execute(sql`DELETE FROM account_sessions WHERE hash = ${hashOf(token)}`)
      })
    })
  )
}
