import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The emails that are still to be sent, or wait for the operator. They are counted every few seconds, among all that
 * were ever sent, and lead to the orders whose email is late: the index of all orders by due date goes.
 */
export const openMails = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX mails_open ON mails (state, created_at) WHERE state IN ('queued', 'dead')`
  yield* sql`DROP INDEX orders_due`
})
