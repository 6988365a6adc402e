import type { Assumptions } from "./Assumptions.ts"
import { scoreCampaign } from "./CampaignScore.ts"
import { computeForecast } from "./Forecast.ts"

/** A forecast with what the legacy endpoint adds: a campaign score, a risk level, and the notes that explain them. */
export const computeLegacyForecast = (assumptions: Assumptions) => {
  const { forecast, funnel } = computeForecast(assumptions)
  const { campaignScore, notes, riskLevel } = scoreCampaign(assumptions, funnel, forecast.risk_flags)
  return {
    ...forecast,
    calculation_notes: [...forecast.calculation_notes, ...notes],
    campaign_score: campaignScore,
    risk_level: riskLevel
  }
}
