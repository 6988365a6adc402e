import { Effect } from "effect"
import { Command } from "effect/cli"
import { PlausibleClock } from "../database/PlausibleClock.ts"
import { fields, json, print } from "../cli/Printing.ts"
import { isoTime } from "../text/Times.ts"

/** `database trust-clock`: the operator's confirmation that a clock far ahead is right. */
export const trustClockCommand = Command.make(
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
