import { Cause, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databaseName, type DatabaseSettings } from "../settings/DatabaseSettings.ts"
import { Settings } from "../Settings.ts"
import { DatabaseUnusable, explainUnusable } from "./Failures.ts"
import * as Postgres from "./Postgres.ts"
import * as Sqlite from "./Sqlite.ts"

/**
 * A SQL client on a database, with its durability asserted and its migrations run. Unless it may be new, the database
 * must already be an installation. Fails with DatabaseUnusable, which says why.
 */
export const connect = (database: DatabaseSettings, mayBeNew = true) =>
  Layer.catchCause(
    database.kind === "sqlite" ? Sqlite.layer(database, mayBeNew) : Postgres.layer(database, mayBeNew),
    (cause) =>
      Layer.effect(
        SqlClient.SqlClient,
        new DatabaseUnusable({
          reason: `The database ${databaseName(database)} cannot be used: ${explainUnusable(Cause.squash(cause))}`
        })
      )
  )

/** A SQL client on the configured database. */
export const layer = Layer.unwrap(Effect.map(Settings, ({ database }) => connect(database)))
