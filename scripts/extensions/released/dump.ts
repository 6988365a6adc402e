import { Effect } from "effect"
import { Statement } from "effect/sql"
import { passingTables, tables } from "../../../src/database/Tables.ts"
import { createDatabase } from "../../../test/support/Application.ts"
import { connected } from "../../../test/support/Postgres.ts"

/** Creates the tables in a Postgres database. Returns the statements that did it. */
export const createRecorded = Effect.fnUntraced(function* (url: string) {
  const statements: Array<string> = []
  const record: Statement.Transformer = (statement) => {
    const [text] = statement.compile()
    if (/^\s*(?:CREATE|ALTER|DROP)\b/.test(text)) statements.push(text)
    return Effect.succeed(statement)
  }
  yield* Effect.provideService(createDatabase(url), Statement.CurrentTransformer, record)
  return statements
})

/** A literal of Postgres on one line. */
const onOneLine = (literal: string) =>
  literal.includes("\n") || literal.includes("\r")
    ? literal
        .replace(/^'/, "E'")
        .replaceAll("\n", String.raw`\n`)
        .replaceAll("\r", String.raw`\r`)
    : literal

/** The rows of a Postgres database, as statements that insert them. */
const insertsOf = (url: string) =>
  connected(url, (sql) =>
    Effect.gen(function* () {
      const statements: Array<string> = []
      const names = ["effect_sql_migrations", ...tables.map(({ name }) => name), ...passingTables]
      for (const name of names) {
        const columns = yield* sql<{ readonly name: string; readonly numbered: boolean }>`
          SELECT column_name AS name, is_identity = 'YES' AS numbered FROM information_schema.columns
          WHERE table_schema = 'public' AND table_name = ${name} ORDER BY ordinal_position`
        const list = columns.map((column) => column.name).join(", ")
        const values = columns.map((column) => `quote_nullable(${column.name}::text)`).join(", ")
        const rows = yield* sql.unsafe<{ readonly cells: ReadonlyArray<string> }>(
          `SELECT ARRAY[${values}] AS cells FROM ${name} ORDER BY 1`
        )
        for (const { cells } of rows) {
          statements.push(`INSERT INTO ${name} (${list}) VALUES (${cells.map((cell) => onOneLine(cell)).join(", ")})`)
        }
        for (const column of columns.filter(({ numbered }) => numbered)) {
          statements.push(
            `SELECT setval(pg_get_serial_sequence('${name}', '${column.name}'), coalesce(max(${column.name}), 0) + 1, false) FROM ${name}`
          )
        }
      }
      return statements
    })
  )

/** A dump of a Postgres database whose tables these statements made: plain SQL, a blank line after each statement. */
export const dumpOf = Effect.fnUntraced(function* (url: string, creation: ReadonlyArray<string>) {
  const statements = [...creation, ...(yield* insertsOf(url))].map((statement) => statement.trim())
  const torn = statements.find((statement) => statement.includes("\n\n"))
  if (torn !== undefined) return yield* Effect.die(new Error(`A blank line in a statement: ${torn}`))
  return statements.map((statement) => `${statement};\n`).join("\n")
})
