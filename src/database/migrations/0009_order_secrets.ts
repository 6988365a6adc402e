import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/** The secrets that open the page of an order, as SHA-256 hashes: one for each mail and page that leads there. */
export const orderSecrets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = dialectOf(sql)
  yield* sql`
    CREATE TABLE order_secrets (
      hash ${text} PRIMARY KEY,
      order_id ${text} NOT NULL REFERENCES orders (id),
      created_at ${integer} NOT NULL
    )${strict}`
})
