import type { BigDecimal } from "effect"
import { assess } from "./Assessment.ts"
import { calculationNotes } from "./CalculationNotes.ts"
import { type Campaign, type Funnel, funnel } from "./Campaign.ts"
import { breakEven } from "./outlook/BreakEven.ts"
import { computeOutlook } from "./outlook/CampaignOutlook.ts"
import { withLearning } from "./outlook/Learning.ts"
import { atLearnedRates } from "./outlook/Posterior.ts"
import type { Forecast } from "./ForecastAnswer.ts"
import { modelVersion } from "./modelVersion.ts"
import { outlookNotes } from "./outlook/OutlookNotes.ts"
import { moneyFigures, roiPercent } from "./MoneyFigures.ts"
import { recommendations } from "./Recommendations.ts"
import { quotient, round, toDouble } from "./Decimal.ts"
import { testFirst } from "./outlook/TestFirst.ts"

const count = (stage: BigDecimal.BigDecimal): number => toDouble(round(stage, 4))

const costPer = (cost: BigDecimal.BigDecimal | undefined, people: BigDecimal.BigDecimal): number | null =>
  cost === undefined || people.value === 0n ? null : toDouble(quotient(cost, people, 2))

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
