import { Schema } from "effect"
import { described } from "../input/Schemas.ts"
import type { OptionalRate, PassedName } from "../campaign/Rates.ts"
import { number, numberOrNull, summary } from "./AnswerFields.ts"
import { PerformanceGrade, RiskFlag } from "./benchmarks/RiskFlags.ts"
import { BreakEven, ModelVersion, Outlook, TestFirst, TrackRecord } from "./outlook/Outlook.ts"

/** The counts after the optional rates, as answers have them. */
export type OptionalCounts<A> = { readonly [Rate in OptionalRate as `estimated_${PassedName<Rate>}`]: A }

const optionalCounts = {
  estimated_delivered: numberOrNull("Forecast delivered emails, to 4 decimals, where delivery_rate is given.", 4750),
  estimated_meetings_held: numberOrNull("Forecast held meetings, to 4 decimals, where show_rate is given.", 12)
} satisfies OptionalCounts<ReturnType<typeof numberOrNull>>

/**
 * A forecast as it is shown: its figures, rounded for the answer, and its sentences. A figure that cannot be computed is
 * null, never 0 or Infinity. The `Forecaster` computes it, and `Forecasts` sells it with the usage of its key.
 */
export const Forecast = Schema.Struct({
  summary: summary(
    "In 92 of 100 such campaigns this brings 0 to 6 clients, 2.71 on average, with a profit of 11,100; in 15 of 100 none."
  ),
  estimated_replies: number("Forecast replies, to 4 decimals.", 250),
  estimated_positive_replies: number("Forecast positive replies, to 4 decimals.", 75),
  estimated_meetings: number("Forecast booked meetings, to 4 decimals.", 15),
  estimated_clients: number("Forecast clients, to 4 decimals; may be fractional.", 3.75),
  estimated_revenue: numberOrNull("Forecast revenue, to 2 decimals.", 9375),
  roi_multiple: numberOrNull("Revenue over campaign cost, to 1 decimal.", 15.6),
  cost_per_reply: numberOrNull("Campaign cost per reply, to 2 decimals.", 2.4),
  cost_per_meeting: numberOrNull("Campaign cost per meeting, to 2 decimals.", 40),
  cost_per_client: numberOrNull("Campaign cost per client, to 2 decimals.", 160),
  estimated_profit: numberOrNull("Forecast revenue less campaign cost, to 2 decimals.", 8775),
  roi_percent: numberOrNull("Profit as a percentage of campaign cost, to 1 decimal.", 1462.5),
  ...optionalCounts,
  outlook: Outlook,
  track_record: Schema.NullOr(TrackRecord).annotate({
    description: "Null without a history, or with fewer than 3 past campaigns that have replies."
  }),
  break_even: BreakEven,
  test_first: TestFirst.annotate({
    description:
      "What it brings on average to test 2, 3 or 5 lists, or first emails, and to send the rest to the one with the most " +
      "replies. To win more clients, count positive replies twice. Null if the reply rate does not vary, or with fewer than 1,000 emails."
  }),
  performance_grade: described(
    PerformanceGrade,
    "By the exact ROI: weak below 1, break_even_or_unclear below 3, " +
      "healthy below 10, strong from 10 up; " +
      "break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. " +
      "By the ROI of the median if the expected replies are above their range.",
    "strong"
  ),
  risk_flags: described(Schema.Array(RiskFlag), "Risks of the assumptions or the result; empty if there are none.", []),
  recommendations: described(
    Schema.Array(Schema.String),
    "What to do, most valuable first: a few sentences, each with a number in it.",
    ["Add campaign_cost to see the ROI: the campaign pays up to a cost of 9,375."]
  ),
  calculation_notes: described(
    Schema.Array(Schema.String),
    "How each figure was computed from this request, why a figure is null, and the limits of a forecast.",
    ["Replies: 5,000 sent × 5% = 250."]
  ),
  model_version: ModelVersion
})
export type Forecast = typeof Forecast.Type
