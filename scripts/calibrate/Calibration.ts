import { BigDecimal } from "effect"
import type { PastCampaign } from "../../src/campaign/PastCampaigns.ts"
import { binomial, smallestReaching } from "../../src/forecast/counts/Counts.ts"
import type { Campaign } from "../../src/forecast/Campaign.ts"
import { outlook } from "../../src/forecast/outlook/CampaignOutlook.ts"
import { learnRates } from "../../src/forecast/outlook/Learning.ts"
import { atLearnedRates } from "../../src/forecast/outlook/Posterior.ts"
import type { Outlook } from "../../src/forecast/outlook/Outlook.ts"
import { testFirst } from "../../src/forecast/outlook/TestFirst.ts"
import type { TestFirst } from "../../src/forecast/outlook/Outlook.ts"
import { takeAllSteps } from "../../src/workers/Steps.ts"
import type { Table } from "../docTables/Page.ts"
import { seeded } from "../../test/support/Seeded.ts"

const emailsForecast = 5000
const emailsOfPast = 5000

/** The planned rates, in percent, which are also the means of the true rates, but for a reply rate planned too high. */
const planned = { reply_rate: 5, positive_reply_rate: 30, meeting_booking_rate: 20, close_rate: 25 } as const
type Rate = keyof typeof planned
type Truth = { readonly [rate in Rate]: number }

const rates = ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const
const stages = ["replies", "positive_replies", "meetings", "clients"] as const

/** The information besides the plan: none, or this many past campaigns. */
const knowledge = ["nothing", 1, 3, 8, 20] as const

/** A row of the tables in docs/certainty.md: how campaigns differ, and what the forecast knows. */
export interface Row {
  /** The variation of each rate between campaigns: its standard deviation divided by its mean. */
  readonly variation: number
  /** The planned reply rate as a multiple of the mean of the true ones. */
  readonly excess: number
  readonly known: (typeof knowledge)[number]
}

/** Plans that are right on average, and at about the published variation two that are too high. */
export const rows: ReadonlyArray<Row> = [
  { variation: 0, excess: 1 },
  { variation: 0.3, excess: 1 },
  { variation: 0.6, excess: 1 },
  { variation: 0.6, excess: 2 },
  { variation: 0.6, excess: 3 }
].flatMap((row) => knowledge.map((known) => ({ ...row, known })))

/** Random draws from a seed. */
export const drawing = (seed: number) => {
  const random = seeded(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  /** A draw from the gamma distribution, for a shape of 1 or more (Marsaglia and Tsang, 2000). */
  const gamma = (shape: number): number => {
    const d = shape - 1 / 3
    for (;;) {
      const x = normal()
      const v = (1 + x / Math.sqrt(9 * d)) ** 3
      if (v > 0 && Math.log(1 - random()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v
    }
  }
  /** A draw from the beta distribution with this mean and variation. */
  const share = (mean: number, variation: number): number => {
    if (variation === 0) return mean
    const cases = (1 - mean) / mean / variation ** 2 - 1
    const successes = gamma(cases * mean)
    return successes / (successes + gamma(cases * (1 - mean)))
  }
  const truth = (variation: number, excess: number): Truth => ({
    reply_rate: share(planned.reply_rate / 100 / excess, variation),
    positive_reply_rate: share(planned.positive_reply_rate / 100, variation),
    meeting_booking_rate: share(planned.meeting_booking_rate / 100, variation),
    close_rate: share(planned.close_rate / 100, variation)
  })
  const count = (trials: number, p: number): number =>
    trials === 0 ? 0 : smallestReaching(binomial(trials, p, 1 - p), random())
  /** The number of people who reach each stage, out of those at the previous stage. */
  const send = (emails: number, rate: Truth) => {
    let trials = emails
    return rates.map((name) => {
      const outOf = trials
      trials = count(outOf, rate[name])
      return { name, observed: trials, outOf }
    })
  }
  /** A draw from the beta distribution with both parameters at least 1. */
  const rate = (alpha: number, beta: number): number => {
    const successes = gamma(alpha)
    return successes / (successes + gamma(beta))
  }
  return { count, rate, send, share, truth }
}

type Result = ReturnType<ReturnType<typeof drawing>["send"]>

const decimal = (value: number) => BigDecimal.fromNumberUnsafe(value)

const plan: Campaign = {
  emails_sent: decimal(emailsForecast),
  reply_rate: decimal(planned.reply_rate),
  positive_reply_rate: decimal(planned.positive_reply_rate),
  meeting_booking_rate: decimal(planned.meeting_booking_rate),
  close_rate: decimal(planned.close_rate)
}

const pastOf = (result: Result): PastCampaign => {
  const [replies, positive, meetings, clients] = result.map(({ observed }) => observed)
  return {
    emails_sent: emailsOfPast,
    replies: replies ?? 0,
    positive_replies: positive ?? 0,
    meetings: meetings ?? 0,
    clients: clients ?? 0
  }
}

/** For each stage, 1 if the count lies between low and high, otherwise 0. */
const held = (forecast: Outlook, result: Result): ReadonlyArray<number> =>
  stages.map((stage, index) => {
    const count = result[index]?.observed ?? 0
    return count >= forecast[stage].low && count <= forecast[stage].high ? 1 : 0
  })

/** The shares of simulated campaigns that ended within their 80% ranges. */
export interface Calibration {
  /** By stage, as forecast. */
  readonly held: ReadonlyArray<number>
  /** The mean chance that the forecasts gave to their ranges of clients. */
  readonly promised: number
  /** By stage, with each rate exactly as expected: from the binomial distribution alone. */
  readonly byChanceAlone: ReadonlyArray<number>
}

/**
 * Simulates campaigns, each with true rates of its own, and counts how many end within the ranges that were forecast
 * without knowing these. The planned reply rate is `excess` times what campaigns get on average. A seed always gives
 * the same result.
 */
export const calibrate = ({ excess, known, variation }: Row, campaigns: number, seed: number): Calibration => {
  const { send, truth } = drawing(seed)
  const withNothing = { told: outlook(plan), alone: outlook({ ...plan, spread: "none" }) }
  const forecasts = () => {
    if (known === "nothing") return withNothing
    const past = Array.from({ length: known }, () => pastOf(send(emailsOfPast, truth(variation, excess))))
    const campaign = atLearnedRates({ ...plan, learned: takeAllSteps(learnRates(plan, past)) })
    const { learned: _, ...exact } = campaign
    return { told: outlook(campaign), alone: outlook({ ...exact, spread: "none" }) }
  }
  const sums = stages.map(() => 0)
  const alone = stages.map(() => 0)
  let promised = 0
  for (let campaign = 0; campaign < campaigns; campaign++) {
    const rate = truth(variation, excess)
    const forecast = forecasts()
    const result = send(emailsForecast, rate)
    for (const [index, hit] of held(forecast.told, result).entries()) sums[index] = (sums[index] ?? 0) + hit
    for (const [index, hit] of held(forecast.alone, result).entries()) alone[index] = (alone[index] ?? 0) + hit
    promised += forecast.told.clients.chance_within
  }
  const share = (sum: number) => sum / campaigns
  return { held: sums.map(share), promised: share(promised), byChanceAlone: alone.map(share) }
}

const percent = (share: number) => `${Math.round(share * 100)}%`

/** The cells of a row. */
export const rowOf = ({ excess, known, variation }: Row, calibration: Calibration): ReadonlyArray<string> => [
  `${percent(variation)}${excess === 1 ? "" : `, ${excess}× too high`}`,
  known === "nothing" ? known : `${known} past`,
  ...calibration.held.map(percent),
  percent(calibration.promised),
  percent(calibration.byChanceAlone[0] ?? 0),
  percent(calibration.byChanceAlone[3] ?? 0)
]

const head: ReadonlyArray<string> = [
  "rates differ by",
  "known",
  ...stages.map((stage) => stage.replace("_", " ")),
  "clients, promised",
  "replies, chance alone",
  "clients, chance alone"
]

const isWithoutPast = ([, known]: ReadonlyArray<string>) => known === "nothing"

/** The tables of docs/certainty.md: the rows without past campaigns, which need no column for it, and those with some. */
export const tablesOf = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Table> => [
  [["true rates differ by", ...head.slice(2)], ...rows.filter(isWithoutPast).map((cells) => cells.toSpliced(1, 1))],
  [head, ...rows.filter((cells) => !isWithoutPast(cells))]
]

/** The ways to choose a list after a test: the most replies, or the most points, two for a positive reply. */
export const waysToChoose = ["replies", "points"] as const

/** The shape of the variation of positive shares between lists, about that of reply rates: none is published. */
const shapeOfPositive = 2.15

/** The replies of campaigns that test lists first, and the positive ones, divided by those without a test. */
interface Gain {
  readonly replies: number
  readonly positive: number
}

/**
 * Simulates campaigns that test some lists first, and returns what each way to choose one gains. The reply rates of
 * lists vary as published, and their positive shares if `sharesVary`, independently of these.
 */
export const testLists = (
  { emails_each: emailsEach, lists }: { readonly emails_each: number; readonly lists: number },
  { campaigns, seed, sharesVary }: { readonly campaigns: number; readonly seed: number; readonly sharesVary: boolean }
): { readonly [way in (typeof waysToChoose)[number]]: Gain } => {
  const { count, rate } = drawing(seed)
  const varying = (percent: number, shape: number) => rate(shape, (shape * (100 - percent)) / percent)
  const left = emailsForecast - lists * emailsEach
  const expected = (emailsForecast * planned.reply_rate) / 100
  const expectedPositive = (expected * planned.positive_reply_rate) / 100
  const gains = { replies: { replies: 0, positive: 0 }, points: { replies: 0, positive: 0 } }
  for (let campaign = 0; campaign < campaigns; campaign++) {
    const tested = Array.from({ length: lists }, () => {
      const share = varying(planned.reply_rate, 2.3)
      const positiveShare = sharesVary
        ? varying(planned.positive_reply_rate, shapeOfPositive)
        : planned.positive_reply_rate / 100
      const replies = count(emailsEach, share)
      const positive = count(replies, positiveShare)
      return { share, positiveShare, replies, positive, points: replies + positive }
    })
    const inTest = tested.reduce((sum, { replies }) => sum + replies, 0)
    const positiveInTest = tested.reduce((sum, { positive }) => sum + positive, 0)
    for (const way of waysToChoose) {
      const best = tested.reduce((a, b) => (b[way] > a[way] ? b : a))
      gains[way].replies += (inTest + left * best.share) / expected / campaigns
      gains[way].positive += (positiveInTest + left * best.share * best.positiveShare) / expectedPositive / campaigns
    }
  }
  return gains
}

/** The tests that a forecast of the planned campaign tells of. */
export const promisedTests = (): NonNullable<TestFirst> => testFirst(plan) ?? []

/** The number of campaigns simulated for each row of the tables in docs/certainty.md, and the seed. */
export const documented = { campaigns: 1000, seed: 1 } as const
