import { type Campaign, type Learned, type RateName, rateNames } from "../Campaign.ts"
import { type PastCampaign, talliesOf } from "../../campaign/PastCampaigns.ts"
import { countsOfRate } from "../../campaign/Rates.ts"
import { quantile } from "../counts/Counts.ts"
import { toDouble } from "../Decimal.ts"
import type { ForecastCount, TrackRecord } from "./Outlook.ts"
import { type LearnedRate, learnRate } from "./LearnedRate.ts"
import { countsOf, type Stage, stagesOf } from "./CampaignOutlook.ts"

/** The fewest campaigns that say anything about how well they predict each other. */
const fewestCampaigns = 3

/** The rates of a campaign, learned from all past campaigns or from all but one. */
interface Lessons {
  readonly all: Learned
  readonly without: (index: number) => Generator<void, Learned, void>
}

const planned = (campaign: Campaign, name: RateName): number => {
  const rate = campaign[name]
  return rate === undefined ? 0 : toDouble(rate) / 100
}

/** Learns in a step for each rate. */
function* lessonsOf(campaign: Campaign, history: ReadonlyArray<PastCampaign>): Generator<void, Lessons, void> {
  const lessons: Array<{ name: RateName; tallyOf: ReadonlyMap<number, number>; rate: LearnedRate }> = []
  const all: { -readonly [rate in RateName]?: NonNullable<Learned[RateName]> } = {}
  for (const name of rateNames) {
    const tallies = talliesOf(campaign, name, history)
    if (tallies.length === 0) continue
    const tallyOf = new Map(tallies.map(({ place }, index) => [place, index]))
    const rate = learnRate(planned(campaign, name), tallies)
    lessons.push({ name, tallyOf, rate })
    all[name] = { ...rate.all, levels: rate.levels }
    yield
  }
  return {
    all,
    *without(index) {
      const others: typeof all = {}
      for (const { name, tallyOf, rate } of lessons) {
        const tally = tallyOf.get(index)
        const distribution = tally === undefined ? rate.all : rate.without(tally)
        if (distribution !== undefined) others[name] = distribution
        yield
      }
      return others
    }
  }
}

/**
 * Forecasts results at a stage. The forecasts of a record hardly differ per email, so each range is searched from that of
 * the most emails so far.
 */
const forecaster = () => {
  let per: Pick<ForecastCount, "low" | "high"> | undefined
  let mostEmails = 0
  return (stage: Stage, emails: number, observed: number): ForecastCount => {
    const guess = (bound: "low" | "high") => (per === undefined ? undefined : per[bound] * emails)
    const counts = countsOf(stage, emails)
    const low = quantile(counts, 0.1, guess("low"))
    const high = quantile(counts, 0.9, guess("high"))
    if (emails >= mostEmails) {
      mostEmails = emails
      per = { low: low / emails, high: high / emails }
    }
    return { low, high, observed }
  }
}

/** True if the result was within the range. */
export const isWithin = ({ high, low, observed }: ForecastCount): boolean => low <= observed && observed <= high

/** The one past campaign with far more or far fewer replies than the others forecast for it. */
export interface UnlikeCampaign {
  /** The number of past campaigns, and the name of this one. */
  readonly campaigns: number
  readonly name: string | null
  readonly emails: number
  readonly replies: number
  /** The reply rate that the others teach, in percent. */
  readonly without: number
}

/** A result is unlike the others this many times beyond their range. */
const farBeyond = 3

/** True if a result is far beyond its range; one more on both sides, as 0 beside a range from 1 on is not far. */
const isFarBeyond = ({ high, low, observed }: ForecastCount): boolean =>
  observed + 1 > farBeyond * (high + 1) || farBeyond * (observed + 1) < low + 1

/** The predictions of past campaigns from each other; the record is null if there are too few. */
interface Comparison {
  readonly track_record: TrackRecord | null
  readonly unlike?: UnlikeCampaign | undefined
}

/** Forecasts each past campaign from the others, at this campaign's rates, in steps. */
function* compareCampaigns(
  campaign: Campaign,
  history: ReadonlyArray<PastCampaign>,
  lessons: Lessons
): Generator<void, Comparison, void> {
  const needed = rateNames.filter((name) => campaign[name] !== undefined)
  const replyCount = forecaster()
  const clientCount = forecaster()
  const each: Array<TrackRecord["each"][number]> = []
  const unlike: Array<Omit<UnlikeCampaign, "campaigns">> = []
  for (const [index, past] of history.entries()) {
    const { clients, emails_sent, name = null, replies } = past
    if (replies === undefined) continue
    const learned = yield* lessons.without(index)
    const stages = stagesOf({ ...campaign, learned })
    const hasAll = needed.every((rate) => past[countsOfRate(campaign, rate).successes] !== undefined)
    const forecast = replyCount(stages.replies, emails_sent, replies)
    const { reply_rate: others } = learned
    if (others !== undefined && isFarBeyond(forecast)) {
      const without = (100 * others.alpha) / (others.alpha + others.beta)
      unlike.push({ name, emails: emails_sent, replies, without })
    }
    each.push({
      name,
      replies: forecast,
      clients: clients === undefined || !hasAll ? null : clientCount(stages.clients, emails_sent, clients)
    })
  }
  if (each.length < fewestCampaigns) return { track_record: null }
  const withClients = each.flatMap(({ clients }) => clients ?? [])
  const [only, ...others] = unlike
  return {
    track_record: {
      campaigns: each.length,
      replies_within: each.filter(({ replies }) => isWithin(replies)).length,
      clients_of: withClients.length,
      clients_within: withClients.filter(isWithin).length,
      each
    },
    unlike: only === undefined || others.length > 0 ? undefined : { campaigns: each.length, ...only }
  }
}

/** The rates learned from a history, and its track record. */
export interface Learning extends Comparison {
  readonly learned: Learned
}

/** The rates of a campaign as learned from past campaigns, in steps. */
export function* learnRates(campaign: Campaign, history: ReadonlyArray<PastCampaign>): Generator<void, Learned, void> {
  return (yield* lessonsOf(campaign, history)).all
}

/**
 * Learns the rates of a campaign from the sender's past campaigns, and how well these predict each other. A rate that
 * none of them has the counts for is left out, as are rates of 0 and 100. Up to 100 campaigns take less than 150 ms, in
 * steps of milliseconds.
 */
export function* learn(campaign: Campaign, history: ReadonlyArray<PastCampaign>): Generator<void, Learning, void> {
  const lessons = yield* lessonsOf(campaign, history)
  return { learned: lessons.all, ...(yield* compareCampaigns(campaign, history, lessons)) }
}

/** A campaign with the rates learned from its history, if it has one, which it keeps; in steps. */
export function* withLearning<C extends Campaign>(
  campaign: C
): Generator<void, Comparison & { readonly campaign: C }, void> {
  if (campaign.history === undefined) return { campaign, track_record: null }
  const { learned, ...comparison } = yield* learn(campaign, campaign.history)
  return { campaign: { ...campaign, learned }, ...comparison }
}

/** A campaign with the rates learned from its history, which is left out; in steps. */
export function* withLearnedRates({ history, ...campaign }: Campaign): Generator<void, Campaign, void> {
  return history === undefined ? campaign : { ...campaign, learned: yield* learnRates(campaign, history) }
}
