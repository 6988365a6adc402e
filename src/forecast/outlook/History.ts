import { type Campaign, type Learned, type RateName, rateNames } from "./Campaign.ts"
import { tolerance } from "./Binomial.ts"
import { toDouble, whole } from "./Exact.ts"
import { type LearnedRate, learnRate, type Tally } from "./LearnedRate.ts"
import { readCounts } from "./StageCounts.ts"
import { type StageName, stagesOf } from "./Stages.ts"

/** The counts of a campaign that is over: whole numbers, none above the one before it. */
export interface PastCampaign {
  readonly emails_sent: number
  readonly delivered?: number
  readonly replies?: number
  readonly positive_replies?: number
  readonly meetings?: number
  readonly meetings_held?: number
  readonly clients?: number
}

type CountName = keyof PastCampaign

/** How well forecasts from a sender's other campaigns have held so far. */
export interface TrackRecord {
  readonly campaigns: number
  readonly replies_within: number
  readonly clients_of: number
  readonly clients_within: number
}

/** Fewer campaigns than this say nothing about how well others foretell them. */
const fewestCampaigns = 3

/** The counts that a rate of a campaign is the quotient of. */
const countsOfRate = (
  { delivery_rate, show_rate }: Campaign,
  name: RateName
): { readonly successes: CountName; readonly trials: CountName } => {
  switch (name) {
    case "delivery_rate":
      return { successes: "delivered", trials: "emails_sent" }
    case "reply_rate":
      return { successes: "replies", trials: delivery_rate === undefined ? "emails_sent" : "delivered" }
    case "positive_reply_rate":
      return { successes: "positive_replies", trials: "replies" }
    case "meeting_booking_rate":
      return { successes: "meetings", trials: "positive_replies" }
    case "show_rate":
      return { successes: "meetings_held", trials: "meetings" }
    case "close_rate":
      return { successes: "clients", trials: show_rate === undefined ? "meetings" : "meetings_held" }
  }
}

/** What past campaigns teach of the rates of a campaign: all of them, or all but one. */
interface Lessons {
  readonly all: Learned
  readonly without: (index: number) => Learned
}

/** A rate between 0 and 100 learns from the past campaigns that have its two counts, the second above 0. */
const lessonsOf = (campaign: Campaign, history: ReadonlyArray<PastCampaign>): Lessons => {
  const lessons = rateNames.flatMap((name) => {
    const rate = campaign[name]
    const plan = rate === undefined ? 0 : toDouble(rate) / 100
    if (plan <= 0 || plan >= 1) return []
    const { successes, trials } = countsOfRate(campaign, name)
    const tallies: Array<Tally> = []
    const places = new Map<number, number>()
    for (const [index, past] of history.entries()) {
      const passed = past[successes]
      const of = past[trials]
      if (passed === undefined || of === undefined || of === 0) continue
      places.set(index, tallies.length)
      tallies.push({ successes: passed, trials: of })
    }
    return tallies.length === 0 ? [] : [{ name, places, rate: learnRate(plan, tallies) }]
  })
  const learned = (
    read: (rate: LearnedRate, places: ReadonlyMap<number, number>) => LearnedRate["all"] | undefined
  ) => {
    const result: { -readonly [rate in RateName]?: LearnedRate["all"] } = {}
    for (const { name, places, rate } of lessons) {
      const distribution = read(rate, places)
      if (distribution !== undefined) result[name] = distribution
    }
    return result
  }
  return {
    all: learned(({ all }) => all),
    without: (index) =>
      learned((rate, places) => {
        const place = places.get(index)
        return place === undefined ? rate.all : rate.without(place)
      })
  }
}

/** True if a count lies within the 80% range that is forecast for it. */
const isWithin = (campaign: Campaign, stage: StageName, count: number): boolean =>
  readCounts(
    stagesOf(campaign)[stage],
    toDouble(campaign.emails_sent),
    (counts) => 1 - counts.atLeast(count + 1) >= 0.1 - tolerance && 1 - counts.atLeast(count) < 0.9 - tolerance
  )

/** Each past campaign is forecast from the others, at this campaign's rates; nothing where they are too few. */
const trackRecord = (
  campaign: Campaign,
  history: ReadonlyArray<PastCampaign>,
  lessons: Lessons
): TrackRecord | null => {
  const { evidence: _, ...plan } = campaign
  const needed = rateNames.filter((name) => campaign[name] !== undefined)
  const answered = [...history.entries()].filter(([, { replies }]) => replies !== undefined)
  if (answered.length < fewestCampaigns) return null
  const record = { campaigns: answered.length, replies_within: 0, clients_of: 0, clients_within: 0 }
  for (const [index, past] of answered) {
    const { clients, emails_sent, replies } = past
    const forecast = { ...plan, emails_sent: whole(emails_sent), learned: lessons.without(index) }
    if (replies !== undefined && isWithin(forecast, "replies", replies)) record.replies_within++
    if (clients === undefined || needed.some((name) => past[countsOfRate(campaign, name).successes] === undefined))
      continue
    record.clients_of++
    if (isWithin(forecast, "clients", clients)) record.clients_within++
  }
  return record
}

/**
 * What a sender's past campaigns teach of the rates of a campaign, and how well they foretell each other. A rate that
 * learns from none of them is left out, as are those of 0 and 100. Up to 100 campaigns take less than 100 ms.
 */
export const learn = (
  campaign: Campaign,
  history: ReadonlyArray<PastCampaign>
): { readonly learned: Learned; readonly track_record: TrackRecord | null } => {
  const lessons = lessonsOf(campaign, history)
  return { learned: lessons.all, track_record: trackRecord(campaign, history, lessons) }
}
