import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/** Whether the credits of an order were added in a trial, which charges nothing: settings may change afterwards. */
export const trialOrders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE orders ADD COLUMN is_trial ${dialectOf(sql).integer} NOT NULL DEFAULT 0 CHECK (is_trial IN (0, 1))`
})
