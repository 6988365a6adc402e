import { Command } from "effect/cli"
import { backupCommand } from "./BackupCommand.ts"
import { copyCommand } from "./CopyCommand.ts"
import { trustClockCommand } from "./TrustClockCommand.ts"

/** `database`: backup and migration of all data. */
export const databaseCommand = Command.make("database").pipe(
  Command.withDescription("Back up the database, move it to another one, or trust a clock that is far ahead."),
  Command.withSubcommands([backupCommand, copyCommand, trustClockCommand])
)
