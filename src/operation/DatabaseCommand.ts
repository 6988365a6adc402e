import { Command } from "effect/cli"
import { backupCommand } from "./BackupCommand.ts"
import { copyCommand } from "./CopyCommand.ts"
import { restoreCommand } from "./RestoreCommand.ts"

/** `database`: backup, restore and migration of all data. */
export const databaseCommand = Command.make("database").pipe(
  Command.withDescription("Back up the database, restore a backup, or move all data to another database."),
  Command.withSubcommands([backupCommand, restoreCommand, copyCommand])
)
