import { createHash } from "node:crypto"
import { Context, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, valuesOf } from "../../database/Statements.ts"
import { WorkProgress } from "../../observability/WorkProgress.ts"
import { DatabaseUnusable, inUse, orUnusable, waitForLock, whileLocked } from "../../database/Failures.ts"
import { applicationName } from "../../database/Postgres.ts"
import { type Table, tables } from "../../database/Tables.ts"

/** Checks the ledger of the database that the SQL client is connected to. */
export { verify as verifyLedger } from "../../credits/audit/LedgerAuditSql.ts"

/** The source or the target of a copy. */
type Database = Context.Context<SqlClient.SqlClient>

/** The content of a table: its number of rows, and the SHA-256 of all rows in the order of the primary key. */
export interface Content {
  readonly table: Table
  readonly columns: ReadonlyArray<string>
  readonly rows: number
  readonly digest: string
}

/** The comparison of a table in the target with the source. */
export interface TableComparison {
  readonly table: string
  readonly rows: number
  readonly isSame: boolean
}

/** The number of rows read at once. */
const pageSize = 2000

/** The interval of progress in the log, in rows of a table; a multiple of the page size. */
const loggedRows = 500_000

/** The longest wait for other writers. */
const lockTimeout = "5s"

/** Reads and writes columns by the names that they have. */
const clientOf = (database: Database) => Context.get(database, SqlClient.SqlClient).withoutTransforms()

const listOf = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>) =>
  sql.literal(names.map((name) => `"${name}"`).join(", "))

/** Fails with DatabaseUnusable if a table has rows. */
const assertEmpty = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const filled: Array<string> = []
  for (const { name } of tables) {
    const rows = yield* sql`SELECT 1 FROM ${sql(name)} LIMIT 1`
    if (rows.length > 0) filled.push(name)
  }
  if (filled.length > 0) {
    return yield* new DatabaseUnusable({
      reason: `The target is not empty, and nothing was written: there are rows in ${filled.join(", ")}`
    })
  }
})

/** Waits for other writers, and keeps them out of the tables until the transaction ends. */
const lock = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (!dialectOf(sql).isPostgres) return
  // No SELECT: the snapshot of a transaction that only reads must not be older than its lock.
  yield* sql`SET LOCAL lock_timeout = ${sql.literal(`'${lockTimeout}'`)}`
  const names = tables.map(({ name }) => name)
  yield* sql`LOCK TABLE ${listOf(sql, names)} IN EXCLUSIVE MODE`
})

/**
 * Fills an empty database in one transaction, which keeps other writers out. Fails with DatabaseUnusable if it is not
 * empty.
 */
const fillEmpty =
  (target: Database) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const sql = clientOf(target)
    const prepare = Effect.andThen(lock(sql), assertEmpty(sql))
    const filled = sql.withTransaction(Effect.andThen(prepare, effect))
    return (dialectOf(sql).isPostgres ? filled : waitForLock(filled)).pipe(
      Effect.provideService(
        SqlClient.BeginTransaction,
        dialectOf(sql).isPostgres ? "BEGIN ISOLATION LEVEL READ COMMITTED" : "BEGIN IMMEDIATE"
      )
    )
  }

/**
 * Fails with DatabaseUnusable if a service or a command is connected to the source. A SQLite file needs no check: no
 * other process can open it while it is open for the copy.
 */
const assertUnused = Effect.fnUntraced(function* (source: Database) {
  const sql = clientOf(source)
  if (!dialectOf(sql).isPostgres) return
  // Within a transaction, Postgres caches the list of connections.
  yield* sql`SELECT pg_stat_clear_snapshot()`
  const others = yield* sql`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${applicationName}`
  if (others.length > 0) return yield* new DatabaseUnusable({ reason: `The source ${inUse}` })
})

/** Like `assertUnused`, but first waits until the connections of a service that has just been stopped have ended. */
export const awaitUnused = (source: Database) =>
  Effect.retry(assertUnused(source), whileLocked).pipe(orUnusable("The source cannot be read"))

/** Runs reads of a source on one snapshot, and keeps writers out of its tables until the end. */
const readUnchanged = (source: Database) => {
  const sql = clientOf(source)
  const begin = dialectOf(sql).isPostgres ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN"
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    sql
      .withTransaction(Effect.andThen(lock(sql), effect))
      .pipe(Effect.provideService(SqlClient.BeginTransaction, begin))
}

/**
 * Copies a source that is not in use into an empty target, in one transaction on each side. Fails with
 * DatabaseUnusable, with nothing written, if the source is in use at the end, so a successful copy is complete.
 */
export const move =
  (source: Database, target: Database) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.tap(effect, () => assertUnused(source)).pipe(
      fillEmpty(target),
      readUnchanged(source),
      orUnusable("The copy failed; nothing was written")
    )

/**
 * Reads a table page by page along its primary key; `use` gets each page as JSON, and the number of rows read so far.
 */
const readTable = Effect.fnUntraced(function* <E>(
  sql: SqlClient.SqlClient,
  table: Table,
  known: ReadonlyArray<string>,
  use: (json: string, columns: ReadonlyArray<string>, rows: number) => Effect.Effect<unknown, E>
) {
  const key = listOf(sql, table.key)
  const digest = createHash("sha256")
  let columns = known
  let rows = 0
  let rest = sql`1 = 1`
  for (;;) {
    const selected = columns.length === 0 ? sql.literal("*") : listOf(sql, columns)
    const page = yield* sql`
      SELECT ${selected} FROM ${sql(table.name)} WHERE ${rest} ORDER BY ${key} LIMIT ${pageSize}`
    const last = page.at(-1)
    if (last === undefined) break
    columns = Object.keys(last)
    rest = sql`(${key}) > ${sql.in(table.key.map((name) => last[name]))}`
    const json = JSON.stringify(page)
    digest.update(json)
    rows += page.length
    yield* use(json, columns, rows)
  }
  const content: Content = { table, columns, rows, digest: digest.digest("hex") }
  return content
})

/** Sets the next ID above the copied ones; SQLite does so by itself. */
const continueNumbers = (sql: SqlClient.SqlClient, { isNumbered, name }: Table) =>
  isNumbered ? sql`SELECT setval(pg_get_serial_sequence(${name}, 'id'), max(id)) FROM ${sql(name)}` : Effect.void

/** Reports progress by rows; they are counted only if progress is shown. */
const rowsReported = Effect.fnUntraced(function* (work: string, sql: SqlClient.SqlClient, all: ReadonlyArray<Table>) {
  const { isShown, report } = yield* WorkProgress
  const counts = new Map<string, number>()
  for (const { name } of isShown ? all : []) {
    const [count = 0] = yield* valuesOf(Schema.Int, sql`SELECT count(*) FROM ${sql(name)}`)
    counts.set(name, count)
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const before = (table: Table) =>
    all.slice(0, all.indexOf(table)).reduce((sum, { name }) => sum + (counts.get(name) ?? 0), 0)
  return (table: Table, rows: number) =>
    Effect.sync(() => report({ work, detail: table.name, done: before(table) + rows, total }))
})

/** Copies all tables, and returns the content read. The target must have the same tables, without rows. */
export const copyTables = Effect.fn("Copy.copyTables")(function* (source: Database, target: Database) {
  const [from, to] = [clientOf(source), clientOf(target)]
  const { isPostgres, recordsOf } = dialectOf(to)
  const reportRows = yield* rowsReported("Copying", from, tables)
  const insert = Effect.fnUntraced(function* (table: string, json: string, columns: ReadonlyArray<string>) {
    const names = listOf(to, columns)
    yield* to`INSERT INTO ${to(table)} (${names}) SELECT ${names} FROM ${recordsOf(json, table, columns)}`
  })
  return yield* Effect.forEach(
    tables,
    Effect.fnUntraced(function* (table) {
      const log = (message: string, rows: number) =>
        Effect.annotateLogs(Effect.logInfo(message), { table: table.name, rows })
      const content = yield* readTable(from, table, [], (json, columns, rows) =>
        Effect.andThen(
          Effect.tap(insert(table.name, json, columns), () => reportRows(table, rows)),
          rows % loggedRows === 0 ? log("rows copied", rows) : Effect.void
        )
      )
      if (isPostgres) {
        yield* continueNumbers(to, table)
        // Without statistics, the planner chooses slow plans for large tables.
        yield* to`ANALYZE ${to(table.name)}`
      }
      yield* log("table copied", content.rows)
      return content
    })
  )
})

/** Compares each table of the target with the content read from the source. */
export const compareTables = Effect.fn("Copy.compareTables")(function* (
  target: Database,
  contents: ReadonlyArray<Content>
) {
  const sql = clientOf(target)
  const reportRows = yield* rowsReported(
    "Comparing",
    sql,
    contents.map(({ table }) => table)
  )
  return yield* Effect.forEach(
    contents,
    Effect.fnUntraced(function* ({ columns, digest, rows, table }) {
      const found = yield* readTable(sql, table, columns, (_, __, rows) => reportRows(table, rows))
      const comparison: TableComparison = {
        table: table.name,
        rows,
        isSame: found.rows === rows && found.digest === digest
      }
      return comparison
    })
  )
})
