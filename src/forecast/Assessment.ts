import { BigDecimal, Schema } from "effect"
import type { Assumptions } from "./Assumptions.ts"
import { compare, times } from "./Decimal.ts"
import type { Funnel } from "./Funnel.ts"

export const PerformanceGrade = Schema.Literals(["strong", "healthy", "break_even_or_unclear", "weak"])
export type PerformanceGrade = typeof PerformanceGrade.Type

export const RiskFlag = Schema.Literals([
  "low_reply_rate",
  "optimistic_reply_rate",
  "low_positive_reply_rate",
  "optimistic_positive_reply_rate",
  "low_meeting_booking_rate",
  "low_close_rate",
  "optimistic_close_rate",
  "high_volume",
  "small_sample",
  "negative_roi",
  "missing_deal_value",
  "missing_campaign_cost",
  "rates_look_like_fractions"
])
export type RiskFlag = typeof RiskFlag.Type

/** What an exact forecast is worth: its grade, and its risk flags in the order of `RiskFlag`. */
export interface Assessment {
  readonly performanceGrade: PerformanceGrade
  readonly riskFlags: ReadonlyArray<RiskFlag>
}

/** Where a flag is raised; why it stands there is with the figures in `Benchmarks.ts`. */
export const threshold = {
  lowReplyRate: BigDecimal.make(2n, 0),
  optimisticReplyRate: BigDecimal.make(10n, 0),
  lowPositiveReplyRate: BigDecimal.make(15n, 0),
  optimisticPositiveReplyRate: BigDecimal.make(60n, 0),
  lowMeetingBookingRate: BigDecimal.make(20n, 0),
  lowCloseRate: BigDecimal.make(10n, 0),
  optimisticCloseRate: BigDecimal.make(30n, 0),
  highVolume: BigDecimal.make(30_000n, 0),
  /** Expected clients below which the chance of winning none, e^-clients, is above 20 %. */
  smallSample: BigDecimal.make(16n, 1)
} as const

/** The ROI from which a grade holds. */
export const gradeFrom = { healthy: BigDecimal.make(3n, 0), strong: BigDecimal.make(10n, 0) } as const

const zero = BigDecimal.make(0n, 0)
const one = BigDecimal.make(1n, 0)

const isBelow = (a: BigDecimal.BigDecimal, b: BigDecimal.BigDecimal) => compare(a, b) < 0
const isAbove = (a: BigDecimal.BigDecimal, b: BigDecimal.BigDecimal) => compare(a, b) > 0

const looksLikeFraction = (rate: BigDecimal.BigDecimal) => isAbove(rate, zero) && !isAbove(rate, one)

/** The grade of an exact ROI, revenue over cost, without dividing; unclear where either is missing or the cost is 0. */
const grade = ({ revenue }: Funnel, cost: BigDecimal.BigDecimal | undefined): PerformanceGrade => {
  if (revenue === undefined || cost === undefined || cost.value === 0n) return "break_even_or_unclear"
  if (isBelow(revenue, cost)) return "weak"
  if (isBelow(revenue, times(cost, gradeFrom.healthy))) return "break_even_or_unclear"
  return isBelow(revenue, times(cost, gradeFrom.strong)) ? "healthy" : "strong"
}

/** Grades an exact forecast and flags what is risky about it. */
export const assess = (assumptions: Assumptions, funnel: Funnel): Assessment => {
  const { close_rate, meeting_booking_rate, positive_reply_rate, reply_rate } = assumptions
  const { average_deal_value: dealValue, campaign_cost: cost } = assumptions
  const flags: Array<RiskFlag> = []
  if (isBelow(reply_rate, threshold.lowReplyRate)) flags.push("low_reply_rate")
  if (isAbove(reply_rate, threshold.optimisticReplyRate)) flags.push("optimistic_reply_rate")
  if (isBelow(positive_reply_rate, threshold.lowPositiveReplyRate)) flags.push("low_positive_reply_rate")
  if (isAbove(positive_reply_rate, threshold.optimisticPositiveReplyRate)) flags.push("optimistic_positive_reply_rate")
  if (isBelow(meeting_booking_rate, threshold.lowMeetingBookingRate)) flags.push("low_meeting_booking_rate")
  if (isBelow(close_rate, threshold.lowCloseRate)) flags.push("low_close_rate")
  if (isAbove(close_rate, threshold.optimisticCloseRate)) flags.push("optimistic_close_rate")
  if (isAbove(assumptions.emails_sent, threshold.highVolume)) flags.push("high_volume")
  if (isBelow(funnel.clients, threshold.smallSample)) flags.push("small_sample")
  if (funnel.revenue !== undefined && cost !== undefined && isBelow(funnel.revenue, cost)) flags.push("negative_roi")
  if (dealValue === undefined) flags.push("missing_deal_value")
  if (cost === undefined) flags.push("missing_campaign_cost")
  if ([reply_rate, positive_reply_rate, meeting_booking_rate, close_rate].every(looksLikeFraction)) {
    flags.push("rates_look_like_fractions")
  }
  return { performanceGrade: grade(funnel, cost), riskFlags: flags }
}
