import { Schema } from "effect"
import { type Campaign, Learned, type RateName, rateNames, type StageName } from "../Campaign.ts"
import { type PastCampaign, talliesOf } from "../../campaign/PastCampaigns.ts"
import { countsOfRate } from "../../campaign/Rates.ts"
import { tolerance } from "./Counts.ts"
import { toDouble, whole } from "../Decimal.ts"
import { foldLevels } from "./Levels.ts"
import { type LearnedRate, learnRate } from "./LearnedRate.ts"
import { readCounts, stagesOf } from "./CampaignStages.ts"

const recorded = (description: string, example: number) => Schema.Int.annotate({ description, examples: [example] })

/** How often forecasts from a sender's other campaigns held. */
export const TrackRecord = Schema.Struct({
  campaigns: recorded("Past campaigns with replies, each forecast from the others at this request's rates.", 7),
  replies_within: recorded("The number of them that ended within their 80% range of replies.", 6),
  clients_of: recorded("The number of them with all counts.", 5),
  clients_within: recorded("The number of these that ended within their 80% range of clients.", 5)
}).annotate({
  identifier: "TrackRecord",
  description: "How often past campaigns ended within the 80% ranges forecast for them from the others.",
  examples: [{ campaigns: 7, replies_within: 6, clients_of: 5, clients_within: 5 }]
})
export type TrackRecord = typeof TrackRecord.Type

/** The fewest campaigns that say anything about how well they predict each other. */
const fewestCampaigns = 3

/** The rates of a campaign, learned from all past campaigns or from all but one. */
interface Lessons {
  readonly all: Learned
  readonly without: (index: number) => Learned
}

const planned = (campaign: Campaign, name: RateName): number => {
  const rate = campaign[name]
  return rate === undefined ? 0 : toDouble(rate) / 100
}

const lessonsOf = (campaign: Campaign, history: ReadonlyArray<PastCampaign>): Lessons => {
  const lessons = rateNames.flatMap((name) => {
    const tallies = talliesOf(campaign, name, history)
    if (tallies.length === 0) return []
    const places = new Map(tallies.map(({ place }, index) => [place, index]))
    return [{ name, places, rate: learnRate(planned(campaign, name), tallies) }]
  })
  const learned = (
    read: (rate: LearnedRate, places: ReadonlyMap<number, number>) => NonNullable<Learned[RateName]> | undefined
  ) => {
    const result: { -readonly [rate in RateName]?: NonNullable<Learned[RateName]> } = {}
    for (const { name, places, rate } of lessons) {
      const distribution = read(rate, places)
      if (distribution !== undefined) result[name] = distribution
    }
    return result
  }
  return {
    all: {
      ...learned(({ all }) => all),
      ...(lessons.length === 0 ? {} : { levels: lessons.map(({ rate }) => rate.levels).reduce(foldLevels) })
    },
    without: (index) =>
      learned((rate, places) => {
        const place = places.get(index)
        return place === undefined ? rate.all : rate.without(place)
      })
  }
}

/** True if a count is within the 80% range forecast for it. */
const isWithin = (campaign: Campaign, stage: StageName, count: number): boolean =>
  readCounts(stagesOf(campaign)[stage], toDouble(campaign.emails_sent), (counts) => {
    const above = counts.atLeast(count + 1)
    // P(count or more) is at least P(more than count): most campaigns need no second integral.
    return 1 - above >= 0.1 - tolerance && (1 - above < 0.9 - tolerance || 1 - counts.atLeast(count) < 0.9 - tolerance)
  })

/** Forecasts each past campaign from the others, at this campaign's rates; null if there are too few. */
const trackRecord = (
  campaign: Campaign,
  history: ReadonlyArray<PastCampaign>,
  lessons: Lessons
): TrackRecord | null => {
  const needed = rateNames.filter((name) => campaign[name] !== undefined)
  const withReplies = [...history.entries()].filter(([, { replies }]) => replies !== undefined)
  if (withReplies.length < fewestCampaigns) return null
  const record = { campaigns: withReplies.length, replies_within: 0, clients_of: 0, clients_within: 0 }
  for (const [index, past] of withReplies) {
    const { clients, emails_sent, replies } = past
    const forecast = { ...campaign, emails_sent: whole(emails_sent), learned: lessons.without(index) }
    if (replies !== undefined && isWithin(forecast, "replies", replies)) record.replies_within++
    if (clients === undefined || needed.some((name) => past[countsOfRate(campaign, name).successes] === undefined))
      continue
    record.clients_of++
    if (isWithin(forecast, "clients", clients)) record.clients_within++
  }
  return record
}

/** The rates learned from a history, and its track record. */
export const Learning = Schema.Struct({ learned: Learned, track_record: Schema.NullOr(TrackRecord) })
export type Learning = typeof Learning.Type

/** The rates of a campaign as learned from past campaigns, without the track record of `learn`. */
export const learnRates = (campaign: Campaign, history: ReadonlyArray<PastCampaign>): Learned =>
  lessonsOf(campaign, history).all

/**
 * Learns the rates of a campaign from the sender's past campaigns, and how well these predict each other. A rate that
 * none of them has the counts for is left out, as are rates of 0 and 100. Up to 100 campaigns take less than 100 ms.
 */
export const learn = (campaign: Campaign, history: ReadonlyArray<PastCampaign>): Learning => {
  const lessons = lessonsOf(campaign, history)
  return { learned: lessons.all, track_record: trackRecord(campaign, history, lessons) }
}

/** A campaign with the rates learned from its history, if it has one. */
export const withLearning = <C extends Campaign & { readonly history?: ReadonlyArray<PastCampaign> }>(
  campaign: C
): { readonly campaign: C; readonly track_record: TrackRecord | null } => {
  if (campaign.history === undefined) return { campaign, track_record: null }
  const { learned, track_record } = learn(campaign, campaign.history)
  return { campaign: { ...campaign, learned }, track_record }
}
