import { Schema, Struct } from "effect"
import { Forecast } from "./ForecastAnswer.ts"
import { Outlook } from "./outlook/Outlook.ts"

/** The fields of a forecast in its short form, in their order. */
const names = [
  "summary",
  "estimated_replies",
  "estimated_positive_replies",
  "estimated_meetings",
  "estimated_clients",
  "estimated_revenue",
  "roi_multiple",
  "cost_per_reply",
  "cost_per_meeting",
  "cost_per_client",
  "performance_grade",
  "risk_flags",
  "recommendations",
  "model_version"
] as const

const outlookNames = ["clients", "chance_to_break_even"] as const

/** A forecast in its short form: the figures of the whole campaign, its sentences, and the range of its clients. */
export const MinimalForecast = Schema.Struct({
  ...Struct.pick(Forecast.fields, names),
  outlook: Schema.Struct(Struct.pick(Outlook.fields, outlookNames)).annotate({
    identifier: "MinimalOutlook",
    description: "The range of the clients, and the chance to break even.",
    examples: [
      {
        clients: { expected: 3.75, low: 0, median: 3, high: 8, chance_within: 0.9209 },
        chance_to_break_even: 0.8954
      }
    ]
  })
})
export type MinimalForecast = typeof MinimalForecast.Type

/** The short form of a forecast. */
export const minimalOf = (forecast: Forecast): MinimalForecast => ({
  ...Struct.pick(forecast, names),
  outlook: Struct.pick(forecast.outlook, outlookNames)
})
