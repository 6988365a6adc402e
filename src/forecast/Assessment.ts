import { BigDecimal, Schema } from "effect"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { membersOf } from "../campaign/Fields.ts"
import { boundRates, lowBoundOf, rateIn } from "./advice/PublishedRates.ts"
import { type BoundRate, highVolume, leastMeetingCost, rateBounds, smallSample } from "./benchmarks/Thresholds.ts"
import { compare, one, times } from "./Decimal.ts"
import type { Funnel } from "./Campaign.ts"

export const PerformanceGrade = Schema.Literals(["strong", "healthy", "break_even_or_unclear", "weak"])
export type PerformanceGrade = typeof PerformanceGrade.Type

export const RiskFlag = Schema.Literals([
  "low_reply_rate",
  "optimistic_reply_rate",
  "low_positive_reply_rate",
  "optimistic_positive_reply_rate",
  "low_meeting_booking_rate",
  "optimistic_meeting_booking_rate",
  "low_close_rate",
  "optimistic_close_rate",
  "high_volume",
  "small_sample",
  "negative_roi",
  "missing_deal_value",
  "missing_campaign_cost",
  "zero_campaign_cost",
  "cost_looks_incomplete",
  "rates_look_like_fractions"
])
export type RiskFlag = typeof RiskFlag.Type

/** The grade of an exact forecast, and its risk flags in the order of `RiskFlag`. */
export interface Assessment {
  readonly performanceGrade: PerformanceGrade
  readonly riskFlags: ReadonlyArray<RiskFlag>
}

/** The lowest ROI of a grade. */
export const gradeFrom = { healthy: BigDecimal.make(3n, 0), strong: BigDecimal.make(10n, 0) } as const

const isBelow = (a: BigDecimal.BigDecimal, b: BigDecimal.BigDecimal) => compare(a, b) < 0
const isAbove = (a: BigDecimal.BigDecimal, b: BigDecimal.BigDecimal) => compare(a, b) > 0

const looksLikeFraction = (rate: BigDecimal.BigDecimal) => rate.value !== 0n && !isAbove(rate, one)

/** A reply rate below this, in percent, is taken for a fraction if the other rates look like percentages. */
const leastReplyRate = BigDecimal.make(2n, 1)

const lookLikeFractions = (assumptions: Assumptions) => {
  const { close_rate, meeting_booking_rate, positive_reply_rate, reply_rate } = assumptions
  const others = [positive_reply_rate, meeting_booking_rate, close_rate]
  if (!looksLikeFraction(reply_rate)) return false
  return (
    others.every(looksLikeFraction) ||
    (isBelow(reply_rate, leastReplyRate) && others.every((rate) => isAbove(rate, one)))
  )
}

/**
 * The grade of an exact ROI, revenue over cost, without dividing. A campaign that may well win no client is unclear, as
 * is one that seems to leave out a cost.
 */
const grade = ({ revenue }: Funnel, cost: BigDecimal.BigDecimal | undefined, isUnclear: boolean): PerformanceGrade => {
  if (revenue === undefined || cost === undefined || cost.value === 0n) return "break_even_or_unclear"
  if (isBelow(revenue, cost)) return "weak"
  if (isUnclear || isBelow(revenue, times(cost, gradeFrom.healthy))) return "break_even_or_unclear"
  return isBelow(revenue, times(cost, gradeFrom.strong)) ? "healthy" : "strong"
}

/** The flag of each rate that is lower than anything published. */
export const lowFlag = membersOf(boundRates, (rate) => `low_${rate}` as const)

/** The flag of each rate that is higher than anything published. */
export const optimisticFlag = membersOf(boundRates, (rate) => `optimistic_${rate}` as const)

const flagRate = (flags: Array<RiskFlag>, assumptions: Assumptions, rate: BoundRate) => {
  const low = lowBoundOf(assumptions, rate)
  const { high } = rateBounds[rate]
  if (isBelow(rateIn(low.per, assumptions, rate), low.exact)) flags.push(lowFlag[rate])
  else if (isAbove(rateIn(high.per, assumptions, rate), high.exact)) flags.push(optimisticFlag[rate])
}

/** The error that doubles may add to a chance. */
const rounding = 1e-12

/**
 * Grades an exact forecast and flags its risks, by published figures in the same unit and by the chance of no client in
 * its outlook. `assumptions` have learned rates in place of those of the `plan`; fractions are recognized from the plan
 * alone.
 */
export const assess = (
  assumptions: Assumptions,
  funnel: Funnel,
  chanceOfNoClient: number,
  plan = assumptions
): Assessment => {
  const { average_deal_value: dealValue, campaign_cost: cost, emails_sent: emails } = assumptions
  const isSmall = chanceOfNoClient > smallSample + rounding
  const isIncomplete =
    cost !== undefined && cost.value !== 0n && isBelow(cost, times(funnel.meetings, leastMeetingCost.exact))
  const flags: Array<RiskFlag> = []
  for (const rate of boundRates) flagRate(flags, assumptions, rate)
  if (isAbove(emails, highVolume.exact)) flags.push("high_volume")
  if (isSmall) flags.push("small_sample")
  if (funnel.revenue !== undefined && cost !== undefined && isBelow(funnel.revenue, cost)) flags.push("negative_roi")
  if (dealValue === undefined) flags.push("missing_deal_value")
  if (cost === undefined) flags.push("missing_campaign_cost")
  if (cost?.value === 0n) flags.push("zero_campaign_cost")
  if (isIncomplete) flags.push("cost_looks_incomplete")
  if (lookLikeFractions(plan)) flags.push("rates_look_like_fractions")
  return { performanceGrade: grade(funnel, cost, isSmall || isIncomplete), riskFlags: flags }
}
