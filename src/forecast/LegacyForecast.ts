import { BigDecimal, Schema, Struct } from "effect"
import { described } from "../input/Schemas.ts"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { forecastInSteps } from "./Forecast.ts"
import { takeAllSteps } from "../workers/Steps.ts"
import { Forecast } from "./ForecastAnswer.ts"
import { type RiskFlag, riskFlagNames, riskOf } from "./benchmarks/RiskFlags.ts"
import { compare, times, quotientToDouble, roundToDouble, plus, isZero, type Decimal } from "./Decimal.ts"
import type { Funnel } from "./Campaign.ts"
import { counted } from "../text/Figures.ts"
import { listed } from "./Words.ts"

export const RiskLevel = Schema.Literals(["low", "medium", "high"]).annotate({ title: "RiskLevel" })
export type RiskLevel = typeof RiskLevel.Type

const decimal = BigDecimal.fromStringUnsafe

/** Each rate earns `points` per percent, up to the percentage `full`: at most 15 points. */
const parts = [
  { rate: "reply_rate", full: decimal("10"), points: decimal("1.5") },
  { rate: "positive_reply_rate", full: decimal("60"), points: decimal("0.25") },
  { rate: "meeting_booking_rate", full: decimal("50"), points: decimal("0.3") },
  { rate: "close_rate", full: decimal("30"), points: decimal("0.5") }
] as const

/** An ROI earns 4 points for each multiple up to 10. */
const roiPoints = decimal("4")
const fullRoi = decimal("10")
const allRoiPoints = decimal("40")

const formula =
  "15 × min(reply rate ÷ 10, 1) + 15 × min(positive reply rate ÷ 60, 1) + 15 × min(meeting booking rate ÷ 50, 1) + " +
  "15 × min(close rate ÷ 30, 1) + 40 × min(ROI ÷ 10, 1)"

const min = (a: Decimal, b: Decimal) => (compare(a, b) <= 0 ? a : b)

const score = (assumptions: Assumptions, { revenue }: Funnel): number => {
  const rates = parts
    .map(({ full, points, rate }) => times(min(assumptions[rate], full), points))
    .reduce((sum, part) => plus(sum, part))
  const cost = assumptions.campaign_cost
  if (revenue === undefined || cost === undefined || isZero(cost)) return roundToDouble(rates, 0)
  if (compare(revenue, times(cost, fullRoi)) >= 0) return roundToDouble(plus(rates, allRoiPoints), 0)
  // (rates × cost + 4 × revenue) ÷ cost: one division, so that the sum is rounded once.
  return quotientToDouble(plus(times(rates, cost), times(revenue, roiPoints)), cost, 0)
}

const isAlarming = (flag: RiskFlag) => riskOf(flag).legacyRisk === "high"

const alarming = riskFlagNames.filter(isAlarming)

const riskLevel = (weighing: ReadonlyArray<RiskFlag>): RiskLevel => {
  if (weighing.length >= 3 || weighing.some(isAlarming)) return "high"
  return weighing.length === 0 ? "low" : "medium"
}

/**
 * The figures that the legacy endpoint adds to a forecast, with the notes that explain them. The score never falls when
 * a rate or the deal value rises.
 */
export const scoreCampaign = (assumptions: Assumptions, funnel: Funnel, riskFlags: ReadonlyArray<RiskFlag>) => {
  const campaign_score = score(assumptions, funnel)
  const weighing = riskFlags.filter((flag) => riskOf(flag).legacyRisk !== undefined)
  const risk_level = riskLevel(weighing)
  return {
    campaign_score,
    risk_level,
    notes: [
      `Campaign score, with weights of our own: ${formula} = ${campaign_score}, rounded to an integer; an ROI that is null earns 0 of its 40 points.`,
      `Risk level ${risk_level}: ${counted(weighing.length, "risk flag")}; high from 3 flags or with ${listed(alarming, "or")}, low with none.`
    ]
  }
}

/**
 * A forecast with the additions of the legacy endpoint: a campaign score, a risk level, and the notes that explain
 * them.
 */
export const LegacyForecast = Schema.Struct({
  ...Struct.omit(Forecast.fields, ["summary"]),
  campaign_score: described(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
    "Score from 0 to 100, with weights of our own.",
    74
  ),
  risk_level: described(RiskLevel, "Risk level, from the number and kind of the risk flags.", "low")
})
export type LegacyForecast = typeof LegacyForecast.Type

/** Forecasts a campaign for the legacy endpoint. */
export function* legacyForecastInSteps(assumptions: Assumptions): Generator<void, LegacyForecast, void> {
  const { campaign, forecast: whole, funnel } = yield* forecastInSteps(assumptions)
  const { summary: _, ...forecast } = whole
  const { notes, ...figures } = scoreCampaign(campaign, funnel, forecast.risk_flags)
  return { ...forecast, calculation_notes: [...forecast.calculation_notes, ...notes], ...figures }
}

/** The result of `legacyForecastInSteps`, in one step. */
export const computeLegacyForecast = (assumptions: Assumptions): LegacyForecast =>
  takeAllSteps(legacyForecastInSteps(assumptions))
