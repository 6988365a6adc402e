import { Cause, Effect, Layer, Predicate } from "effect"
import { SqlClient } from "effect/sql"
import { databaseName, type DatabaseSettings, Settings } from "../Settings.ts"
import { DatabaseUnusable } from "./Failures.ts"
import * as Postgres from "./Postgres.ts"
import * as Sqlite from "./Sqlite.ts"

/** What an error says that others are wrapped around, as in `connect ECONNREFUSED 127.0.0.1:5432`. */
const messageOf = (error: unknown): string => {
  if (!Predicate.isObject(error)) return String(error)
  const { cause, code, message } = error
  if (cause !== undefined) return messageOf(cause)
  return message === "" ? String(code) : String(message)
}

/** The SQL client on a database, its durability asserted and its migrations done. Fails with DatabaseUnusable, which says why. */
export const connect = (database: DatabaseSettings) =>
  Layer.catchCause(database.kind === "sqlite" ? Sqlite.layer(database) : Postgres.layer(database), (cause) =>
    Layer.effect(
      SqlClient.SqlClient,
      new DatabaseUnusable({
        reason: `The database ${databaseName(database)} cannot be used: ${messageOf(Cause.squash(cause))}`
      })
    )
  )

/** The SQL client on the configured database. */
export const layer = Layer.unwrap(Effect.map(Settings, ({ database }) => connect(database)))
