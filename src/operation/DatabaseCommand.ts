import { Command } from "effect/cli"
import type { CommandDatabase } from "../cli/CommandDatabase.ts"
import type { PlausibleClock } from "../database/PlausibleClock.ts"
import { backupCommand } from "./BackupCommand.ts"
import { copyCommand } from "./CopyCommand.ts"
import { restoreCommand } from "./RestoreCommand.ts"
import { trustClockCommand } from "./TrustClockCommand.ts"

/** `database`: backup, restore and migration of all data. */
export const databaseCommand = ({ changes }: CommandDatabase<PlausibleClock>) =>
  Command.make("database").pipe(
    Command.withDescription(
      "Back up the database, restore a backup, move all data to another database, or trust a clock that is far ahead."
    ),
    Command.withSubcommands([backupCommand, restoreCommand, copyCommand, changes(trustClockCommand)])
  )
