import { Cause, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databaseName, type DatabaseSettings } from "../settings/DatabaseSettings.ts"
import { Settings } from "../Settings.ts"
import { DatabaseUnusable, explainUnusable } from "./Failures.ts"
import * as Postgres from "./Postgres.ts"
import type { AccessMode } from "./Migrations.ts"
import * as Sqlite from "./Sqlite.ts"

/** A SQL client on a database. Fails with DatabaseUnusable if the database does not suit the access mode. */
export const connect = (database: DatabaseSettings, mode: AccessMode) =>
  Layer.catchCause(
    database.kind === "sqlite" ? Sqlite.layer(database, mode) : Postgres.layer(database, mode),
    (cause) =>
      Layer.effect(
        SqlClient.SqlClient,
        new DatabaseUnusable({
          reason: `The database ${databaseName(database)} cannot be used: ${explainUnusable(Cause.squash(cause))}`
        })
      )
  )

/** A SQL client on the configured database. The service waits for a Postgres that is down; a command fails. */
export const layerFor = (mode: AccessMode) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { database } = yield* Settings
      if (mode === "serve") {
        if (database.kind === "postgres") yield* Postgres.awaitServer(database)
        // A file that cannot be looked at cannot be opened either, which says why.
        else yield* Effect.ignore(Sqlite.noteIfShared(database.file))
      }
      return connect(database, mode)
    })
  )

/** The client of the service, which creates and migrates the database. */
export const layer = layerFor("serve")
