import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"

/**
 * The rows of a statement, each as the cells of its columns in their order: a row with names is a dictionary, which takes
 * more than twice as long to make and to read. As with `sql<Row>`, the types of the cells are the word of whoever wrote the
 * statement; their number is checked.
 */
export const cellsOf = <Cells extends ReadonlyArray<unknown>>(
  statement: Statement.Statement<unknown>,
  columns: Cells["length"]
): Effect.Effect<ReadonlyArray<Cells>, SqlError.SqlError> =>
  Effect.flatMap(statement.values, (rows) =>
    rows.every((cells): cells is Cells => cells.length === columns)
      ? Effect.succeed(rows)
      : Effect.die(new Error(`A statement does not have the ${columns} columns that are read`))
  )
