import { Schema, Struct } from "effect"
import type { NamedAssumptions } from "./Campaigns.ts"
import { computeForecast, Forecast } from "../Forecast.ts"
import type { Campaign } from "../Campaign.ts"
import { TrackRecord } from "../outlook/Learning.ts"
import { type Contribution, contributionOf, levelsToSum, portfolioTotals, sumAtLevel } from "./Portfolio.ts"
import { type NeighbourChances, portfolioNotes, PortfolioTotals, Ranking } from "./PortfolioAnswer.ts"
import type { Blocks } from "../counts/CountBlocks.ts"
import { compareNeighbours, orderOf } from "./CompareCampaigns.ts"

/** The forecast of one campaign among many. */
export const CampaignForecast = Schema.Struct({
  name: Schema.NullOr(Schema.String).annotate({
    description: "The campaign's name in the request; null if it has none.",
    examples: ["Agencies"]
  }),
  ...Struct.omit(Forecast.fields, ["track_record", "test_first"])
})
export type CampaignForecast = typeof CampaignForecast.Type

/** The totals and the ranking of all campaigns, which come after their forecasts. */
export const CampaignsSummary = Schema.Struct({
  totals: PortfolioTotals,
  track_record: Schema.NullOr(TrackRecord).annotate({
    description:
      "Of the history, at the first campaign's rates. Null without a history, or with fewer than 3 past campaigns that " +
      "have replies."
  }),
  ranking: Ranking,
  calculation_notes: Schema.Array(Schema.String).annotate({
    description: "How the totals and the ranking were computed, why a figure is null, and what they assume.",
    examples: [["Ranked by expected profit, and compared by the profit of each possible outcome."]]
  })
})
export type CampaignsSummary = typeof CampaignsSummary.Type

/** A campaign among many, with its rates as learned from the history of the request. */
export type CampaignWithLearnedRates = NamedAssumptions & Pick<Campaign, "learned">

/** The forecast of one campaign among many: the same as for the campaign alone, without its track record and test. */
export const campaignForecast = ({ name, ...assumptions }: CampaignWithLearnedRates): CampaignForecast => {
  const { test_first: _, track_record: __, ...forecast } = computeForecast(assumptions).forecast
  return { name: name ?? null, ...forecast }
}

/** The totals of many campaigns before they are compared, and their positions in the request, best first. */
export const Overview = Schema.Struct({
  totals: PortfolioTotals,
  track_record: CampaignsSummary.fields.track_record,
  by: Ranking.fields.by,
  positions: Schema.Array(Schema.Int),
  calculation_notes: CampaignsSummary.fields.calculation_notes
})
export type Overview = typeof Overview.Type

/**
 * The overview of campaigns from their contributions and the sums of their clients, one for each level that a history
 * leaves possible.
 */
export const overviewOf = (
  contributions: ReadonlyArray<Contribution>,
  columns: ReadonlyArray<Blocks>,
  record: TrackRecord | null
): Overview => {
  const totals = portfolioTotals(contributions, columns)
  const { by, positions } = orderOf(contributions)
  const sharesLevel = contributions.some(({ chancesOfNoClient }) => chancesOfNoClient.length > 1)
  const notes = portfolioNotes(totals, by, record, sharesLevel)
  return { totals, track_record: record, by, positions, calculation_notes: notes }
}

/** The summary of campaigns with these names, after each was compared with the next in the order of the overview. */
export const summaryOf = (
  names: ReadonlyArray<string | null>,
  { by, calculation_notes, positions, totals, track_record }: Overview,
  chances: ReadonlyArray<NeighbourChances>
): CampaignsSummary => {
  const order = positions.map((position) => names[position] ?? position)
  const neighbours = chances.map((each, index) => ({
    first: order[index] ?? 0,
    second: order[index + 1] ?? 0,
    ...each
  }))
  return { totals, track_record, ranking: { by, order, neighbours }, calculation_notes }
}

/** Totals and ranking of campaigns without a history. */
export const summarize = (campaigns: ReadonlyArray<NamedAssumptions>): CampaignsSummary => {
  const columns = levelsToSum(campaigns.length, false).map((level) => sumAtLevel(campaigns, level))
  const overview = overviewOf(
    campaigns.map((campaign) => contributionOf(campaign)),
    columns,
    null
  )
  const ranked = overview.positions.flatMap((position) => campaigns[position] ?? [])
  const chances = ranked.slice(1).flatMap((second, index) => {
    const first = ranked[index]
    return first === undefined ? [] : [compareNeighbours(overview.by, first, second)]
  })
  return summaryOf(
    campaigns.map(({ name }) => name ?? null),
    overview,
    chances
  )
}
