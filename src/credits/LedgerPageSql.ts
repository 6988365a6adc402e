import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { LedgerCursor, LedgerRow, ReferencePage, RepeatedReference } from "./LedgerPage.ts"

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

/**
 * A page of all that is kept, in one statement, so that it is of one instant. Every part is read along an index: a page
 * takes as long in a large ledger, or in one of a key with very many entries, as in a small one. Numbers are cast
 * because the driver refuses to read an integer that no JavaScript number can hold.
 */
export const readPage = (sql: SqlClient.SqlClient) => {
  const entry = sql.literal(`
    kind, CAST(delta AS REAL) AS a, CAST(balance_after AS REAL) AS b,
    ifnull(strftime('%Y-%m', created_at / 1000, 'unixepoch'), 'no month') AS month`)
  return ({ id, keyId }: LedgerCursor, limit: number) =>
    Effect.map(
      sql<Row>`
        SELECT key_id, id AS position, ${entry} FROM credit_ledger WHERE key_id = ${keyId} AND id > ${id}
        UNION ALL SELECT key_id, id, ${entry} FROM credit_ledger WHERE key_id > ${keyId}
        UNION ALL SELECT key_id, 9007199254740990, 'month', CAST(requests AS REAL), NULL, month
          FROM usage_months WHERE key_id >= ${keyId}
        UNION ALL SELECT key_id, 9007199254740991, 'balance', CAST(balance AS REAL), CAST(granted AS REAL), NULL
          FROM credit_balances WHERE key_id >= ${keyId}
        ORDER BY key_id, position LIMIT ${limit}`,
      (rows) => rows.map(fromRow)
    )
}

/**
 * A page of references along their unique index. Where somebody has taken the index away, one statement reads all that is
 * left, because each page would have to.
 */
export const readReferences = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (after: string, limit: number) {
    const indexes = yield* sql`
      SELECT 1 FROM pragma_index_list('credit_ledger') AS list, pragma_index_info(list.name) AS info
      WHERE list."unique" = 1 AND info.seqno = 0 AND info.name = 'reference'`
    const [end] = yield* sql<{ readonly reference: string }>`
      SELECT reference FROM credit_ledger WHERE reference > ${after} AND ${indexes.length}
      ORDER BY reference LIMIT 1 OFFSET ${limit - 1}`
    const upTo = end === undefined ? sql.literal("1") : sql`reference <= ${end.reference}`
    const repeated = yield* sql<RepeatedReference>`
      SELECT reference, count(*) AS entries,
        (SELECT min(key_id) FROM credit_ledger AS other WHERE other.reference = entry.reference) AS keyId
      FROM credit_ledger AS entry WHERE reference > ${after} AND ${upTo} GROUP BY reference HAVING count(*) > 1`
    const page: ReferencePage = { repeated, next: end?.reference }
    return page
  })
