import { Command } from "effect/cli"
import { Effect } from "effect"
import type { CommandDatabase } from "../cli/CommandDatabase.ts"
import { PlausibleClock } from "../database/PlausibleClock.ts"
import { backupCommand } from "./BackupCommand.ts"
import { copyCommand } from "./CopyCommand.ts"
import { restoreCommand } from "./RestoreCommand.ts"
import { fields, json, print } from "../cli/Printing.ts"
import { isoTime } from "../text/Times.ts"

/** `database trust-clock`: the operator's confirmation that a clock far ahead is right. */
const trustClockCommand = Command.make(
  "trust-clock",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const { isPlausible, lastAt, now } = yield* Effect.flatMap(PlausibleClock, ({ trust }) => trust)
    const shown = { clock: isoTime(now), last_run: isoTime(lastAt) }
    const text = isPlausible
      ? "The clock was already trusted."
      : "The clock is trusted: the service deletes expired data within the hour."
    yield* print(json, { ...shown, was_trusted: isPlausible }, `${fields(shown)}\n\n${text}`)
  })
).pipe(
  Command.withDescription(
    "Confirm that the clock is right although it is more than a day ahead of the last time that the service ran. Until then the service deletes no data by age."
  )
)

/** `database`: backup, restore and migration of all data. */
export const databaseCommand = ({ changes }: CommandDatabase<PlausibleClock>) =>
  Command.make("database").pipe(
    Command.withDescription(
      "Back up the database, restore a backup, move all data to another database, or trust a clock that is far ahead."
    ),
    Command.withSubcommands([backupCommand, restoreCommand, copyCommand, changes(trustClockCommand)])
  )
