import { BigDecimal, Schema } from "effect"
import type { Funnel } from "./Campaign.ts"
import { compare, times } from "./Decimal.ts"
import { type Judged, raisedFlags, type RiskFlag, riskOf } from "./benchmarks/RiskFlags.ts"

export const PerformanceGrade = Schema.Literals(["strong", "healthy", "break_even_or_unclear", "weak"]).annotate({
  title: "PerformanceGrade"
})
export type PerformanceGrade = typeof PerformanceGrade.Type

/** The grade of an exact forecast, and its risk flags in the order of their table. */
export interface Assessment {
  readonly performanceGrade: PerformanceGrade
  readonly riskFlags: ReadonlyArray<RiskFlag>
}

/** The lowest ROI of a grade. */
export const gradeFrom = { healthy: BigDecimal.make(3n, 0), strong: BigDecimal.make(10n, 0) } as const

const isBelow = (a: BigDecimal.BigDecimal, b: BigDecimal.BigDecimal) => compare(a, b) < 0

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

/**
 * Grades an exact forecast and flags its risks, by published figures in the same unit and by the chance of no client in
 * its outlook.
 */
export const assess = (judged: Judged): Assessment => {
  const riskFlags = raisedFlags(judged)
  const isUnclear = riskFlags.some((flag) => riskOf(flag).unclears !== undefined)
  return { performanceGrade: grade(judged.funnel, judged.assumptions.campaign_cost, isUnclear), riskFlags }
}
