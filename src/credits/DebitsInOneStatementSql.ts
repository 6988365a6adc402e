import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { dialectOf } from "../database/Statements.ts"
import { orDefect } from "../database/Failures.ts"
import {
  apply,
  countDays,
  countSubKeys,
  isNoticeDue,
  type KeyRow,
  type MakeDebits,
  pastRequests,
  subKeyColumns,
  type SubKeyRow
} from "./DebitsSql.ts"

/** A key before its debits, or a sub-key, which has an ID. */
type DebitedRow = (KeyRow & { readonly id: null }) | SubKeyRow

/** All debits, of one credit each, in one statement: each further statement would be another round trip. */
export const debitsInOneStatement = (sql: SqlClient.SqlClient): MakeDebits => {
  const { tableOf } = dialectOf(sql)
  return Effect.fnUntraced(function* (debits, time) {
    const { createdAt, month } = time
    const rows = debits.map(({ keyId, reference, subKeyId }) => ({
      key_id: keyId,
      sub_key_id: subKeyId ?? null,
      reference
    }))
    const before = yield* sql<DebitedRow>`
      WITH debit AS (
        SELECT *, 1 AS cost, row_number() OVER (PARTITION BY sub_key_id ORDER BY position) AS nth_of_sub_key
        FROM ${tableOf(rows, "debit", { key_id: "text", sub_key_id: "text", reference: "text" })}
      ), held AS (
        SELECT b.key_id, b.balance, b.granted, b.last_entry_id, b.month, b.requests AS counted,
          k.state, k.plan, k.secret_prefix AS prefix
        FROM (SELECT DISTINCT key_id FROM debit) AS wanted JOIN credit_balances b ON b.key_id = wanted.key_id
        JOIN api_keys k ON k.id = b.key_id ORDER BY b.key_id FOR UPDATE OF b FOR SHARE OF k
      ), sub_key AS (
        SELECT ${subKeyColumns(sql, month)}
        FROM (SELECT DISTINCT key_id, sub_key_id FROM debit WHERE sub_key_id IS NOT NULL) AS wanted
        JOIN held ON held.key_id = wanted.key_id JOIN sub_keys s ON s.id = wanted.sub_key_id FOR UPDATE OF s
      ), asked AS (
        SELECT debit.*, row_number() OVER (PARTITION BY debit.key_id ORDER BY position) AS nth
        FROM debit JOIN held ON held.key_id = debit.key_id LEFT JOIN sub_key s ON s.id = debit.sub_key_id
        WHERE held.state <> 'revoked' AND held.plan = 'active' AND (debit.sub_key_id IS NULL
          OR (s.id IS NOT NULL AND s.revoked_at IS NULL
            AND (s.monthly_limit IS NULL OR s.requests + nth_of_sub_key <= s.monthly_limit)))
      ), locked AS (
        SELECT held.*, least(balance, (SELECT count(*) FROM asked WHERE asked.key_id = held.key_id)) AS taken FROM held
      ), past AS (
        INSERT INTO usage_months AS m (key_id, month, requests)
        SELECT key_id, least(month, ${month}), CASE WHEN month > ${month} THEN taken ELSE counted END
        FROM locked WHERE month <> ${month} AND taken > 0 AND (month > ${month} OR counted > 0)
        ON CONFLICT (key_id, month) DO UPDATE SET requests = m.requests + excluded.requests
        RETURNING m.key_id, m.requests
      ), before AS (
        SELECT b.key_id, b.balance, b.granted, b.state, b.plan, b.prefix, CASE WHEN b.month = ${month} THEN b.counted
          WHEN b.month > ${month} THEN coalesce(past.requests - b.taken, ${pastRequests(sql, month)}, 0)
          ELSE 0 END AS requests
        FROM locked b LEFT JOIN past ON past.key_id = b.key_id
      ), made AS (
        SELECT *, nextval(pg_get_serial_sequence('credit_ledger', 'id')) AS id
        FROM (SELECT * FROM asked JOIN locked USING (key_id) WHERE nth <= taken ORDER BY position) AS ordered
      ), paid AS (
        UPDATE credit_balances b
        SET balance = made.balance - taken, last_entry_id = made.id, month = greatest(b.month, ${month}),
          requests = CASE WHEN b.month > ${month} THEN b.requests ELSE before.requests + taken END,
          is_notice_due = ${isNoticeDue(sql, sql`(made.balance - taken)`)}
        FROM made JOIN before ON before.key_id = made.key_id WHERE b.key_id = made.key_id AND nth = taken
      ), written AS (
        INSERT INTO credit_ledger
          (id, key_id, sub_key_id, kind, delta, balance_after, reference, created_at, previous_id)
        SELECT id, key_id, sub_key_id, 'forecast', -1, balance - nth, reference, CAST(${createdAt} AS BIGINT),
          lag(id, 1, last_entry_id) OVER (PARTITION BY key_id ORDER BY nth)
        FROM made ORDER BY id
      ), used AS (
        SELECT sub_key.id, sub_key.requests + count(*) AS requests
        FROM made JOIN sub_key ON sub_key.id = made.sub_key_id GROUP BY sub_key.id, sub_key.requests
      ), spent AS (${countSubKeys(sql, sql`used`, time)}
      ), dated AS (${countDays(sql, sql`made`, time)})
      SELECT NULL AS id, key_id, balance, granted, requests, state, plan, prefix, NULL AS monthly_limit, NULL AS revoked_at
      FROM before
      UNION ALL
      SELECT id, NULL, NULL, NULL, requests, NULL, NULL, prefix, monthly_limit, revoked_at FROM sub_key`
    const keys = before.filter((row) => row.id === null)
    const subKeys = before.filter((row) => row.id !== null)
    return apply(debits, keys, subKeys, time).debited
  }, orDefect)
}
