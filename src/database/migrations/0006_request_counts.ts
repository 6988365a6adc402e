import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/** The number of requests of a client in a window of time that ends at `expires_at`. */
export const requestCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = dialectOf(sql)
  yield* sql`
    CREATE TABLE request_counts (
      id ${text} PRIMARY KEY,
      requests ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX request_counts_expiry ON request_counts (expires_at)`
})
