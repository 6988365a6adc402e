import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, rowsOf } from "../../database/Statements.ts"
import { orDefect } from "../../database/Failures.ts"
import { WorkProgress } from "../../observability/WorkProgress.ts"
import { keptUsageDays } from "../LedgerEntry.ts"
import { LedgerAudit, LedgerFault, type LedgerReport } from "./LedgerAudit.ts"
import { dayLength, dayOf } from "../../text/Times.ts"

/** The most faults in a report, so that it stays small. */
const shownFaults = 50

/** A fault that a statement finds, with the total number of them in each row. */
const FaultRow = Schema.Struct({ ...LedgerFault.fields, total: Schema.Number })
type FaultRow = typeof FaultRow.Type

/** An entry that does not follow from the one before it. */
const EntryRow = Schema.Struct({
  id: Schema.Number,
  keyId: Schema.String,
  previousId: Schema.NullOr(Schema.Number),
  delta: Schema.Number,
  balanceAfter: Schema.Number,
  earlierKeyId: Schema.NullOr(Schema.String),
  earlierBalance: Schema.NullOr(Schema.Number),
  total: Schema.Number
})

const Size = Schema.Struct({ keys: Schema.Int, entries: Schema.Int })

const faultOf = (row: typeof EntryRow.Type): FaultRow => {
  const { balanceAfter: balance, delta, id, keyId, previousId, total } = row
  const fault = (what: string, expected: string | number, found: string | number) => ({
    keyId,
    what,
    expected,
    found,
    total
  })
  if (previousId !== null && previousId >= id) return fault(`entry before entry ${id}`, `below ${id}`, previousId)
  if (previousId !== null && row.earlierKeyId !== keyId) {
    return fault(`entry ${previousId}`, "an entry of this key", row.earlierKeyId ?? "none")
  }
  const sum = (row.earlierBalance ?? 0) + delta
  if (balance !== sum) return fault(`balance_after of entry ${id}`, sum, balance)
  if (balance < 0) return fault(`balance_after of entry ${id}`, "at least 0", balance)
  return fault(`delta of entry ${id}, a forecast`, -1, delta)
}

/**
 * The statements that find faults. Numbers are read as floating point, because the driver rejects integers that a
 * JavaScript number cannot hold exactly.
 */
const statementsOn = (sql: SqlClient.SqlClient) => {
  const { isPostgres, real } = dialectOf(sql)

  /** Checks that each entry names the previous one of its key, and adds to its balance. */
  const entries = Effect.map(
    rowsOf(
      EntryRow,
      sql`
      WITH entry AS NOT MATERIALIZED (
        SELECT id, key_id, kind, previous_id, CAST(delta AS ${real}) AS delta,
          CAST(balance_after AS ${real}) AS balance_after
        FROM credit_ledger
      )
      SELECT entry.*, earlier.key_id AS earlier_key_id, earlier.balance_after AS earlier_balance,
        count(*) OVER () AS total
      FROM entry LEFT JOIN entry AS earlier ON earlier.id = entry.previous_id
      WHERE entry.balance_after <> COALESCE(earlier.balance_after, 0) + entry.delta OR entry.balance_after < 0
        OR (entry.kind = 'forecast' AND entry.delta > -1)
        OR (entry.previous_id IS NOT NULL
          AND (entry.previous_id >= entry.id OR earlier.key_id IS NULL OR earlier.key_id <> entry.key_id))
      ORDER BY entry.id LIMIT ${shownFaults}`
    ),
    (rows) => rows.map(faultOf)
  )

  const inMonth = sql.literal(
    isPostgres
      ? `CASE WHEN created_at BETWEEN 0 AND 253402300799999
           THEN to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM') ELSE 'no month' END`
      : "COALESCE(strftime('%Y-%m', created_at / 1000, 'unixepoch'), 'no month')"
  )

  /** Checks the balance, the granted credits and the requests by month of each key against the sums of its entries. */
  const sums = rowsOf(
    FaultRow,
    sql`
    WITH entry AS (
      SELECT key_id, CASE kind WHEN 'forecast' THEN ${inMonth} ELSE 'granted' END AS name,
        CASE kind WHEN 'forecast' THEN -1 ELSE 1 END * CAST(delta AS ${real}) AS amount
      FROM credit_ledger
    ), record AS (
      SELECT key_id, 'granted' AS name, CAST(granted AS ${real}) AS amount FROM credit_balances
      UNION ALL SELECT key_id, month, CAST(requests AS ${real}) FROM usage_months
      UNION ALL SELECT key_id, month, CAST(requests AS ${real}) FROM credit_balances WHERE month IS NOT NULL
    ), sums AS MATERIALIZED (
      SELECT key_id, name, sum(expected) AS expected, sum(found) AS found FROM (
        SELECT key_id, name, amount AS expected, 0 AS found FROM entry
        UNION ALL SELECT key_id, name, 0, amount FROM record
      ) AS amounts GROUP BY key_id, name
    ), balance AS (
      SELECT key_id, sum(CASE name WHEN 'granted' THEN expected ELSE -expected END) AS expected
      FROM sums GROUP BY key_id
    ), compared AS (
      SELECT key_id, CASE name WHEN 'granted' THEN name ELSE 'requests in ' || name END AS name, expected, found FROM sums
      UNION ALL
      SELECT balance.key_id, 'balance', expected, COALESCE(CAST(stored.balance AS ${real}), 0)
      FROM balance LEFT JOIN credit_balances AS stored ON stored.key_id = balance.key_id
    )
    SELECT key_id, name AS what, expected, found, count(*) OVER () AS total
    FROM compared WHERE expected <> found ORDER BY key_id, name LIMIT ${shownFaults}`
  )

  /** Checks that every entry is followed by another one, unless the balance of its key names it as the last. */
  const ends = rowsOf(
    FaultRow,
    sql`
    SELECT key_id, what, expected, found, count(*) OVER () AS total FROM (
      SELECT key_id, id, 'what follows entry ' || id AS what, 'an entry or the balance' AS expected, 'none' AS found
      FROM credit_ledger AS entry
      WHERE NOT EXISTS (SELECT 1 FROM credit_ledger WHERE previous_id = entry.id)
        AND NOT EXISTS (SELECT 1 FROM credit_balances b WHERE b.key_id = entry.key_id AND b.last_entry_id = entry.id)
      UNION ALL
      SELECT b.key_id, b.last_entry_id, 'entry ' || b.last_entry_id, 'an entry of this key', COALESCE(entry.key_id, 'none')
      FROM credit_balances AS b LEFT JOIN credit_ledger AS entry ON entry.id = b.last_entry_id
      WHERE b.last_entry_id IS NOT NULL AND (entry.key_id IS NULL OR entry.key_id <> b.key_id)
    ) AS ends ORDER BY id LIMIT ${shownFaults}`
  )

  const inDay = sql.literal(
    isPostgres
      ? `CASE WHEN created_at BETWEEN 0 AND 253402300799999
           THEN to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') ELSE 'no day' END`
      : "COALESCE(strftime('%Y-%m-%d', created_at / 1000, 'unixepoch'), 'no day')"
  )

  /**
   * Checks the usage of each sub-key in its latest month and on each kept day against its entries. Days up to `before`
   * may have been deleted already.
   */
  const subKeyUse = (before: string) =>
    rowsOf(
      FaultRow,
      sql`
    WITH day AS (
      SELECT key_id, sub_key_id, ${inDay} AS day, -sum(CAST(delta AS ${real})) AS expected
      FROM credit_ledger WHERE sub_key_id IS NOT NULL GROUP BY 1, 2, 3
    ), compared AS (
      SELECT key_id, 'requests of ' || sub_key_id || ' on ' || day AS what, sum(expected) AS expected,
        sum(found) AS found
      FROM (
        SELECT key_id, sub_key_id, day, expected, 0 AS found FROM day
        UNION ALL SELECT key_id, sub_key_id, day, 0, CAST(requests AS ${real}) FROM usage_days WHERE sub_key_id <> ''
      ) AS amounts WHERE day > ${before} GROUP BY key_id, sub_key_id, day
      UNION ALL
      SELECT s.key_id, 'requests of ' || s.id || ' in ' || s.month, COALESCE(sum(day.expected), 0),
        CAST(s.requests AS ${real})
      FROM sub_keys s LEFT JOIN day ON day.sub_key_id = s.id AND substr(day.day, 1, 7) = s.month
      WHERE s.month IS NOT NULL GROUP BY s.key_id, s.id, s.month, s.requests
    )
    SELECT key_id, what, expected, found, count(*) OVER () AS total
    FROM compared WHERE expected <> found ORDER BY key_id, what LIMIT ${shownFaults}`
    )

  const references = rowsOf(
    FaultRow,
    sql`
    SELECT min(key_id) AS key_id, 'entries with the reference ' || reference AS what, 1 AS expected, count(*) AS found,
      count(*) OVER () AS total
    FROM credit_ledger
    WHERE reference IN (SELECT reference FROM credit_ledger GROUP BY reference HAVING count(*) > 1)
    GROUP BY reference ORDER BY reference LIMIT ${shownFaults}`
  )

  const size = Effect.map(
    rowsOf(
      Size,
      sql`
      SELECT (SELECT count(*) FROM credit_balances) AS keys, (SELECT count(*) FROM credit_ledger) AS entries`
    ),
    ([row]) => row ?? { keys: 0, entries: 0 }
  )

  return { size, checksAt: (before: string) => [entries, sums, subKeyUse(before), ends, references] }
}

/** Verifies the ledger that a client is connected to. On SQLite this blocks the thread until it is done. */
export const verify: Effect.Effect<LedgerReport, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { report } = yield* WorkProgress
  report({ work: "Checking the ledger" })
  const { checksAt, size } = statementsOn(sql)
  const began = yield* Clock.currentTimeMillis
  const checks = checksAt(dayOf(began - keptUsageDays * dayLength))
  // One snapshot: debits continue during the check.
  const [found, counts] = yield* sql
    .withTransaction(Effect.all([Effect.all(checks), size]))
    .pipe(
      Effect.provideService(
        SqlClient.BeginTransaction,
        dialectOf(sql).isPostgres ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN"
      ),
      orDefect
    )
  return {
    ...counts,
    millis: (yield* Clock.currentTimeMillis) - began,
    faultCount: found.reduce((sum, [first]) => sum + (first?.total ?? 0), 0),
    faults: found
      .flat()
      .slice(0, shownFaults)
      .map(({ expected, found, keyId, what }) => ({ keyId, what, expected, found }))
  }
}).pipe(Effect.withSpan("LedgerAudit.verify"))

/** Runs over the provided client. */
export const layer = Layer.effect(
  LedgerAudit,
  Effect.map(SqlClient.SqlClient, (sql) =>
    LedgerAudit.of({ verify: Effect.provideService(verify, SqlClient.SqlClient, sql) })
  )
)

/** Runs over a new connection for each check. */
export const layerOver = <E, R>(client: Layer.Layer<SqlClient.SqlClient, E, R>) =>
  Layer.effect(
    LedgerAudit,
    Effect.map(Effect.context<R>(), (context) =>
      LedgerAudit.of({ verify: verify.pipe(Effect.provide(client), Effect.provide(context), Effect.orDie) })
    )
  )
