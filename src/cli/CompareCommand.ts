import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { readCampaignsCsv } from "../forecast/CampaignsCsv.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import { finish } from "../forecast/outlook/Pieces.ts"
import { portfolioTotals } from "../forecast/outlook/Portfolio.ts"
import { portfolioNotes } from "../forecast/outlook/PortfolioNotes.ts"
import { rankCampaigns } from "../forecast/outlook/RankCampaigns.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"
import { readText } from "./CampaignInput.ts"
import { compareTable } from "./CompareTable.ts"
import { columns } from "./Layout.ts"
import { json, onOneLine, print } from "./Printing.ts"
import { InvalidInvocation, orUserError } from "./UserFailures.ts"

/** A message ends with its place; for whoever looks for it in the file the place comes first. */
const placeFirst = (message: string): string => message.replace(/^(.*) \((line .*)\)$/s, "$2: $1")

const unreadable = (file: string, { errors }: InvalidInput): InvalidInvocation =>
  new InvalidInvocation({
    message: [
      `${onOneLine(file)} cannot be compared:`,
      ...errors.map(({ message }) => onOneLine(placeFirst(message)))
    ].join("\n  ")
  })

/** `compare`: forecasts the campaigns of a CSV file, offline, and ranks them. */
export const compareCommand = Command.make(
  "compare",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("CSV file with a header line of the names of the fields, - for standard input")
    ),
    json
  },
  Effect.fnUntraced(function* ({ file, json }) {
    const text = yield* readText(file)
    const campaigns = yield* Effect.fromResult(finish(readCampaignsCsv(text))).pipe(
      Effect.mapError((failure) => unreadable(file, failure))
    )
    const forecasts = campaigns.map(({ name, ...assumptions }) => ({
      name: name ?? null,
      ...computeForecast(assumptions).forecast
    }))
    const totals = finish(portfolioTotals(campaigns))
    const ranking = finish(rankCampaigns(campaigns))
    const calculation_notes = portfolioNotes(campaigns, totals, ranking)
    const answer = { forecasts, totals, ranking, calculation_notes }
    yield* print(json, answer, compareTable(answer, yield* columns))
  }, orUserError)
).pipe(
  Command.withDescription(
    "Forecast the campaigns of a CSV file, rank them, and say how sure each place is, offline and without a credit."
  ),
  Command.withExamples([
    { command: "outreach-forecast compare campaigns.csv", description: "The campaigns of a file, the best first" },
    { command: "outreach-forecast compare campaigns.csv --json", description: "For a program" }
  ])
)
