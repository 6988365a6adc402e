import { Schema } from "effect"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { RiskLevel, scoreCampaign } from "./CampaignScore.ts"
import { computeForecast, Forecast } from "./Forecast.ts"

/** A forecast with what the legacy endpoint adds: a campaign score, a risk level, and the notes that explain them. */
export const LegacyForecast = Schema.Struct({
  ...Forecast.fields,
  campaign_score: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })).annotate({
    description: "Score from 0 to 100.",
    examples: [74]
  }),
  risk_level: RiskLevel.annotate({
    description: "Risk level, from the number and kind of the risk flags.",
    examples: ["low"]
  })
})
export type LegacyForecast = typeof LegacyForecast.Type

/** Forecasts a campaign for the legacy endpoint. */
export const computeLegacyForecast = (assumptions: Assumptions): LegacyForecast => {
  const { forecast, funnel } = computeForecast(assumptions)
  const { campaignScore, notes, riskLevel } = scoreCampaign(assumptions, funnel, forecast.risk_flags)
  return {
    ...forecast,
    calculation_notes: [...forecast.calculation_notes, ...notes],
    campaign_score: campaignScore,
    risk_level: riskLevel
  }
}
