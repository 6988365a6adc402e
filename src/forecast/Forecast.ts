import { Schema, type BigDecimal } from "effect"
import { described } from "../described.ts"
import { figure, figureOrNull } from "./AnswerFields.ts"
import { assess, PerformanceGrade } from "./Assessment.ts"
import { calculationNotes } from "./CalculationNotes.ts"
import { type Campaign, type Funnel, funnel } from "./Campaign.ts"
import { BreakEven, breakEven } from "./outlook/BreakEven.ts"
import { computeOutlook } from "./outlook/CampaignOutlook.ts"
import { TrackRecord, withLearning } from "./outlook/Learning.ts"
import { atLearnedRates } from "./outlook/Posterior.ts"
import { ModelVersion, modelVersion, Outlook } from "./outlook/Outlook.ts"
import { outlookNotes } from "./outlook/OutlookNotes.ts"
import { moneyFigures, roiPercent } from "./MoneyFigures.ts"
import { recommendations } from "./Recommendations.ts"
import { RiskFlag } from "./benchmarks/RiskFlags.ts"
import { quotient, round, toNumber } from "./Decimal.ts"
import { TestFirst, testFirst } from "./outlook/TestFirst.ts"

const count = (stage: BigDecimal.BigDecimal): number => toNumber(round(stage, 4))

const costPer = (cost: BigDecimal.BigDecimal | undefined, people: BigDecimal.BigDecimal): number | null =>
  cost === undefined || people.value === 0n ? null : toNumber(quotient(cost, people, 2))

/** The counts of a campaign's exact funnel, with their costs and revenue. */
export const headline = (campaign: Campaign, funnel: Funnel) => {
  const { clients, meetings, passed, replies, revenue } = funnel
  const { delivery_rate: delivered, positive_reply_rate: positive, show_rate: held } = passed
  const cost = campaign.campaign_cost
  const money = moneyFigures(revenue, cost)
  return {
    estimated_replies: count(replies),
    estimated_positive_replies: count(positive),
    estimated_meetings: count(meetings),
    estimated_clients: count(clients),
    estimated_revenue: money.revenue,
    roi_multiple: money.roi_multiple,
    cost_per_reply: costPer(cost, replies),
    cost_per_meeting: costPer(cost, meetings),
    cost_per_client: costPer(cost, clients),
    estimated_profit: money.profit,
    roi_percent: roiPercent(revenue, cost),
    estimated_delivered: delivered === undefined ? null : count(delivered),
    estimated_meetings_held: held === undefined ? null : count(held)
  }
}

/**
 * The figures and texts of a forecast, rounded for the answer. A figure that cannot be computed is null, never 0 or
 * Infinity.
 */
export const Forecast = Schema.Struct({
  estimated_replies: figure("Forecast replies, to 4 decimals.", 250),
  estimated_positive_replies: figure("Forecast positive replies, to 4 decimals.", 75),
  estimated_meetings: figure("Forecast booked meetings, to 4 decimals.", 15),
  estimated_clients: figure("Forecast clients, to 4 decimals; may be fractional.", 3.75),
  estimated_revenue: figureOrNull("Forecast revenue, to 2 decimals.", 9375),
  roi_multiple: figureOrNull("Revenue over campaign cost, to 1 decimal.", 15.6),
  cost_per_reply: figureOrNull("Campaign cost per reply, to 2 decimals.", 2.4),
  cost_per_meeting: figureOrNull("Campaign cost per meeting, to 2 decimals.", 40),
  cost_per_client: figureOrNull("Campaign cost per client, to 2 decimals.", 160),
  estimated_profit: figureOrNull("Forecast revenue less campaign cost, to 2 decimals.", 8775),
  roi_percent: figureOrNull("Profit as a percentage of campaign cost, to 1 decimal.", 1462.5),
  estimated_delivered: figureOrNull("Forecast delivered emails, to 4 decimals, where delivery_rate is given.", 4750),
  estimated_meetings_held: figureOrNull("Forecast held meetings, to 4 decimals, where show_rate is given.", 12),
  outlook: Outlook,
  track_record: Schema.NullOr(TrackRecord).annotate({
    description: "Null without a history, or with fewer than 3 past campaigns that have replies."
  }),
  break_even: BreakEven,
  test_first: TestFirst.annotate({
    description:
      "What it brings on average to test 2, 3 or 5 lists, or first emails, and to send all other emails to the one with " +
      "the most replies. Null if the reply rate does not vary, or with fewer than 1,000 emails."
  }),
  performance_grade: described(
    PerformanceGrade,
    "By the exact ROI: weak below 1, break_even_or_unclear below 3, " +
      "healthy below 10, strong from 10 up; " +
      "break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete.",
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

/** A forecast with its exact funnel. */
export interface ComputedForecast {
  /** The campaign of the request, with the distributions learned from its history. */
  readonly plan: Campaign
  /** The same at the means of its learned rates, on which all figures stand. */
  readonly campaign: Campaign
  readonly funnel: Funnel
  readonly forecast: Forecast
}

/**
 * Forecasts a campaign: exact decimals throughout, one rounding at the end, and how certain the result is. Every
 * campaign has a forecast, and always the same one. Takes microseconds; with a history, up to 150 ms.
 */
export const computeForecast = (assumptions: Campaign): ComputedForecast => {
  const { campaign: plan, track_record } = withLearning(assumptions)
  const campaign = atLearnedRates(plan)
  const exact = funnel(campaign)
  const { chanceOfNoClient, outlook } = computeOutlook(campaign)
  const { performanceGrade, riskFlags } = assess({ plan, assumptions: campaign, funnel: exact, chanceOfNoClient })
  const test_first = testFirst(campaign)
  return {
    plan,
    campaign,
    funnel: exact,
    forecast: {
      ...headline(campaign, exact),
      outlook,
      track_record,
      break_even: breakEven(campaign, exact),
      test_first,
      performance_grade: performanceGrade,
      risk_flags: riskFlags,
      recommendations: recommendations({
        plan,
        assumptions: campaign,
        flags: riskFlags,
        funnel: exact,
        outlook,
        testFirst: test_first
      }),
      calculation_notes: [
        ...calculationNotes(campaign, exact, { performanceGrade, riskFlags }),
        ...outlookNotes(plan, outlook, track_record)
      ],
      model_version: modelVersion
    }
  }
}
