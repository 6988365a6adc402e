import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The answers to requests with an Idempotency-Key, written in the transaction of what they answer. */
export const idempotency = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE idempotent_answers (
      id INTEGER PRIMARY KEY,
      scope TEXT NOT NULL,
      operation TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      answer TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (scope, operation, idempotency_key)
    ) STRICT`
})
