import { Console, Effect, FileSystem, Option, Predicate, Stdio, Stream, Terminal } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { aliases, decodeAssumptions } from "../forecast/Assumptions.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import { type ExactJson, NumberLiteral, parseExactJson } from "../input/ExactJson.ts"
import { forecastTable } from "./ForecastTable.ts"
import { orUserError } from "./UserFailures.ts"

const number = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar("NUMBER"), Flag.optional)

const flags = {
  emails_sent: number("emails-sent", "Number of emails sent"),
  reply_rate: number("reply-rate", "Percentage of emails that get a reply (5 means 5 percent)"),
  positive_reply_rate: number("positive-reply-rate", "Percentage of replies that are positive"),
  meeting_booking_rate: number("meeting-booking-rate", "Percentage of positive replies that become meetings"),
  close_rate: number("close-rate", "Percentage of meetings that become clients"),
  average_deal_value: number("average-deal-value", "Revenue per client"),
  campaign_cost: number("campaign-cost", "Total cost of the campaign")
}

const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** The flags as a JSON object. A value that is not a number stays text, and is rejected as such. */
const fromFlags = (given: { readonly [name in keyof typeof flags]: Option.Option<string> }) =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value], ordinal) =>
      Option.isNone(value)
        ? []
        : [[name, numberForm.test(value.value) ? new NumberLiteral(value.value, ordinal) : value.value]]
    )
  )

const readFile = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const stdio = yield* Stdio.Stdio
  const content = file === "-" ? Stream.mkString(Stream.decodeText(stdio.stdin)) : files.readFileString(file)
  const text = yield* Effect.mapError(content, () => new CliError.UserError({ cause: `${file} cannot be read` }))
  return yield* Effect.fromResult(parseExactJson(text)).pipe(
    Effect.mapError(({ reason }) => new CliError.UserError({ cause: `${file} is not JSON: ${reason}` }))
  )
})

const noFile: ExactJson = { value: {}, duplicates: [] }

/** `forecast`: computes a forecast offline, without a key, a credit or a server. */
export const forecastCommand = Command.make(
  "forecast",
  {
    ...flags,
    file: Flag.String("file").pipe(
      Flag.withAlias("f"),
      Flag.withDescription("JSON file with the fields of the API, - for standard input; flags override its fields"),
      Flag.withMetavar("FILE"),
      Flag.optional
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the forecast as JSON"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function* ({ file, json, ...given }) {
    const { duplicates, value } = Option.isSome(file) ? yield* readFile(file.value) : noFile
    const overrides = fromFlags(given)
    const isOverridden = (name: string) => (aliases.get(name) ?? name) in overrides
    const kept = Predicate.isObject(value) ? Object.entries(value).filter(([name]) => !isOverridden(name)) : []
    const fields = Predicate.isObject(value) ? { ...Object.fromEntries(kept), ...overrides } : value
    const assumptions = yield* Effect.fromResult(
      decodeAssumptions({ value: fields, duplicates: duplicates.filter((pointer) => !isOverridden(pointer.slice(1))) })
    ).pipe(
      Effect.mapError(
        ({ errors }) =>
          new CliError.UserError({
            cause: errors.map(({ message, pointer }) => `${pointer.slice(1) || "the input"} ${message}`).join("\n  ")
          })
      )
    )
    const { forecast } = computeForecast(assumptions)
    const terminal = yield* Terminal.Terminal
    // Standard output that is not a terminal has no columns.
    const columns = (yield* terminal.columns) || 80
    yield* Console.log(json ? JSON.stringify(forecast, null, 2) : forecastTable(assumptions, forecast, columns))
  }, orUserError)
).pipe(
  Command.withDescription("Compute a forecast offline, without a key and without a credit."),
  Command.withExamples([
    {
      command:
        "outreach-forecast forecast --emails-sent 5000 --reply-rate 5 --positive-reply-rate 30 --meeting-booking-rate 20 --close-rate 25",
      description: "The funnel of a campaign"
    },
    { command: "outreach-forecast forecast --file campaign.json --json", description: "From a file, for a program" }
  ])
)
