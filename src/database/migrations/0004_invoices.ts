import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/** The address of the invoice that the payment provider has made for an order. */
export const invoices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE orders ADD COLUMN invoice_url ${dialectOf(sql).text}`
})
