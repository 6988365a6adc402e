import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/** The dispute that a buyer has opened about the payment of an order: the provider's ID, and its state. */
export const disputes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = dialectOf(sql)
  yield* sql`ALTER TABLE orders ADD COLUMN dispute_id ${text}`
  yield* sql`ALTER TABLE orders ADD COLUMN dispute ${text} CHECK (dispute IN ('open', 'won', 'lost'))`
  yield* sql`CREATE INDEX orders_disputed ON orders (created_at) WHERE dispute = 'open'`
  yield* sql`CREATE INDEX orders_reference ON orders (reference) WHERE reference IS NOT NULL`
})
