import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { summarize } from "../forecast/CampaignForecast.ts"
import type { NamedAssumptions } from "../forecast/Campaigns.ts"
import { readCampaignsCsv } from "../forecast/CampaignsCsv.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"
import { readText } from "./CampaignInput.ts"
import { compareTable } from "./CompareTable.ts"
import { columns } from "./Layout.ts"
import { Progress } from "../Progress.ts"
import { onOneLine } from "../SafeText.ts"
import { json, print } from "./Printing.ts"
import { withProgress } from "./ProgressLine.ts"
import { withLine } from "./TypedLine.ts"
import { InvalidInvocation, orUserError } from "./UserFailures.ts"

/** A message ends with its place; for whoever looks for it in the file the place comes first. */
const placeFirst = (message: string): string => message.replace(/^(.*) \((line .*)\)$/s, "$2: $1")

const unreadable = (file: string, { errors }: InvalidInput): InvalidInvocation =>
  new InvalidInvocation({
    message: withLine(
      [`${file} cannot be compared:`, ...errors.map(({ message }) => onOneLine(placeFirst(message)))].join("\n  "),
      ["compare", file === "-" ? "campaigns.csv" : file]
    )
  })

const compareAll = Effect.fnUntraced(function* (campaigns: ReadonlyArray<NamedAssumptions>) {
  const { report } = yield* Progress
  const forecasts = campaigns.map(({ name, ...assumptions }, i) => {
    report({ work: "Forecasting the campaigns", done: i, total: campaigns.length })
    return { name: name ?? null, ...computeForecast(assumptions).forecast }
  })
  report({ work: "Ranking the campaigns" })
  return { forecasts, ...summarize(campaigns) }
})

/** `compare`: forecasts the campaigns of a CSV file, offline, and ranks them. */
export const compareCommand = Command.make(
  "compare",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("CSV file with a header line of field names, or - for standard input")
    ),
    json
  },
  Effect.fnUntraced(function* ({ file, json }) {
    const text = yield* Effect.mapError(
      readText(file),
      ({ message }) => new InvalidInvocation({ message: withLine(`${message}.`, ["compare", "campaigns.csv"]) })
    )
    const campaigns = yield* Effect.fromResult(readCampaignsCsv(text)).pipe(
      Effect.mapError((failure) => unreadable(file, failure))
    )
    const answer = yield* withProgress(compareAll(campaigns))
    yield* print(json, answer, compareTable(answer, yield* columns))
  }, orUserError)
).pipe(
  Command.withDescription(
    "Forecast and rank the campaigns in a CSV file, and say how certain each place is, offline and without using a credit."
  ),
  Command.withExamples([
    { command: "outreach-forecast compare campaigns.csv", description: "The campaigns in a file, best first" },
    { command: "outreach-forecast compare campaigns.csv --json", description: "For a program" }
  ])
)
