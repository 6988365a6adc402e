import { Effect } from "effect"
import { Command } from "effect/cli"
import { computeForecast } from "../forecast/Forecast.ts"
import { campaignProblem, unreadable } from "./CampaignProblem.ts"
import { campaignFlags, readCampaign } from "./CampaignInput.ts"
import { forecastTable } from "./ForecastTable.ts"
import { columns } from "./Layout.ts"
import { json, print } from "./Printing.ts"
import { orUserError } from "./UserFailures.ts"

/** `forecast`: computes a forecast offline, without a key, a credit or a server. */
export const forecastCommand = Command.make(
  "forecast",
  { ...campaignFlags, json },
  Effect.fnUntraced(function* ({ json, ...given }) {
    const assumptions = yield* readCampaign(given).pipe(
      Effect.catchTags({
        InvalidInput: ({ errors }) => Effect.fail(campaignProblem(errors, { campaign: given })),
        InvalidInvocation: (failure) => Effect.fail(unreadable(failure, [], { campaign: given }))
      })
    )
    const { forecast } = computeForecast(assumptions)
    yield* print(json, forecast, forecastTable(assumptions, forecast, yield* columns))
  }, orUserError)
).pipe(
  Command.withDescription(
    "Compute a forecast and how certain it is, offline, without a key or a credit. The program sends no email."
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
