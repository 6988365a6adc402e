import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/**
 * Sessions of browsers, each with the secret of a key that opened it, as hashes. They do not reference the secret: it is
 * deleted at the moment when a session moves on to the secret that replaces it.
 */
export const accountSessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = dialectOf(sql)
  yield* sql`
    CREATE TABLE account_sessions (
      hash ${text} PRIMARY KEY,
      secret_hash ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX account_sessions_secret ON account_sessions (secret_hash, created_at)`
  yield* sql`CREATE INDEX account_sessions_expiry ON account_sessions (expires_at)`
})
