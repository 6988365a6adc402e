import { Result, Schema } from "effect"
import { Overview } from "../forecast/list/CampaignForecast.ts"
import {
  CampaignList,
  CampaignsFormat,
  compareListed,
  forecastListed,
  learnListed,
  ListedCampaign,
  ListedForecast,
  readList,
  summarizeListed,
  summingListed
} from "../forecast/list/CampaignList.ts"
import { BlocksJson } from "../forecast/counts/CountBlocks.ts"
import { Learning } from "../forecast/outlook/Learning.ts"
import { NeighbourChances, Ranking } from "../forecast/list/PortfolioAnswer.ts"
import { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { computation } from "../workers/Computation.ts"

/** Computes the first items: at least one, and no more after `millis`. */
const computeFor = <A, B>(millis: number, items: ReadonlyArray<A>, compute: (item: A) => B): ReadonlyArray<B> => {
  const end = performance.now() + millis
  const computed: Array<B> = []
  for (const item of items) {
    computed.push(compute(item))
    if (performance.now() > end) break
  }
  return computed
}

export const listReading = computation(
  "read a list",
  {
    input: Schema.Struct({ text: Schema.String, format: CampaignsFormat }),
    success: CampaignList,
    error: Schema.Union([InvalidInput, MalformedJson])
  },
  ({ format, text }) => readList(text, format)
)

export const listLearning = computation(
  "learn rates of listed campaigns",
  {
    input: Schema.Struct({
      history: Schema.String,
      campaigns: Schema.Array(Schema.Struct({ text: Schema.String, isFirst: Schema.Boolean }))
    }),
    success: Schema.Array(Learning)
  },
  ({ campaigns, history }, turn) =>
    Result.succeed(computeFor(turn, campaigns, ({ isFirst, text }) => learnListed(history, text, isFirst)))
)

export const listForecasting = computation(
  "forecast listed campaigns",
  {
    input: Schema.Struct({ campaigns: Schema.Array(ListedCampaign), format: CampaignsFormat }),
    success: Schema.Array(ListedForecast)
  },
  ({ campaigns, format }, turn) =>
    Result.succeed(computeFor(turn, campaigns, (campaign) => forecastListed(campaign, format)))
)

/** Sums up the clients of listed campaigns at some levels. */
export const listSum = computation(
  "sum up listed campaigns",
  {
    input: Schema.Struct({ campaigns: Schema.Array(ListedCampaign), levels: Schema.Array(Schema.Int) }),
    success: Schema.Array(BlocksJson)
  },
  ({ campaigns, levels }, turn) => Result.succeed(computeFor(turn, levels, summingListed(campaigns)))
)

export const listSummary = computation(
  "summarize listed campaigns",
  {
    input: Schema.Struct({
      contributions: Schema.Array(Schema.String),
      columns: Schema.Array(BlocksJson),
      record: Learning.fields.track_record
    }),
    success: Overview
  },
  ({ columns, contributions, record }) => Result.succeed(summarizeListed(contributions, columns, record))
)

export const listComparison = computation(
  "compare listed campaigns",
  {
    input: Schema.Struct({
      by: Ranking.fields.by,
      pairs: Schema.Array(Schema.Tuple([ListedCampaign, ListedCampaign]))
    }),
    success: Schema.Array(NeighbourChances)
  },
  ({ by, pairs }, turn) =>
    Result.succeed(computeFor(turn, pairs, ([first, second]) => compareListed(by, first, second)))
)
