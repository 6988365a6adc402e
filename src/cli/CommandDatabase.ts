import { Console, Effect, Path } from "effect"
import * as Application from "../Application.ts"
import { defaultDatabase } from "../settings/DatabaseSettings.ts"
import { Settings } from "../Settings.ts"
import { orUserError } from "./UserFailures.ts"

/** Names the database on standard error where no setting does: it depends on the folder that a command is run in. */
export const nameDatabase = Effect.gen(function* () {
  const { database } = yield* Settings
  const path = yield* Path.Path
  if (database !== defaultDatabase) return
  yield* Console.error(`Database: ${path.resolve(defaultDatabase.file)}; DATABASE_URL is not set.`)
})

const named = <A, E, R>(command: Effect.Effect<A, E, R>) => Effect.andThen(nameDatabase, command)

/** Runs a command that only reads the configured database. */
export const readsDatabase = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  named(command).pipe(Effect.provide(Application.layerToRead), orUserError)

/** Runs a command that changes what is in the configured database. */
export const changesDatabase = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  named(command).pipe(Effect.provide(Application.layerToChange), orUserError)
