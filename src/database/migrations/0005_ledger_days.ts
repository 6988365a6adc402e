import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/**
 * The way from a day to its entries in the ledger, which has no index by key: each row of `usage_days` names its last
 * entry, and the few entries that are not forecasts have an index of their own.
 */
export const ledgerDays = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, isPostgres } = dialectOf(sql)
  yield* sql`ALTER TABLE usage_days ADD COLUMN last_entry_id ${integer}`
  const day = sql.literal(
    isPostgres
      ? "to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
      : "strftime('%Y-%m-%d', created_at / 1000, 'unixepoch')"
  )
  yield* sql`
    UPDATE usage_days SET last_entry_id = newest.id
    FROM (
      SELECT key_id, ${day} AS day, coalesce(sub_key_id, '') AS sub_key_id, max(id) AS id
      FROM credit_ledger WHERE kind = 'forecast' GROUP BY 1, 2, 3) AS newest
    WHERE usage_days.key_id = newest.key_id AND usage_days.day = newest.day
      AND usage_days.sub_key_id = newest.sub_key_id`
  yield* sql`CREATE INDEX credit_ledger_changes ON credit_ledger (key_id, created_at) WHERE kind <> 'forecast'`
})
