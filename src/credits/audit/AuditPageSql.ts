import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { dialectOf } from "../../database/Dialect.ts"
import type { LedgerCursor, LedgerRow, ReferencePage } from "./AuditPage.ts"

interface Row {
  readonly key_id: string
  readonly position: number
  readonly kind: string
  readonly a: number
  readonly b: number
  readonly month: string
}

const fromRow = ({ a, b, key_id: keyId, kind, month, position }: Row): LedgerRow => {
  if (kind === "month") return { part: "month", keyId, month, requests: a }
  if (kind === "balance") return { part: "balance", keyId, remaining: a, granted: b }
  return { part: "entry", keyId, id: position, isForecast: kind === "forecast", delta: a, balanceAfter: b, month }
}

/** A time in the year 9999; months after it are not told. */
const lastTime = 253_402_300_799_999

/**
 * A page of all that is kept, in one statement, so that it is of one instant. Every part is read along an index: a page
 * takes as long in a large ledger, or in one of a key with very many entries, as in a small one. Numbers are read as
 * floating point because an integer that no JavaScript number can hold could not be read at all.
 */
export const readPage = (sql: SqlClient.SqlClient) => {
  const { isPostgres, real } = dialectOf(sql)
  const month = isPostgres
    ? sql.literal("to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')")
    : sql.literal("strftime('%Y-%m', created_at / 1000, 'unixepoch')")
  const entry = sql`
    kind, CAST(delta AS ${real}) AS a, CAST(balance_after AS ${real}) AS b,
    CASE WHEN created_at BETWEEN 0 AND ${sql.literal(String(lastTime))} THEN ${month} ELSE 'no month' END AS month`
  return ({ id, keyId }: LedgerCursor, limit: number) =>
    Effect.map(
      sql<Row>`
        SELECT * FROM (
          SELECT key_id, id AS position, ${entry} FROM credit_ledger
          WHERE key_id = ${keyId} AND id > ${id} ORDER BY id LIMIT ${limit}) AS rest
        UNION ALL SELECT * FROM (
          SELECT key_id, id, ${entry} FROM credit_ledger
          WHERE key_id > ${keyId} ORDER BY key_id, id LIMIT ${limit}) AS entries
        UNION ALL SELECT * FROM (
          SELECT key_id, 9007199254740990, 'month', CAST(requests AS ${real}), CAST(NULL AS ${real}), month
          FROM usage_months WHERE key_id >= ${keyId} ORDER BY key_id LIMIT ${limit}) AS months
        UNION ALL SELECT * FROM (
          SELECT key_id, 9007199254740991, 'balance', CAST(balance AS ${real}), CAST(granted AS ${real}), NULL
          FROM credit_balances WHERE key_id >= ${keyId} ORDER BY key_id LIMIT ${limit}) AS balances
        ORDER BY key_id, position LIMIT ${limit}`,
      (rows) => rows.map(fromRow)
    )
}

interface RepeatedRow {
  readonly reference: string
  readonly entries: number
  readonly key_id: string
}

/**
 * A page of references along their unique index. Where somebody has taken the index away, one statement reads all that is
 * left, because each page would have to.
 */
export const readReferences = (sql: SqlClient.SqlClient) => {
  const { isPostgres } = dialectOf(sql)
  const uniqueIndexes = isPostgres
    ? sql`
        SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indrelid = 'credit_ledger'::regclass AND i.indisunique AND a.attname = 'reference'`
    : sql`
        SELECT 1 FROM pragma_index_list('credit_ledger') AS list, pragma_index_info(list.name) AS info
        WHERE list."unique" = 1 AND info.seqno = 0 AND info.name = 'reference'`
  return Effect.fnUntraced(function* (after: string, limit: number) {
    const indexes = yield* uniqueIndexes
    const [end] =
      indexes.length === 0
        ? []
        : yield* sql<{ readonly reference: string }>`
            SELECT reference FROM credit_ledger WHERE reference > ${after}
            ORDER BY reference LIMIT 1 OFFSET ${limit - 1}`
    const upTo = end === undefined ? sql.literal("1 = 1") : sql`reference <= ${end.reference}`
    const repeated = yield* sql<RepeatedRow>`
      SELECT reference, count(*) AS entries,
        (SELECT min(key_id) FROM credit_ledger AS other WHERE other.reference = entry.reference) AS key_id
      FROM credit_ledger AS entry WHERE reference > ${after} AND ${upTo} GROUP BY reference HAVING count(*) > 1`
    const page: ReferencePage = {
      repeated: repeated.map(({ entries, key_id, reference }) => ({ reference, entries, keyId: key_id })),
      next: end?.reference
    }
    return page
  })
}
