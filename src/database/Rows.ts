import { Array, Effect, type Option, Schema, SchemaTransformation, String } from "effect"
import type { SqlError, Statement } from "effect/sql"
import { orDefect } from "./Failures.ts"

/** The names of columns are those of fields in snake_case; clients map them in both directions. */
export const columnNames = { transformQueryNames: String.camelToSnake, transformResultNames: String.snakeToCamel }

/** A column that may be NULL; its record has undefined instead. */
export const nullable = <S extends Schema.Constraint>(column: S) =>
  Schema.NullOr(column).pipe(
    Schema.decodeTo(
      Schema.UndefinedOr(Schema.toType(column)),
      SchemaTransformation.transform({
        decode: (value: S["Type"] | null): S["Type"] | undefined => value ?? undefined,
        encode: (value: S["Type"] | undefined): S["Type"] | null => value ?? null
      })
    )
  )

/** The row of a record: undefined becomes NULL. */
export const toRow = (record: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]: [string, unknown]) => [name, value ?? null]))

type Rows = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

/** The rows of a statement, decoded; one that its schema does not allow is a defect. */
export const rowsOf = <A>(
  row: Schema.Decoder<A>,
  statement: Rows
): Effect.Effect<ReadonlyArray<A>, SqlError.SqlError> => {
  const decode = Schema.decodeUnknownSync(row)
  return Effect.map(statement, (rows) => rows.map((found) => decode(found)))
}

/** The values of a statement with one column, decoded likewise. */
export const valuesOf = <A>(value: Schema.Decoder<A>, statement: Statement.Statement<unknown>) =>
  Effect.map(rowsOf(Schema.Tuple([value]), statement.values), (rows) => rows.map(([found]) => found))

/** The problems that one of SQLite's checks reports. */
export const problemsOf = (check: Statement.Statement<unknown>) =>
  Effect.map(valuesOf(Schema.String, check), (texts) => texts.filter((text) => text !== "ok"))

/** Runs a statement that returns nothing of interest. */
export const execute = (statement: Effect.Effect<unknown, SqlError.SqlError>): Effect.Effect<void> =>
  orDefect(Effect.asVoid(statement))

/** The records of all rows of a statement. */
export const findAll = <A>(row: Schema.Decoder<A>, statement: Rows): Effect.Effect<ReadonlyArray<A>> =>
  orDefect(rowsOf(row, statement))

/** The record of the first row of a statement, if there is one. */
export const findFirst = <A>(row: Schema.Decoder<A>, statement: Rows): Effect.Effect<Option.Option<A>> =>
  Effect.map(findAll(row, statement), Array.head)

/** The first value of a statement with one column, if there is one. */
export const findValue = <A>(value: Schema.Decoder<A>, statement: Statement.Statement<unknown>) =>
  Effect.map(orDefect(valuesOf(value, statement)), Array.head)

/** True if a statement returns any row. */
export const exists = (statement: Rows): Effect.Effect<boolean> =>
  orDefect(Effect.map(statement, ({ length }) => length > 0))

/** Rows that are deleted some time after one of their timestamps. */
export interface Expiring {
  readonly table: string
  /** The primary key. */
  readonly id: string
  /** The column with that timestamp, in milliseconds UTC. Rows with NULL stay. */
  readonly column: string
  /** The delay after which a row is deleted, in milliseconds. */
  readonly lifetime: number
  /**
   * The indexed column by which rows are found, oldest first: by default `column` itself, or another one that grows
   * with it.
   */
  readonly oldestFirst?: string
}
