import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { dialectOf } from "../../database/Dialect.ts"
import { orDefect } from "../../database/Failures.ts"
import {
  type AuditPosition,
  AuditStore,
  type AuditSum,
  beginning,
  type Checked,
  type LedgerFault
} from "./AuditStore.ts"

interface FaultRow {
  readonly key_id: string | null
  readonly what: string
  readonly expected: number | null
  readonly found: number | null
}

/** The fault in a row; a row without a key contains none. */
const faultsIn = ({ expected, found, key_id: keyId, what }: FaultRow): ReadonlyArray<LedgerFault> =>
  keyId === null ? [] : [{ keyId, what, expected: expected ?? "at least 0", found: found ?? "none" }]

/** The end of the year 9999, after which a month cannot be written as YYYY-MM. */
const lastTime = "253402300799999"

/**
 * Checks the ledger in its tables, along the index by key. A step takes the same time however large the ledger is, and
 * however many entries a key has. Numbers are read as floating point, because the driver rejects integers that a
 * JavaScript number cannot hold exactly.
 */
export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { isPostgres, real, tableOf } = dialectOf(sql)
    const month = sql.literal(
      isPostgres
        ? "to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')"
        : "strftime('%Y-%m', created_at / 1000, 'unixepoch')"
    )

    /**
     * The entries after a position, up to and including another one. Not written as `(key_id, id) > …`: SQLite would then
     * use only the first column of the index.
     */
    const entriesBetween = (from: AuditPosition, to?: Pick<AuditPosition, "keyId" | "id">) => {
      const ofFirstKey = sql`key_id = ${from.keyId} AND id > ${from.id}`
      const range =
        to === undefined
          ? sql`(${ofFirstKey}) OR key_id > ${from.keyId}`
          : to.keyId === from.keyId
            ? sql`${ofFirstKey} AND id <= ${to.id}`
            : sql`(${ofFirstKey}) OR (key_id > ${from.keyId} AND key_id < ${to.keyId})
                OR (key_id = ${to.keyId} AND id <= ${to.id})`
      return sql`
        SELECT key_id, id, kind = 'forecast' AS is_forecast, CAST(delta AS ${real}) AS delta,
          CAST(balance_after AS ${real}) AS balance_after,
          CASE WHEN created_at BETWEEN 0 AND ${sql.literal(lastTime)} THEN ${month} ELSE 'no month' END AS month
        FROM credit_ledger WHERE ${range}`
    }

    /** The sums up to a position, and what each entry in the table `entry` adds to them. */
    const additions = ({ keyId, sums }: AuditPosition) => sql`
      SELECT key_id, what, expected, found FROM ${tableOf(
        sums.map((sum) => ({ key_id: keyId, ...sum })),
        "sum_before",
        { key_id: "text", what: "text", expected: "real", found: "real" }
      )}
      UNION ALL SELECT key_id, 'balance', delta, NULL FROM entry
      UNION ALL SELECT key_id, 'granted', delta, NULL FROM entry WHERE NOT is_forecast
      UNION ALL SELECT key_id, 'requests in ' || month, -delta, 0 FROM entry WHERE is_forecast`

    /** The position `limit` entries later in the same key, or else in the keys after it, if there are as many. */
    const advance = Effect.fnUntraced(function* (from: AuditPosition, limit: number) {
      const nth = (where: Statement.Fragment) => sql`
        SELECT * FROM (
          SELECT key_id, id, CAST(balance_after AS ${real}) AS balance_after FROM credit_ledger WHERE ${where}
          ORDER BY key_id, id LIMIT 1 OFFSET ${limit - 1}) AS entry`
      const [last] = yield* sql<{ readonly key_id: string; readonly id: number; readonly balance_after: number }>`
        ${nth(sql`key_id = ${from.keyId} AND id > ${from.id}`)}
        UNION ALL ${nth(sql`key_id > ${from.keyId}`)} ORDER BY key_id LIMIT 1`
      if (last === undefined) return undefined
      const { balance_after: balanceAfter, id, key_id: keyId } = last
      const before = keyId === from.keyId ? from : { ...beginning, keyId }
      const sums = yield* sql<AuditSum>`
        WITH entry AS MATERIALIZED (${entriesBetween(before, { keyId, id })})
        SELECT what, sum(expected) AS expected, sum(found) AS found FROM (${additions(before)}) AS addition GROUP BY what`
      const position: AuditPosition = { keyId, id, balanceAfter, sums }
      return position
    })

    /**
     * Compares each entry with the one before it, so that a single wrong entry is a single fault, and compares the sums
     * of each key from `from.keyId` up to, but not including, `to.keyId` with its balance and months.
     */
    const findFaults = (from: AuditPosition, to: AuditPosition | undefined) => {
      const beforeNext = to === undefined ? sql.literal("") : sql`AND key_id < ${to.keyId}`
      const ofComplete = sql`WHERE key_id >= ${from.keyId} ${beforeNext}`
      return sql<FaultRow & { readonly keys: number; readonly entries: number }>`
        WITH entry AS MATERIALIZED (${entriesBetween(from, to)}), step AS (
          SELECT *, delta + lag(
            balance_after, 1, CASE WHEN key_id = ${from.keyId} THEN CAST(${from.balanceAfter} AS ${real}) ELSE 0 END
          ) OVER (PARTITION BY key_id ORDER BY id) AS expected FROM entry
        ), total AS (
          SELECT key_id, what, coalesce(sum(expected), 0) AS expected, sum(found) AS found FROM (
            SELECT * FROM (${additions(from)}) AS addition ${ofComplete}
            UNION ALL SELECT key_id, 'balance', NULL, CAST(balance AS ${real}) FROM credit_balances ${ofComplete}
            UNION ALL SELECT key_id, 'granted', NULL, CAST(granted AS ${real}) FROM credit_balances ${ofComplete}
            UNION ALL SELECT key_id, 'requests in ' || month, NULL, CAST(requests AS ${real}) FROM usage_months ${ofComplete}
          ) AS compared GROUP BY key_id, what
        ), fault AS (
          SELECT key_id, id, 'balance_after of entry ' || id AS what, expected, balance_after AS found
          FROM step WHERE balance_after <> expected
          UNION ALL SELECT key_id, id, 'balance_after of entry ' || id, NULL, balance_after
          FROM entry WHERE balance_after < 0
          UNION ALL SELECT key_id, id, 'delta of entry ' || id || ', a forecast', -1, delta
          FROM entry WHERE is_forecast AND delta > -1
          UNION ALL SELECT key_id, NULL, what, expected, found
          FROM total WHERE found <> expected OR (found IS NULL AND what = 'balance')
        )
        SELECT keys, entries, key_id, what, expected, found
        FROM (
          SELECT (SELECT count(*) FROM total WHERE what = 'balance') AS keys, (SELECT count(*) FROM entry) AS entries
        ) AS counted LEFT JOIN fault ON 1 = 1
        ORDER BY key_id, id IS NULL, id, what`
    }

    const uniqueIndex = isPostgres
      ? sql`
          SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
          WHERE i.indrelid = 'credit_ledger'::regclass AND i.indisunique AND i.indnatts = 1 AND a.attname = 'reference'`
      : sql`
          SELECT 1 FROM pragma_index_list('credit_ledger') AS list, pragma_index_info(list.name) AS info
          WHERE list."unique" = 1 AND info.seqno = 0 AND info.name = 'reference'`

    /** The unique index rules these out; only if it was dropped are all references read, in one statement. */
    const repeatedReferences = Effect.gen(function* () {
      if ((yield* uniqueIndex).length > 0) return []
      return yield* sql<FaultRow>`
        SELECT min(key_id) AS key_id, 'entries with the reference ' || reference AS what, 1 AS expected, count(*) AS found
        FROM credit_ledger GROUP BY reference HAVING count(*) > 1 ORDER BY reference`
    })

    const check = Effect.fnUntraced(function* (from: AuditPosition, limit: number) {
      const next = yield* advance(from, limit)
      const rows = yield* findFaults(from, next)
      const { entries, keys } = rows[0] ?? { entries: 0, keys: 0 }
      const repeated = next === undefined ? yield* repeatedReferences : []
      const checked: Checked = { keys, entries, faults: [...rows, ...repeated].flatMap(faultsIn), next }
      return checked
    })

    const size = Effect.map(
      sql<{ readonly count: number | string }>`SELECT count(*) AS count FROM credit_ledger`,
      ([row]) => Number(row?.count ?? 0)
    )

    return AuditStore.of({ check: (from, limit) => orDefect(check(from, limit)), size: orDefect(size) })
  })
)
