import { Schema, Struct } from "effect"
import { described } from "../../input/Schemas.ts"
import type { ListedCampaign } from "./Campaigns.ts"
import { computeForecast } from "../../forecast/Forecast.ts"
import { Forecast } from "../../forecast/ForecastAnswer.ts"
import { TrackRecord } from "../../forecast/outlook/Outlook.ts"
import { clientsTogether, type Contribution, contributionOf, portfolioTotals, togetherOf } from "./Portfolio.ts"
import { PortfolioTotals, Ranking } from "./PortfolioAnswer.ts"
import { portfolioNotes } from "./PortfolioNotes.ts"
import { ofList } from "./spokenList.ts"
import type { Spoken } from "../../forecast/Spoken.ts"
import { compareCampaigns, type Contender, contender, orderOf } from "./CompareCampaigns.ts"
import { takeAllSteps } from "../../workers/Steps.ts"

/** The forecast of one campaign among many. */
export const CampaignForecast = Schema.Struct({
  name: described(Schema.NullOr(Schema.String), "The campaign's name in the request; null if it has none.", "Agencies"),
  ...Struct.omit(Forecast.fields, ["summary", "track_record", "test_first"])
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
    ["Ranked by average profit, and compared by the profit of each possible outcome."]
  )
})
export type CampaignsSummary = typeof CampaignsSummary.Type

/**
 * The forecast of one campaign among many: the same as for the campaign alone, without its track record and test, and
 * without advice to send more where it is not the only one: that is a question about all of them.
 */
export const campaignForecast = ({ name, ...assumptions }: ListedCampaign, isOnly = false): CampaignForecast => {
  const { summary: _, test_first: __, track_record: ___, ...forecast } = computeForecast(assumptions, !isOnly).forecast
  return { name: name ?? null, ...forecast }
}

/** Knowledge about the campaigns of a list besides each of them. */
interface ListKnowledge {
  /** True for the campaigns of different clients, which share nothing. */
  readonly independent?: boolean | undefined
  /** True if their rates were learned from one history. */
  readonly hasHistory?: boolean
  readonly track_record?: TrackRecord | null
  /** A question about the past campaigns. */
  readonly question?: string | undefined
}

/** Sums up, ranks and compares campaigns, in steps, from their contributions. */
export function* summarizing(
  campaigns: ReadonlyArray<ListedCampaign>,
  contributions: ReadonlyArray<Contribution>,
  { hasHistory = false, independent = false, question, track_record = null }: ListKnowledge
): Generator<void, CampaignsSummary, void> {
  const isShared = !independent
  const sums = portfolioTotals(contributions, yield* clientsTogether(contributions, isShared), isShared)
  const canShare = contributions.filter(({ levels }) => levels !== undefined).length > 1
  const otherwise =
    canShare && !hasHistory
      ? togetherOf(contributions, yield* clientsTogether(contributions, !isShared), !isShared)
      : undefined
  const { by, positions } = orderOf(contributions)
  const neighbours: Array<Ranking["neighbours"][number]> = []
  let before: { readonly name: string | number; readonly contender: Contender } | undefined
  const order: Array<string | number> = []
  const forecasts = new Map<string | number, Spoken>()
  for (const position of positions) {
    const contribution = contributions[position]
    if (contribution === undefined) continue
    const { campaign, forecast, levels } = contribution
    const name = campaigns[position]?.name ?? position
    const own = { name, contender: contender(campaign, by, isShared ? levels : undefined) }
    if (before !== undefined) {
      neighbours.push({ first: before.name, second: name, ...compareCampaigns(before.contender, own.contender) })
    }
    order.push(name)
    forecasts.set(name, forecast)
    before = own
    yield
  }
  const ranking = { by, order, neighbours }
  const totals = { summary: ofList(sums, ranking, forecasts), ...sums }
  return {
    totals,
    track_record,
    ranking,
    calculation_notes: portfolioNotes({ totals, by, question, track_record, independent, canShare, otherwise })
  }
}

/** Totals and ranking of campaigns without a history. */
export const summarize = (campaigns: ReadonlyArray<ListedCampaign>, independent = false): CampaignsSummary => {
  const contributions = campaigns.map((campaign) => contributionOf(campaign))
  return takeAllSteps(summarizing(campaigns, contributions, { independent }))
}
