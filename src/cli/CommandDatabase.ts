import { Console, Effect, type FileSystem, type Layer, Path } from "effect"
import type { Command } from "effect/cli"
import { defaultDatabase } from "../settings/DatabaseSettings.ts"
import type { DatabaseUnusable } from "../database/Failures.ts"
import { type InvalidSettings, Settings } from "../Settings.ts"

/** Gives a command its services, over the configured database. */
type Open<Services> = <Name extends string, Input, ContextInput, E>(
  command: Command.Command<Name, Input, ContextInput, E, Services | Command.Environment>
) => Command.Command<Name, Input, ContextInput, unknown, Command.Environment>

/** Opens the configured database for commands that need these services. */
export interface CommandDatabase<Services> {
  /** For a command that only reads. */
  readonly reads: Open<Services>
  /** For a command that changes data. */
  readonly changes: Open<Services>
  /** The services over the configured database, to read it. */
  readonly opened: Layer.Layer<Services, DatabaseUnusable | InvalidSettings, FileSystem.FileSystem | Path.Path>
}

/** Prints the database to standard error if no setting names it: it depends on the current folder. */
export const nameDatabase = Effect.gen(function* () {
  const { database } = yield* Settings
  const path = yield* Path.Path
  if (database !== defaultDatabase) return
  yield* Console.error(`Database: ${path.resolve(defaultDatabase.file)}; DATABASE_URL is not set.`)
})
