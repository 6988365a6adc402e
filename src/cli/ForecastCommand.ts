import { Effect } from "effect"
import { Command } from "effect/cli"
import { computeForecast } from "../forecast/Forecast.ts"
import { campaignFlags, readCampaign } from "./CampaignInput.ts"
import { forecastTable } from "./ForecastTable.ts"
import { columns } from "./Layout.ts"
import { json, print } from "./Printing.ts"
import { asInvocation, orUserError } from "./UserFailures.ts"

/** `forecast`: computes a forecast offline, without a key, a credit or a server. */
export const forecastCommand = Command.make(
  "forecast",
  { ...campaignFlags, json },
  Effect.fnUntraced(function* ({ json, ...given }) {
    const assumptions = yield* Effect.catchTag(readCampaign(given), "InvalidInput", (failure) =>
      Effect.fail(asInvocation(failure))
    )
    const { forecast } = computeForecast(assumptions)
    yield* print(json, forecast, forecastTable(assumptions, forecast, yield* columns))
  }, orUserError)
).pipe(
  Command.withDescription(
    "Compute a forecast and how sure it is, offline, without a key and without a credit. The program sends no email."
  ),
  Command.withExamples([
    {
      command:
        "outreach-forecast forecast --emails-sent 5000 --reply-rate 5 --positive-reply-rate 30 --meeting-booking-rate 20 --close-rate 25",
      description: "The funnel of a campaign, with the range of each stage"
    },
    {
      command: "outreach-forecast forecast --file campaign.json --evidence reply_rate=31/800 --evidence close_rate=1/3",
      description: "A campaign from a file, and what two of its rates were measured on"
    },
    { command: "outreach-forecast forecast --file campaign.json --json", description: "For a program" }
  ])
)
