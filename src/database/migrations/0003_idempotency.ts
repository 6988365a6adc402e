import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/** The answers to requests with an Idempotency-Key, written in the same transaction as what the requests do. */
export const idempotency = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, serial, strict, text } = dialectOf(sql)
  yield* sql`
    CREATE TABLE idempotent_answers (
      id ${serial} PRIMARY KEY,
      scope ${text} NOT NULL,
      operation ${text} NOT NULL,
      idempotency_key ${text} NOT NULL,
      fingerprint ${text} NOT NULL,
      answer ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (scope, operation, idempotency_key)
    )${strict}`
})
