import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/**
 * Emails to owners before the credits run out. Each balance also stores its value after credits were last added, and
 * whether a notice is due; keys that ran low before get none. Also the keys whose owners switched notices off, and the
 * links that do so.
 */
export const notices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = dialectOf(sql)
  yield* sql`ALTER TABLE credit_balances ADD COLUMN refilled_to ${integer} NOT NULL DEFAULT 0`
  yield* sql`
    ALTER TABLE credit_balances ADD COLUMN is_notice_due ${integer} NOT NULL DEFAULT 0 CHECK (is_notice_due IN (0, 1))`
  yield* sql`CREATE INDEX credit_balances_notice ON credit_balances (key_id) WHERE is_notice_due = 1`
  yield* sql`
    UPDATE credit_balances SET refilled_to = refill.balance_after
    FROM credit_ledger refill JOIN (
      SELECT max(id) AS id FROM credit_ledger WHERE delta > 0 GROUP BY key_id) AS latest ON latest.id = refill.id
    WHERE credit_balances.key_id = refill.key_id`

  yield* sql`
    CREATE TABLE unsubscribed_keys (
      key_id ${text} PRIMARY KEY REFERENCES api_keys (id),
      created_at ${integer} NOT NULL
    )${strict}`
  yield* sql`
    CREATE TABLE unsubscribe_links (
      hash ${text} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      created_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX unsubscribe_links_created ON unsubscribe_links (created_at)`
})
