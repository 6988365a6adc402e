import { createHash } from "node:crypto"
import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "./Dialect.ts"
import { DatabaseUnusable, orUnusable, waitForLock } from "./Failures.ts"
import { type Table, tables } from "./Tables.ts"

/** A database that takes part in a copy. */
type Database = Context.Context<SqlClient.SqlClient>

/** What is in a table: how many rows, and the SHA-256 of them all in the order of the primary key. */
export interface Content {
  readonly table: Table
  readonly columns: ReadonlyArray<string>
  readonly rows: number
  readonly digest: string
}

/** Whether a table came out as it went in. */
export interface Comparison {
  readonly table: string
  readonly rows: number
  readonly isSame: boolean
}

type Row = Readonly<Record<string, unknown>>

/** How many rows are in memory at once. */
const pageSize = 2000

/** After how many rows of a table the log says how far the copy has come; a multiple of a page. */
const loggedRows = 500_000

/** How long a transaction waits for those who write into the target. */
const lockTimeout = "5s"

const clientOf = (database: Database) => Context.get(database, SqlClient.SqlClient)

const listOf = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>) =>
  sql.literal(names.map((name) => `"${name}"`).join(", "))

/** Reads a database as it is at one instant, whatever is written into it meanwhile. */
export const atOneInstant =
  (source: Database) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const sql = clientOf(source)
    const begin = dialectOf(sql).isPostgres ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN"
    return sql.withTransaction(effect).pipe(Effect.provideService(SqlClient.BeginTransaction, begin))
  }

/** Fails with DatabaseUnusable where there is something in the tables. */
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

/** Waits as long as somebody else is writing into the tables, and keeps them from it until the transaction ends. */
const lock = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  if (!dialectOf(sql).isPostgres) return
  yield* sql`SELECT set_config('lock_timeout', ${lockTimeout}, true)`
  const names = tables.map(({ name }) => name)
  yield* sql`LOCK TABLE ${listOf(sql, names)} IN EXCLUSIVE MODE`
})

/**
 * Fills a database: all at once at the end, or not at all. Nobody else writes into it meanwhile. Fails with
 * DatabaseUnusable where it is not empty.
 */
export const fillEmpty =
  (target: Database) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const sql = clientOf(target)
    const prepare = Effect.andThen(lock(sql), assertEmpty(sql))
    const filled = sql.withTransaction(Effect.andThen(prepare, effect))
    return (dialectOf(sql).isPostgres ? filled : waitForLock(filled)).pipe(
      Effect.provideService(
        SqlClient.BeginTransaction,
        dialectOf(sql).isPostgres ? "BEGIN ISOLATION LEVEL READ COMMITTED" : "BEGIN IMMEDIATE"
      ),
      orUnusable("The copy failed, and nothing of it was kept")
    )
  }

/** Reads a table page by page along its primary key; `use` gets the rows of each as JSON, and how many there were so far. */
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
    const page = yield* sql<Row>`
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

/** After rows that came with their ids, the next one has a greater id; SQLite sees to that by itself. */
const continueNumbers = (sql: SqlClient.SqlClient, { isNumbered, name }: Table) =>
  isNumbered ? sql`SELECT setval(pg_get_serial_sequence(${name}, 'id'), max(id)) FROM ${sql(name)}` : Effect.void

/** Copies all tables as they are, and says what was read. The target must have the same tables, without rows. */
export const copyTables = Effect.fn("Copy.copyTables")(function* (source: Database, target: Database) {
  const [from, to] = [clientOf(source), clientOf(target)]
  const { isPostgres, recordsOf } = dialectOf(to)
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
          insert(table.name, json, columns),
          rows % loggedRows === 0 ? log("rows copied", rows) : Effect.void
        )
      )
      if (isPostgres) {
        yield* continueNumbers(to, table)
        // Until it knows how many rows there are, it reads tables in ways that are slow for many.
        yield* to`ANALYZE ${to(table.name)}`
      }
      yield* log("table copied", content.rows)
      return content
    })
  )
})

/** Reads the tables of a copy, and says for each whether it has the same rows as its original. */
export const compareTables = Effect.fn("Copy.compareTables")(function* (
  target: Database,
  contents: ReadonlyArray<Content>
) {
  const sql = clientOf(target)
  return yield* Effect.forEach(
    contents,
    Effect.fnUntraced(function* ({ columns, digest, rows, table }) {
      const found = yield* readTable(sql, table, columns, () => Effect.void)
      const comparison: Comparison = {
        table: table.name,
        rows,
        isSame: found.rows === rows && found.digest === digest
      }
      return comparison
    })
  )
})
