import { Command } from "effect/cli"
import { backupCommand } from "./BackupCommand.ts"
import { copyCommand } from "./CopyCommand.ts"

/** `database`: backup and migration of all data. */
export const databaseCommand = Command.make("database").pipe(
  Command.withDescription("Back up the database, or move it to another one."),
  Command.withSubcommands([backupCommand, copyCommand])
)
