import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/**
 * The newest month of a key is counted beside its balance, so that a debit changes one row of the key instead of two.
 * `usage_months` has the months before; where it has the newest one too, the requests are the sum: an older version that still
 * runs goes on counting there.
 */
export const monthOfBalance = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, text } = dialectOf(sql)
  yield* sql`ALTER TABLE credit_balances ADD COLUMN month ${text}`
  yield* sql`
    ALTER TABLE credit_balances ADD COLUMN requests ${integer} NOT NULL DEFAULT 0
    CHECK (requests >= 0 AND (month IS NOT NULL OR requests = 0))`
  yield* sql`
    UPDATE credit_balances SET month = newest.month, requests = newest.requests
    FROM (
      SELECT key_id, month, requests, row_number() OVER (PARTITION BY key_id ORDER BY month DESC) AS nth FROM usage_months
    ) AS newest
    WHERE newest.key_id = credit_balances.key_id AND newest.nth = 1`
  yield* sql`
    DELETE FROM usage_months WHERE EXISTS (
      SELECT 1 FROM credit_balances b WHERE b.key_id = usage_months.key_id AND b.month = usage_months.month)`
})
