import { Struct } from "effect"
import { type Decimal, compare, toDouble, whole, zero, roundToDouble, plus } from "../../forecast/Decimal.ts"
import {
  type Campaign,
  clientsToEarn,
  expectedAt,
  isLearned,
  type Level,
  moneyFigures,
  revenueFrom,
  type StageName,
  valueOfClient
} from "../../forecast/Campaign.ts"
import { chanceOfAtLeast, roundChance } from "../../forecast/counts/Counts.ts"
import { type Blocks, mixtureOf, sumOf } from "../../forecast/counts/CountBlocks.ts"
import { clientsByLevel, levelsOf, noClientByLevel } from "../../forecast/outlook/Levels.ts"
import type { PortfolioTotals } from "./PortfolioAnswer.ts"
import { moneyOf, rangeOf } from "../../forecast/outlook/CampaignOutlook.ts"
import { computeForecast } from "../../forecast/Forecast.ts"
import type { Spoken } from "../../forecast/Spoken.ts"
import { atLearnedRates } from "../../forecast/outlook/Posterior.ts"

/** The most campaigns whose clients are summed up as a range. */
export const maxSummed = 250

/** The most campaigns for which the chance that they break even together is computed. */
const maxToBreakEven = 20

/** More emails than these take too long to be exact in a sum of many campaigns. */
const manyEmails = whole(100_000)

/** The contribution of a campaign to totals and to a ranking. */
export interface Contribution {
  /** At its learned rates, which give its exact expectations. */
  readonly campaign: Campaign
  /** The levels that it shares with the other campaigns of its sender; undefined if none of its rates varies. */
  readonly levels: ReadonlyArray<Level> | undefined
  /** The chance of no client at each of these levels, or the only one. */
  readonly noClientByLevel: ReadonlyArray<number>
  /** The same if it shares nothing; undefined with a history, as its campaigns are one sender's. */
  readonly noClientAlone: number | undefined
  /** The fewest and the most clients by the exact rates. */
  readonly least: number
  readonly most: number
  /** Its own forecast. */
  readonly forecast: Spoken
}

const sum = (values: ReadonlyArray<Decimal>): Decimal => values.reduce((a, b) => plus(a, b), zero)

/** The sum over all campaigns; undefined if one of them lacks the value. */
const sumOfAll = (values: ReadonlyArray<Decimal | undefined>): Decimal | undefined =>
  values.every((each) => each !== undefined) ? sum(values) : undefined

/** Computes the contribution of a campaign to the totals and the ranking of many, from its forecast and its levels. */
export const contributionOf = (
  given: Campaign,
  forecast: Spoken = computeForecast(given, true).forecast,
  levels = levelsOf(given)
): Contribution => {
  const campaign = atLearnedRates(given)
  const [counts] = clientsByLevel(campaign, levels, 0)
  const { least = 0, most = 0 } = counts ?? {}
  const noClient = noClientByLevel(campaign, levels)
  const alone = levels === undefined || isLearned(given) ? noClient : noClientByLevel(campaign, undefined)
  return {
    campaign,
    levels,
    noClientByLevel: noClient,
    noClientAlone: alone.length === 1 ? alone[0] : undefined,
    least,
    most,
    forecast: Struct.pick(forecast, ["estimated_profit", "outlook", "recommendations", "risk_flags"])
  }
}

/**
 * The sums of the clients of all campaigns, in steps: at each level if they are one sender's, which share theirs, as
 * they are independent there. None if not needed.
 */
export function* clientsTogether(
  contributions: ReadonlyArray<Contribution>,
  isShared: boolean
): Generator<void, ReadonlyArray<Blocks>, void> {
  const sums: Array<Blocks> = []
  if (contributions.length === 1 || contributions.length > maxSummed) return sums
  const isQuick = contributions.length > maxToBreakEven
  const count = Math.max(...contributions.map(({ levels = [] }) => (isShared ? levels.length : 1)), 1)
  for (let level = 0; level < count; level++) {
    sums.push(
      sumOf(
        contributions.flatMap(({ campaign, levels }) =>
          clientsByLevel(
            campaign,
            isShared ? levels : undefined,
            level,
            isQuick && compare(campaign.emails_sent, manyEmails) > 0
          )
        )
      )
    )
    yield
  }
  return sums
}

/** The chance that no campaign brings a client: at each level the product. */
const chanceOfNoClient = (contributions: ReadonlyArray<Contribution>, isShared: boolean): number => {
  if (contributions.some(({ least }) => least > 0)) return 0
  const open = contributions.filter(({ most }) => most > 0)
  if (open.length === 0) return 1
  const chances = open.map(({ noClientAlone, noClientByLevel: byLevel }) =>
    isShared || noClientAlone === undefined ? byLevel : [noClientAlone]
  )
  const levels = Math.max(...chances.map(({ length }) => length))
  const products = Array.from({ length: levels }, (_, level) =>
    chances.reduce((product, each) => product * (each[level] ?? each[0] ?? 1), 1)
  )
  return roundChance(products.reduce((total, product) => total + product, 0) / levels)
}

/** The value of each client of any campaign; undefined if that differs, or a campaign does not say. */
const commonValue = (contributions: ReadonlyArray<Contribution>): Decimal | undefined => {
  const [first, ...others] = contributions.map(({ campaign }) => valueOfClient(campaign))
  return first !== undefined && others.every((each) => each !== undefined && compare(each, first) === 0)
    ? first
    : undefined
}

/** The expected number of people at a stage in all campaigns, to 4 decimals. */
const expectedTotal = (contributions: ReadonlyArray<Contribution>, stage: StageName): number =>
  roundToDouble(sum(contributions.map(({ campaign }) => expectedAt(campaign, stage))), 4)

/** The distribution of the clients of all campaigns together, as far as it is known. */
export const togetherOf = (
  contributions: ReadonlyArray<Contribution>,
  columns: ReadonlyArray<Blocks>,
  isShared: boolean
): Pick<PortfolioTotals, "clients" | "profit" | "chance_of_no_client" | "chance_to_break_even"> => {
  const dealValue = commonValue(contributions)
  const cost = sumOfAll(contributions.map(({ campaign }) => campaign.campaign_cost))
  const money = { average_deal_value: dealValue, campaign_cost: cost }
  const [only, second] = contributions
  if (only !== undefined && second === undefined) {
    const own = Struct.pick(only.forecast.outlook, ["clients", "chance_of_no_client", "chance_to_break_even"])
    return { ...own, profit: moneyOf(money, own.clients).profit }
  }
  const chance_of_no_client = chanceOfNoClient(contributions, isShared)
  if (contributions.length > maxSummed)
    return { clients: null, profit: null, chance_of_no_client, chance_to_break_even: null }
  const total = (read: (each: Contribution) => number) => contributions.reduce((before, each) => before + read(each), 0)
  const counts = mixtureOf(
    columns,
    total(({ least }) => least),
    total(({ most }) => most)
  )
  const clients = rangeOf(expectedTotal(contributions, "clients"), counts)
  return {
    clients,
    profit: moneyOf(money, clients).profit,
    chance_of_no_client,
    chance_to_break_even:
      dealValue === undefined || cost === undefined || contributions.length > maxToBreakEven
        ? null
        : chanceOfAtLeast(counts, clientsToEarn(cost, dealValue))
  }
}

/**
 * The totals of many campaigns: sums of exact expectations, and the chances of the whole. `columns` are the sums of
 * their clients at each level, which more than 250 campaigns do not have. A single campaign has the figures of its own
 * forecast.
 */
export const portfolioTotals = (
  contributions: ReadonlyArray<Contribution>,
  columns: ReadonlyArray<Blocks>,
  isShared: boolean
): Omit<PortfolioTotals, "summary"> => {
  const count = (stage: StageName) => expectedTotal(contributions, stage)
  const revenue = sumOfAll(contributions.map(({ campaign }) => revenueFrom(campaign, expectedAt(campaign, "clients"))))
  const cost = sumOfAll(contributions.map(({ campaign }) => campaign.campaign_cost))
  const money = moneyFigures(revenue, cost)
  return {
    campaigns: contributions.length,
    emails_sent: toDouble(sum(contributions.map(({ campaign }) => campaign.emails_sent))),
    estimated_replies: count("replies"),
    estimated_positive_replies: count("positive_replies"),
    estimated_meetings: count("meetings"),
    estimated_clients: count("clients"),
    estimated_revenue: money.revenue,
    campaign_cost: cost === undefined ? null : roundToDouble(cost, 2),
    estimated_profit: money.profit,
    roi_multiple: money.roi_multiple,
    ...togetherOf(contributions, columns, isShared)
  }
}
