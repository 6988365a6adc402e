import { Effect, Option, String } from "effect"
import type { SqlError } from "effect/sql"
import { orDefect } from "./Failures.ts"

/** The names of columns are those of fields in snake_case; clients map them in both directions. */
export const columnNames = { transformQueryNames: String.camelToSnake, transformResultNames: String.snakeToCamel }

/** A record as a row: undefined becomes NULL. As with `sql<Row>`, the author of the statement vouches for its type. */
export type Row<A> = {
  readonly [Name in keyof A]: undefined extends A[Name] ? Exclude<A[Name], undefined> | null : A[Name]
}

/** The row of a record. */
export function toRow<A extends object>(record: A): Row<A>
// Each field keeps its type, except for NULL: only the signature above can say that.
export function toRow(record: object): object {
  return Object.fromEntries(Object.entries(record).map(([name, value]: [string, unknown]) => [name, value ?? null]))
}

/** The record of a row. */
export function fromRow<A extends object>(row: Row<A>): A
// As above.
export function fromRow(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]: [string, unknown]) => [name, value ?? undefined]))
}

type Rows<R> = Effect.Effect<ReadonlyArray<R>, SqlError.SqlError>

/** Runs a statement that returns nothing of interest. */
export const execute = (statement: Effect.Effect<unknown, SqlError.SqlError>): Effect.Effect<void> =>
  orDefect(Effect.asVoid(statement))

/** The records of all rows of a statement. */
export const findAll = <R, A>(rows: Rows<R>, record: (row: R) => A): Effect.Effect<ReadonlyArray<A>> =>
  orDefect(Effect.map(rows, (found) => found.map((row) => record(row))))

/** The record of the first row of a statement, if there is one. */
export const findFirst = <R, A>(rows: Rows<R>, record: (row: R) => A): Effect.Effect<Option.Option<A>> =>
  orDefect(Effect.map(rows, ([row]) => Option.map(Option.fromUndefinedOr(row), record)))

/** True if a statement returns any row. */
export const exists = (rows: Rows<unknown>): Effect.Effect<boolean> =>
  orDefect(Effect.map(rows, ({ length }) => length > 0))

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
