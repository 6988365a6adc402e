import { Schema } from "effect"
import type { NamedAssumptions } from "./Campaigns.ts"
import { Forecast, forecastInPieces } from "./Forecast.ts"
import type { Pieces } from "./outlook/Pieces.ts"
import { portfolioTotals } from "./outlook/Portfolio.ts"
import { PortfolioTotals, Ranking } from "./outlook/PortfolioAnswer.ts"
import { portfolioNotes } from "./outlook/PortfolioNotes.ts"
import { rankCampaigns } from "./outlook/RankCampaigns.ts"

/** The forecast of one campaign among many. */
export const CampaignForecast = Schema.Struct({
  name: Schema.NullOr(Schema.String).annotate({
    description: "The campaign's name in the request; null where it has none.",
    examples: ["Agencies"]
  }),
  ...Forecast.fields
})
export type CampaignForecast = typeof CampaignForecast.Type

/** What all campaigns come to, beside their forecasts. */
export const CampaignsSummary = Schema.Struct({
  totals: PortfolioTotals,
  ranking: Ranking,
  calculation_notes: Schema.Array(Schema.String).annotate({
    description: "How the totals and the ranking were computed, why a figure is null, and what they assume.",
    examples: [["Ranked by expected profit, and compared by the profit that each really makes."]]
  })
})
export type CampaignsSummary = typeof CampaignsSummary.Type

/** The forecast of one campaign among many, in pieces: the same as of that campaign alone. */
export function* campaignForecast(campaign: NamedAssumptions): Pieces<CampaignForecast> {
  const { name, ...assumptions } = campaign
  return { name: name ?? null, ...(yield* forecastInPieces(assumptions)).forecast }
}

/** Totals and ranking of campaigns, in pieces. */
export function* summarize(campaigns: ReadonlyArray<NamedAssumptions>): Pieces<CampaignsSummary> {
  const totals = yield* portfolioTotals(campaigns)
  const ranking = yield* rankCampaigns(campaigns)
  return { totals, ranking, calculation_notes: portfolioNotes(campaigns, totals, ranking) }
}
