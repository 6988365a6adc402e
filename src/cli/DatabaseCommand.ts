import { Command } from "effect/cli"
import { backupCommand } from "./BackupCommand.ts"
import { copyCommand } from "./CopyCommand.ts"

/** `database`: the data as a whole. */
export const databaseCommand = Command.make("database").pipe(
  Command.withDescription("Back up the database, and move to another one."),
  Command.withSubcommands([backupCommand, copyCommand])
)
