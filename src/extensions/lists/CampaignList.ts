import { hash } from "node:crypto"
import { Record, Result, Schema } from "effect"
import { canonicalText } from "../../campaign/canonicalText.ts"
import { csvLine } from "../../input/Csv.ts"
import type { Steps } from "../../workers/Steps.ts"
import { FieldError, type InvalidInput, type MalformedJson } from "../../input/InvalidInput.ts"
import { distinctRates, type ListedCampaign, CampaignsRequest } from "./Campaigns.ts"
import { readCampaignsCsv } from "./CampaignsCsv.ts"
import { readCampaignsJson } from "./CampaignsJson.ts"
import { learn, type Learning, learnRates } from "../../forecast/outlook/Learning.ts"
import { questionAboutPast } from "../../forecast/advice/History.ts"
import { rateNames } from "../../campaign/Rates.ts"
import type { PastCampaigns } from "../../campaign/PastCampaigns.ts"
import { levelsOf } from "../../forecast/outlook/Levels.ts"
import { type Contribution, contributionOf } from "./Portfolio.ts"
import { campaignForecast, summarizing } from "./CampaignForecast.ts"
import { firstCells, sheetCells, sheetHeader } from "./CampaignsSheet.ts"

/** JSON with one object, or CSV with a line for each campaign. */
export const CampaignsFormat = Schema.Literals(["json", "csv"])
export type CampaignsFormat = typeof CampaignsFormat.Type

/** A list of campaigns as received, and the format of its answer. */
export const ListRequest = Schema.Struct({
  text: Schema.String,
  type: CampaignsFormat,
  /** Errors in the request that its text does not have any more. */
  errors: Schema.optionalKey(Schema.Array(FieldError)),
  answer: CampaignsFormat
})
export type ListRequest = typeof ListRequest.Type

/** A list while it is computed. */
export const ListProgress = Schema.Struct({
  /** The number of its campaigns. */
  campaigns: Schema.Int,
  /** Equal for lists of the same campaigns in the same order with the same history. */
  fingerprint: Schema.String,
  /** The number of forecasts and of sets of rates that have been computed. */
  computed: Schema.Int
})
export type ListProgress = typeof ListProgress.Type

/** The answer to a list: CSV, or the members of a JSON object, each as JSON. A string takes threads the least time. */
export const ListAnswer = Schema.Union([
  Schema.Struct({ csv: Schema.String }),
  Schema.Struct({ members: Schema.Record(Schema.String, Schema.String) })
])
export type ListAnswer = typeof ListAnswer.Type

const encode = Schema.encodeSync(CampaignsRequest)

/** The question about the past campaigns of a list, at its first campaign's rates. */
const questionOf = (
  first: ListedCampaign | undefined,
  history: PastCampaigns | undefined,
  learning: Learning | undefined
): string | undefined =>
  first === undefined || history === undefined || learning === undefined
    ? undefined
    : questionAboutPast({ plan: { ...first, history, learned: learning.learned }, unlike: learning.unlike }, rateNames)

/**
 * Forecasts a list of campaigns, in steps: it is decoded, its history is learned once for each distinct set of rates,
 * each campaign is forecast, and all are summed up and compared. Fails with MalformedJson, or with InvalidInput, which
 * lists every error.
 */
export function* forecastList({
  answer,
  errors = [],
  text,
  type
}: ListRequest): Generator<ListProgress, Result.Result<ListAnswer, InvalidInput | MalformedJson>, void> {
  const read = type === "csv" ? readCampaignsCsv(text) : readCampaignsJson(text, errors)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const { campaigns, history, independent } = read.success
  const list = {
    campaigns: campaigns.length,
    fingerprint: hash("sha256", canonicalText(encode(read.success)), "base64url")
  }
  let computed = 0
  yield { ...list, computed }
  /** Takes the steps of a part as steps of the list. */
  const steps = function* <R>(part: Steps<void, R>): Generator<ListProgress, R, void> {
    let taken = part.next()
    for (; taken.done !== true; taken = part.next()) yield { ...list, computed }
    return taken.value
  }

  const { firsts, setOf } = distinctRates(campaigns)
  const learnings: Array<Learning> = []
  if (history !== undefined) {
    for (const campaign of firsts) {
      // Only the first campaign of a list gets a track record.
      learnings.push(
        learnings.length === 0
          ? yield* steps(learn(campaign, history))
          : { learned: yield* steps(learnRates(campaign, history)), track_record: null }
      )
      yield { ...list, computed: ++computed }
    }
  }

  const learned: Array<ListedCampaign> = []
  const contributions: Array<Contribution> = []
  const texts: Array<string> = []
  const sheets: Array<ReturnType<typeof sheetCells>> = []
  /** By the set of rates, and whether these vary. */
  const levelsOfSets = new Map<string, Contribution["levels"]>()
  for (const [index, campaign] of campaigns.entries()) {
    const set = setOf[index] ?? 0
    const learning = learnings[set]
    const withRates = learning === undefined ? campaign : { ...campaign, learned: learning.learned }
    const forecast = campaignForecast(withRates, campaigns.length === 1)
    learned.push(withRates)
    const levelsKey = `${set} ${campaign.spread}`
    const levels = levelsOfSets.has(levelsKey) ? levelsOfSets.get(levelsKey) : levelsOf(withRates)
    levelsOfSets.set(levelsKey, levels)
    contributions.push(contributionOf(withRates, forecast, levels))
    if (answer === "json") texts.push(JSON.stringify(forecast))
    else sheets.push(sheetCells(forecast))
    yield { ...list, computed: ++computed }
  }

  const summary = yield* steps(
    summarizing(learned, contributions, {
      independent,
      hasHistory: history !== undefined,
      question: questionOf(firsts[0], history, learnings[0]),
      track_record: learnings[0]?.track_record ?? null
    })
  )
  if (answer === "json") {
    const members = {
      forecasts: `[${texts.join(",")}]`,
      ...Record.map({ ...summary }, (member) => JSON.stringify(member))
    }
    return Result.succeed({ members })
  }
  const lines = firstCells(campaigns, summary.ranking).map((cells, index) =>
    csvLine([...cells, ...(sheets[index] ?? [])])
  )
  return Result.succeed({ csv: sheetHeader + lines.join("") })
}
