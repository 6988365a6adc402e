import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import { apply, type KeyRow, type MakeDebits, pastRequests } from "./DebitRowsSql.ts"

/** All debits, of one credit each, in one statement: each further one would be another round trip. */
export const debitsInOneStatement = (sql: SqlClient.SqlClient): MakeDebits => {
  const { tableOf } = dialectOf(sql)
  return Effect.fnUntraced(function* (debits, { createdAt, month }) {
    const rows = debits.map(({ keyId, reference }) => ({ key_id: keyId, reference }))
    const before = yield* sql<KeyRow>`
      WITH asked AS (
        SELECT *, row_number() OVER (PARTITION BY key_id ORDER BY position) AS nth
        FROM ${tableOf(rows, "debit", { key_id: "text", reference: "text" })}
      ), locked AS (
        SELECT b.key_id, b.balance, b.granted, b.last_entry_id, b.month, b.requests AS counted,
          least(b.balance, wanted.debits) AS taken
        FROM (SELECT key_id, count(*) AS debits FROM asked GROUP BY key_id) AS wanted
        JOIN credit_balances b ON b.key_id = wanted.key_id ORDER BY b.key_id FOR UPDATE OF b
      ), past AS (
        INSERT INTO usage_months AS m (key_id, month, requests)
        SELECT key_id, least(month, ${month}), CASE WHEN month > ${month} THEN taken ELSE counted END
        FROM locked WHERE month <> ${month} AND taken > 0 AND (month > ${month} OR counted > 0)
        ON CONFLICT (key_id, month) DO UPDATE SET requests = m.requests + excluded.requests
        RETURNING m.key_id, m.requests
      ), before AS (
        SELECT b.key_id, b.balance, b.granted, CASE WHEN b.month = ${month} THEN b.counted
          WHEN b.month > ${month} THEN coalesce(past.requests - b.taken, ${pastRequests(sql, month)}, 0)
          ELSE 0 END AS requests
        FROM locked b LEFT JOIN past ON past.key_id = b.key_id
      ), made AS (
        SELECT *, nextval(pg_get_serial_sequence('credit_ledger', 'id')) AS id
        FROM (SELECT * FROM asked JOIN locked USING (key_id) WHERE nth <= taken ORDER BY position) AS ordered
      ), paid AS (
        UPDATE credit_balances b
        SET balance = made.balance - taken, last_entry_id = made.id, month = greatest(b.month, ${month}),
          requests = CASE WHEN b.month > ${month} THEN b.requests ELSE before.requests + taken END
        FROM made JOIN before ON before.key_id = made.key_id WHERE b.key_id = made.key_id AND nth = taken
      ), written AS (
        INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at, previous_id)
        SELECT id, key_id, 'forecast', -1, balance - nth, reference, CAST(${createdAt} AS BIGINT),
          lag(id, 1, last_entry_id) OVER (PARTITION BY key_id ORDER BY nth)
        FROM made ORDER BY id
      )
      SELECT key_id, balance, granted, requests FROM before`
    return apply(debits, before).debited
  })
}
