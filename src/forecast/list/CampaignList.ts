import { hash } from "node:crypto"
import { Result, Schema } from "effect"
import { csvLine } from "../../input/Csv.ts"
import { parseExactJson } from "../../input/ExactJson.ts"
import type { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { campaignForecast, type CampaignsSummary, type Overview, overviewOf } from "./CampaignForecast.ts"
import { decodeCampaign, type NamedAssumptions } from "../../campaign/Campaigns.ts"
import { readCampaignsCsv } from "../../campaign/CampaignsCsv.ts"
import { readCampaignsJson } from "../../campaign/CampaignsJson.ts"
import { rankCells, sheetCells, sheetHeader } from "./CampaignsSheet.ts"
import { canonicalCampaign } from "../CanonicalText.ts"
import type { Measure } from "../outlook/Comparison.ts"
import { Contribution, contributionOf, mostSummed } from "../outlook/Portfolio.ts"
import type { NeighbourChances } from "../outlook/PortfolioAnswer.ts"
import { compareNeighbours } from "../outlook/RankCampaigns.ts"

/**
 * The forecasts of many campaigns, step by step: each step takes texts and gives texts, so that another thread can do it,
 * and those for each campaign can be done for a few at a time.
 */

/** JSON with one object, or CSV with a line for each campaign. */
export const CampaignsFormat = Schema.Literals(["json", "csv"])
export type CampaignsFormat = typeof CampaignsFormat.Type

/** A list of campaigns that was read. */
export const CampaignList = Schema.Struct({
  /** The name of each campaign, null where it has none. */
  names: Schema.Array(Schema.NullOr(Schema.String)),
  /** The canonical text of each campaign. */
  campaigns: Schema.Array(Schema.String),
  /** The same for lists of the same campaigns in the same order. */
  fingerprint: Schema.String
})
export type CampaignList = typeof CampaignList.Type

/** The forecast of a campaign in a list, as text, and what the campaign contributes to the totals. */
export const ListedForecast = Schema.Struct({ text: Schema.String, contribution: Schema.String })
export type ListedForecast = typeof ListedForecast.Type

const ContributionText = Schema.fromJsonString(Schema.toCodecJson(Contribution))
const encodeContribution = Schema.encodeSync(ContributionText)
const decodeContribution = Schema.decodeSync(ContributionText)

const readers = { json: readCampaignsJson, csv: readCampaignsCsv } as const

/** Reads a body with campaigns. Fails with MalformedJson or InvalidInput, listing every error. */
export const readList = (
  text: string,
  format: CampaignsFormat
): Result.Result<CampaignList, InvalidInput | MalformedJson> =>
  Result.map(readers[format](text), (list) => {
    const campaigns = list.map(canonicalCampaign)
    return {
      names: list.map(({ name }) => name ?? null),
      campaigns,
      fingerprint: hash("sha256", campaigns.join("\n"), "base64url")
    }
  })

/** The campaign of a canonical text. */
const campaignOf = (text: string): NamedAssumptions =>
  Result.getOrThrow(Result.flatMap(parseExactJson(text), decodeCampaign))

/** Forecasts a campaign of a list. */
export const forecastListed = (text: string, format: CampaignsFormat): ListedForecast => {
  const campaign = campaignOf(text)
  const forecast = campaignForecast(campaign)
  return {
    text: format === "json" ? JSON.stringify(forecast) : csvLine(sheetCells(forecast)),
    contribution: encodeContribution(contributionOf(campaign))
  }
}

/** Sums up and ranks the campaigns of a list; takes the first 21 campaigns, or all. */
export const summarizeListed = (contributions: ReadonlyArray<string>, campaigns: ReadonlyArray<string>): Overview =>
  overviewOf(
    contributions.map((text) => decodeContribution(text)),
    campaigns.slice(0, mostSummed + 1).map(campaignOf)
  )

/** Compares two neighbours in the ranking of a list. */
export const compareListed = (by: Measure, first: string, second: string): NeighbourChances =>
  compareNeighbours(by, campaignOf(first), campaignOf(second))

/** The whole answer as JSON, open for the usage of the key, which stands last. */
export const jsonOf = (forecasts: ReadonlyArray<string>, summary: CampaignsSummary): string =>
  `{"forecasts":[${forecasts.join(",")}],${JSON.stringify(summary).slice(1, -1)}`

/** The whole answer as CSV. */
export const csvOf = (
  names: ReadonlyArray<string | null>,
  forecasts: ReadonlyArray<string>,
  { ranking }: CampaignsSummary
): string =>
  sheetHeader +
  rankCells(names, ranking)
    .map((rank, index) => `${csvLine(rank).trimEnd()},${forecasts[index] ?? ""}`)
    .join("")
