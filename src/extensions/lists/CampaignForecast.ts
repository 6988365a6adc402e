import { Schema, Struct } from "effect"
import { described } from "../../input/Schemas.ts"
import type { ListedCampaign } from "./Campaigns.ts"
import { computeForecast } from "../../forecast/Forecast.ts"
import { Forecast } from "../../forecast/ForecastAnswer.ts"
import { TrackRecord } from "../../forecast/outlook/Outlook.ts"
import { type Contribution, contributionOf, levelsToSum, portfolioTotals, sumAtLevel } from "./Portfolio.ts"
import { PortfolioTotals, Ranking } from "./PortfolioAnswer.ts"
import { portfolioNotes } from "./PortfolioNotes.ts"
import type { Blocks } from "../../forecast/counts/CountBlocks.ts"
import { compareCampaigns, type Contender, contender, orderOf } from "./CompareCampaigns.ts"
import { takeAllSteps } from "../../workers/Steps.ts"

/** The forecast of one campaign among many. */
export const CampaignForecast = Schema.Struct({
  name: described(Schema.NullOr(Schema.String), "The campaign's name in the request; null if it has none.", "Agencies"),
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
  calculation_notes: described(
    Schema.Array(Schema.String),
    "How the totals and the ranking were computed, why a figure is null, and what they assume.",
    ["Ranked by expected profit, and compared by the profit of each possible outcome."]
  )
})
export type CampaignsSummary = typeof CampaignsSummary.Type

/** The forecast of one campaign among many: the same as for the campaign alone, without its track record and test. */
export const campaignForecast = ({ name, ...assumptions }: ListedCampaign): CampaignForecast => {
  const { test_first: _, track_record: __, ...forecast } = computeForecast(assumptions).forecast
  return { name: name ?? null, ...forecast }
}

/** Sums up, ranks and compares campaigns, in steps, from their contributions and the track record of their history. */
export function* summarizing(
  campaigns: ReadonlyArray<ListedCampaign>,
  contributions: ReadonlyArray<Contribution>,
  track_record: TrackRecord | null
): Generator<void, CampaignsSummary, void> {
  const columns: Array<Blocks> = []
  const sharesLevel = contributions.some(({ chancesOfNoClient }) => chancesOfNoClient.length > 1)
  for (const level of levelsToSum(campaigns.length, sharesLevel)) {
    columns.push(sumAtLevel(campaigns, level))
    yield
  }
  const totals = portfolioTotals(contributions, columns)
  const { by, positions } = orderOf(contributions)
  const neighbours: Array<Ranking["neighbours"][number]> = []
  let before: { readonly name: string | number; readonly contender: Contender } | undefined
  const order: Array<string | number> = []
  for (const position of positions) {
    const campaign = campaigns[position]
    if (campaign === undefined) continue
    const { name = position } = campaign
    const own = { name, contender: contender(campaign, by) }
    if (before !== undefined) {
      neighbours.push({ first: before.name, second: name, ...compareCampaigns(before.contender, own.contender) })
    }
    order.push(name)
    before = own
    yield
  }
  return {
    totals,
    track_record,
    ranking: { by, order, neighbours },
    calculation_notes: portfolioNotes(totals, by, track_record, sharesLevel)
  }
}

/** Totals and ranking of campaigns without a history. */
export const summarize = (campaigns: ReadonlyArray<ListedCampaign>): CampaignsSummary => {
  const contributions = campaigns.map((campaign) => contributionOf(campaign))
  return takeAllSteps(summarizing(campaigns, contributions, null))
}
