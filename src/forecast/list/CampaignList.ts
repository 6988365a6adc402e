import { hash } from "node:crypto"
import { Result, Schema } from "effect"
import { csvLine } from "../../input/Csv.ts"
import type { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import {
  campaignForecast,
  type CampaignsSummary,
  type Overview,
  overviewOf,
  type CampaignWithLearnedRates
} from "./CampaignForecast.ts"
import { decodeCampaign, distinctRates, type ReadCampaigns } from "./Campaigns.ts"
import { readCampaignsCsv } from "./CampaignsCsv.ts"
import { decodeList, readCampaignsJson } from "./CampaignsJson.ts"
import { PastCampaigns } from "../../campaign/PastCampaigns.ts"
import { firstCells, sheetCells, sheetHeader } from "./CampaignsSheet.ts"
import { canonicalCampaign, canonicalHistory } from "../CanonicalText.ts"
import { compareNeighbours, type Measure } from "./CompareCampaigns.ts"
import { Learned } from "../Campaign.ts"
import { learn, type Learning, learnRates, type TrackRecord } from "../outlook/Learning.ts"
import type { Blocks, BlocksJson } from "../counts/CountBlocks.ts"
import { Contribution, contributionOf, sumAtLevel } from "./Portfolio.ts"
import type { NeighbourChances } from "./PortfolioAnswer.ts"

/**
 * The forecasts of many campaigns, step by step: each step takes and returns text, so that another thread can run it,
 * and so that steps for each campaign can run a few at a time.
 */

/** JSON with one object, or CSV with a line for each campaign. */
export const CampaignsFormat = Schema.Literals(["json", "csv"])
export type CampaignsFormat = typeof CampaignsFormat.Type

/** The inputs for learning from the history of a list, once for each distinct set of rates. */
const Lessons = Schema.Struct({
  /** The canonical text of the history. */
  history: Schema.String,
  /** For each set of rates, the canonical text of the first campaign with it. */
  campaigns: Schema.Array(Schema.String),
  /** For each campaign of the list, the index of its set of rates. */
  places: Schema.Array(Schema.Int)
})

/** A decoded list of campaigns. */
export const CampaignList = Schema.Struct({
  /** The name of each campaign, or null. */
  names: Schema.Array(Schema.NullOr(Schema.String)),
  /** The canonical text of each campaign. */
  campaigns: Schema.Array(Schema.String),
  lessons: Schema.optionalKey(Lessons),
  /** Equal for lists of the same campaigns in the same order with the same history. */
  fingerprint: Schema.String
})
export type CampaignList = typeof CampaignList.Type

/** The canonical text of a campaign in a list, and its rates as learned from the history of the list. */
export const ListedCampaign = Schema.Struct({ text: Schema.String, learned: Schema.optionalKey(Learned) })
export type ListedCampaign = typeof ListedCampaign.Type

/** The forecast of a campaign in a list, as text, and its contribution to the totals. */
export const ListedForecast = Schema.Struct({ text: Schema.String, contribution: Schema.String })
export type ListedForecast = typeof ListedForecast.Type

const ContributionText = Schema.fromJsonString(Schema.toCodecJson(Contribution))
const encodeContribution = Schema.encodeSync(ContributionText)
const decodeContribution = Schema.decodeSync(ContributionText)

const readers = { json: readCampaignsJson, csv: readCampaignsCsv } as const

const listOf = ({ campaigns: list, history }: ReadCampaigns): CampaignList => {
  const campaigns = list.map(canonicalCampaign)
  const { firsts, places } = distinctRates(list)
  const past = history === undefined ? [] : [canonicalHistory(history)]
  return {
    names: list.map(({ name }) => name ?? null),
    campaigns,
    ...Object.fromEntries(
      past.map((history) => ["lessons", { history, campaigns: firsts.map(canonicalCampaign), places }])
    ),
    fingerprint: hash("sha256", [...campaigns, ...past].join("\n"), "base64url")
  }
}

/** Reads a body with campaigns. Fails with MalformedJson, or with InvalidInput, which lists every error. */
export const readList = (
  text: string,
  format: CampaignsFormat
): Result.Result<CampaignList, InvalidInput | MalformedJson> => Result.map(readers[format](text), listOf)

/** As `readList`, from parsed JSON. */
export const listFrom = (json: unknown): Result.Result<CampaignList, InvalidInput> =>
  Result.map(decodeList(json), listOf)

const campaignOf = ({ learned, text }: ListedCampaign): CampaignWithLearnedRates => ({
  ...Result.getOrThrow(decodeCampaign(JSON.parse(text))),
  ...(learned === undefined ? {} : { learned })
})

const decodeHistory = Schema.decodeSync(Schema.fromJsonString(PastCampaigns))

/** Learns the rates of a campaign from the history of its list; only the first campaign of a list gets a track record. */
export const learnListed = (history: string, text: string, isFirst: boolean): Learning => {
  const campaign = campaignOf({ text })
  const past = decodeHistory(history)
  return isFirst ? learn(campaign, past) : { learned: learnRates(campaign, past), track_record: null }
}

/** Forecasts a campaign of a list. */
export const forecastListed = (listed: ListedCampaign, format: CampaignsFormat): ListedForecast => {
  const campaign = campaignOf(listed)
  const forecast = campaignForecast(campaign)
  return {
    text: format === "json" ? JSON.stringify(forecast) : csvLine(sheetCells(forecast)),
    contribution: encodeContribution(contributionOf(campaign, forecast.outlook))
  }
}

/** Prepares to sum up the clients of all campaigns of a list, level by level. */
export const summingListed = (
  campaigns: ReadonlyArray<ListedCampaign>
): ((level: number) => typeof BlocksJson.Type) => {
  const decoded = campaigns.map(campaignOf)
  return (level) => {
    const { sums, ...blocks } = sumAtLevel(decoded, level)
    return { ...blocks, sums: [...sums] }
  }
}

/** Sums up and ranks the campaigns of a list, from the sums of their clients at each level. */
export const summarizeListed = (
  contributions: ReadonlyArray<string>,
  columns: ReadonlyArray<typeof BlocksJson.Type>,
  record: TrackRecord | null
): Overview =>
  overviewOf(
    contributions.map((text) => decodeContribution(text)),
    columns.map(({ sums, ...blocks }): Blocks => ({ ...blocks, sums: Float64Array.from(sums) })),
    record
  )

/** Compares two neighbours in the ranking of a list. */
export const compareListed = (by: Measure, first: ListedCampaign, second: ListedCampaign): NeighbourChances =>
  compareNeighbours(by, campaignOf(first), campaignOf(second))

/** The whole response as JSON without its closing brace, so that the usage of the key can be appended. */
export const jsonOf = (forecasts: ReadonlyArray<string>, summary: CampaignsSummary): string =>
  `{"forecasts":[${forecasts.join(",")}],${JSON.stringify(summary).slice(1, -1)}`

/** The whole response as CSV. */
export const csvOf = (
  { campaigns, names }: Pick<CampaignList, "campaigns" | "names">,
  forecasts: ReadonlyArray<string>,
  { ranking }: CampaignsSummary
): string =>
  sheetHeader +
  firstCells(names, campaigns, ranking)
    .map((cells, index) => `${csvLine(cells).replace(/\r\n$/, "")},${forecasts[index] ?? ""}`)
    .join("")
