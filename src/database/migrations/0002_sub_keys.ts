import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/**
 * Sub-keys, whose secrets are among those of their keys, and the usage by day. A row of `usage_days` without a sub-key,
 * whose ID is then empty, counts the forecasts of the key itself. The latest month of a sub-key is counted in its row,
 * which a debit locks to hold its limit.
 */
export const subKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, isPostgres, strict, text } = dialectOf(sql)
  // `folded_name` is the same for all names that differ only in case.
  yield* sql`
    CREATE TABLE sub_keys (
      id ${text} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      name ${text} NOT NULL,
      folded_name ${text} NOT NULL,
      monthly_limit ${integer} CHECK (monthly_limit > 0),
      secret_prefix ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      revoked_at ${integer},
      last_used_at ${integer},
      month ${text},
      requests ${integer} NOT NULL DEFAULT 0 CHECK (requests >= 0 AND (month IS NOT NULL OR requests = 0))
    )${strict}`
  yield* sql`CREATE INDEX sub_keys_key ON sub_keys (key_id)`
  yield* sql`CREATE INDEX sub_keys_secret_prefix ON sub_keys (secret_prefix)`
  yield* sql`CREATE UNIQUE INDEX sub_keys_name ON sub_keys (key_id, folded_name) WHERE revoked_at IS NULL`

  yield* sql`ALTER TABLE key_secrets ADD COLUMN sub_key_id ${text} REFERENCES sub_keys (id)`
  yield* sql`CREATE INDEX key_secrets_sub_key ON key_secrets (sub_key_id) WHERE sub_key_id IS NOT NULL`
  yield* sql`ALTER TABLE credit_ledger ADD COLUMN sub_key_id ${text}`

  yield* sql`
    CREATE TABLE usage_days (
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      day ${text} NOT NULL,
      sub_key_id ${text} NOT NULL,
      requests ${integer} NOT NULL CHECK (requests > 0),
      PRIMARY KEY (key_id, day, sub_key_id)
    )${strict}`
  yield* sql`CREATE INDEX usage_days_day ON usage_days (day)`
  const day = sql.literal(
    isPostgres
      ? "to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
      : "strftime('%Y-%m-%d', created_at / 1000, 'unixepoch')"
  )
  yield* sql`
    INSERT INTO usage_days (key_id, day, sub_key_id, requests)
    SELECT key_id, ${day}, '', -sum(delta) FROM credit_ledger WHERE kind = 'forecast' GROUP BY 1, 2`
})
