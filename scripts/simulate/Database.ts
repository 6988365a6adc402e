import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, Statement } from "effect/sql"
import * as Database from "../../src/database/Database.ts"
import { columnNames } from "../../src/database/Statements.ts"
import { passingTables, tables } from "../../src/database/Tables.ts"
import { CurrentTask, type Steps } from "./Steps.ts"

/** The names of all tables. */
export const tableNames = [...tables.map(({ name }) => name), ...passingTables]

const labels = new Map<string, string>()

/** The name of a statement: its first word and its tables. */
const labelOf = (text: string): string => {
  const known = labels.get(text)
  if (known !== undefined) return known
  const words = new Set(text.match(/\w+/g))
  const [first] = words
  const label = [first, ...tableNames.filter((name) => words.has(name))].join(" ")
  labels.set(text, label)
  return label
}

const isRead = (label: string) => label.startsWith("SELECT") || label.startsWith("WITH")

/**
 * Makes each statement of a task a step, and receiving the result of a commit another: between any two of them the
 * process may crash. Savepoints change nothing that others see, and a rollback also happens when a process crashes;
 * neither is a step.
 */
const inSteps = (steps: Steps, connection: SqlConnection.Connection): SqlConnection.Connection => {
  const run = Effect.fnUntraced(function* <A, E>(text: string, execute: Effect.Effect<A, E>) {
    const task = yield* CurrentTask
    if (task === undefined || text.includes("SAVEPOINT")) return yield* execute
    if (text === "ROLLBACK") {
      steps.open = undefined
      return yield* execute
    }
    const label = labelOf(text)
    const isAlone = steps.open !== task
    yield* steps.step(label, isAlone)
    const result = yield* execute
    if (label === "BEGIN") steps.open = task
    else if (isAlone || label === "COMMIT") {
      steps.open = undefined
      if (!isRead(label)) steps.committed = task
      yield* steps.step("committed")
    }
    return result
  })
  return {
    execute: (text, params, transform) => run(text, connection.execute(text, params, transform)),
    executeRaw: (text, params) => run(text, connection.executeRaw(text, params)),
    executeStream: connection.executeStream,
    executeValues: (text, params) => run(text, connection.executeValues(text, params)),
    executeValuesUnprepared: (text, params) => run(text, connection.executeValuesUnprepared(text, params)),
    executeUnprepared: (text, params, transform) => run(text, connection.executeUnprepared(text, params, transform))
  }
}

/**
 * Creates a client on a new SQLite database in memory, for all instances. It has a single connection, so `steps` holds
 * back the statements of other tasks while a transaction is open. Statements outside a task are not steps.
 */
export const makeDatabase = Effect.fnUntraced(function* (steps: Steps) {
  const database = Database.connect({ kind: "sqlite", file: ":memory:" }, "serve").pipe(
    Layer.provide(NodeServices.layer)
  )
  const real = Context.get(yield* Layer.build(Layer.fresh(database)), SqlClient.SqlClient)
  const connection = inSteps(steps, yield* real.reserve)
  return yield* SqlClient.make({
    acquirer: Effect.succeed(connection),
    compiler: Statement.makeCompilerSqlite(columnNames.transformQueryNames),
    transformRows: Statement.defaultTransforms(columnNames.transformResultNames).array,
    driver: real.driver,
    spanAttributes: [],
    // A crash before the commit rolls back; after the commit another task's transaction may be open.
    onCommitFailure: () =>
      Effect.flatMap(CurrentTask, (task) =>
        steps.open === task ? Effect.asVoid(connection.executeUnprepared("ROLLBACK", [], undefined)) : Effect.void
      )
  }).pipe(Effect.provide(Reactivity.layer))
})
