import type { Assumptions } from "../campaign/Assumptions.ts"
import { eachRate, greatestRate, type PerRate, type RateName, rateNames, requiredRates } from "../campaign/Rates.ts"
import { fields, membersOf } from "../campaign/Fields.ts"
import {
  type Decimal,
  minus,
  percentOf,
  times,
  hundred,
  quotientToDouble,
  quotientUp,
  quotientUpVisibly,
  roundDown,
  type Rounded,
  roundToDouble,
  toDouble,
  zero,
  isZero
} from "./Decimal.ts"

export { eachRate, type PerRate, type RateName, rateNames } from "../campaign/Rates.ts"

/** A campaign to forecast, with the rates learned from past campaigns. A missing rate lets everyone pass. */
export interface Campaign extends Assumptions {
  readonly learned?: Learned
}

/** True if any rate of the campaign was learned from past campaigns. */
export const isLearned = (campaign: Campaign): boolean =>
  campaign.learned !== undefined &&
  rateNames.some((rate) => campaign[rate] !== undefined && campaign.learned?.[rate] !== undefined)

/** The number of possible levels of a rate; all have the same chance. */
export const levelCount = 32

/** A level of a share: the mean of the share there, and the mean of its square. */
export interface Level {
  readonly mean: number
  readonly square: number
}

/**
 * A learned Beta distribution; `shape` is the geometric mean of the learned variation between campaigns, and `levels`
 * what the history leaves unknown of the mean, which is the same for all campaigns of the sender.
 */
interface LearnedBeta {
  readonly alpha: number
  readonly beta: number
  readonly shape?: number
  readonly levels?: ReadonlyArray<Level>
}

/** The Beta distributions of rates that were learned from past campaigns. */
export interface Learned extends Partial<PerRate<LearnedBeta>> {}

/** The stages in an outlook: those after the rates that every campaign has. */
export const stageNames = requiredRates.map((rate) => fields[rate].passed.name)
export type StageName = (typeof stageNames)[number]

/** The rates that an email passes on its way to a stage, in their order; a campaign may lack some. */
const ratesUpTo = membersOf(stageNames, (stage) =>
  rateNames.slice(0, rateNames.findIndex((rate) => fields[rate].passed.name === stage) + 1)
)

/** The amounts of a campaign. */
export interface Money {
  readonly average_deal_value?: Decimal | undefined
  readonly campaign_cost?: Decimal | undefined
}

/** The value of each client, in the caller's currency; undefined if a request does not say. */
export const valueOfClient = (campaign: Pick<Money, "average_deal_value">): Decimal | undefined =>
  campaign.average_deal_value

/** The revenue that a number of clients brings; undefined if a request does not say what each brings. */
export const revenueFrom = (campaign: Pick<Money, "average_deal_value">, clients: Decimal) => {
  const value = valueOfClient(campaign)
  return value === undefined ? undefined : times(clients, value)
}

/** The exact stages of a campaign: counts of emails and people, and revenue in the caller's currency. */
export interface Funnel {
  /** The number that passes each rate of the campaign: replies, booked meetings, clients and so on. */
  readonly passed: PerRate<Decimal>
  readonly replies: Decimal
  readonly meetings: Decimal
  readonly clients: Decimal
  /** Undefined without a deal value. */
  readonly revenue: Decimal | undefined
}

/** Computes each stage exactly from the stage before it; nothing is rounded here. */
export const funnel = (campaign: Campaign): Funnel => {
  let count: Decimal = campaign.emails_sent
  const passed = eachRate(campaign, (rate) => (count = percentOf(count, rate)))
  const { close_rate: clients, meeting_booking_rate: meetings, reply_rate: replies } = passed
  return { passed, replies, meetings, clients, revenue: revenueFrom(campaign, clients) }
}

/** Rates of a campaign with other values. */
export type Change = { readonly [rate in RateName]?: Decimal }

const noChange: Change = {}

/** The exact expected number of people at a stage, at the campaign's own rates or at changed ones. */
export const expectedAt = (campaign: Campaign, stage: StageName, change = noChange): Decimal => {
  let product: Decimal = campaign.emails_sent
  let percents = 0
  for (const name of ratesUpTo[stage]) {
    const rate = change[name] ?? campaign[name]
    if (rate === undefined) continue
    product = times(product, rate)
    percents += 2
  }
  return { value: product.value, scale: product.scale + percents }
}

/** The rates of a campaign that lead to a stage. */
export const givenRates = (campaign: Campaign, stage: StageName): ReadonlyArray<RateName> =>
  ratesUpTo[stage].filter((name) => campaign[name] !== undefined)

/** Exact revenue less cost; undefined without a deal value or a cost. */
export const expectedProfit = (campaign: Campaign): Decimal | undefined => {
  const { campaign_cost: cost } = campaign
  const revenue = revenueFrom(campaign, expectedAt(campaign, "clients"))
  return revenue === undefined || cost === undefined ? undefined : minus(revenue, cost)
}

/**
 * Revenue and profit to 2 decimals, and revenue over cost to 1 decimal, from exact amounts: null without a deal value,
 * which leaves the revenue unknown, or without a cost; the ROI also for a cost of 0.
 */
export const moneyFigures = (revenue: Decimal | undefined, cost: Decimal | undefined) => ({
  revenue: revenue === undefined ? null : roundToDouble(revenue, 2),
  profit: revenue === undefined || cost === undefined ? null : roundToDouble(minus(revenue, cost), 2),
  roi_multiple: revenue === undefined || cost === undefined || isZero(cost) ? null : quotientToDouble(revenue, cost, 1)
})

/** Profit as a percentage of the cost, to 1 decimal; null where there is no ROI. */
export const roiPercent = (revenue: Decimal | undefined, cost: Decimal | undefined): number | null =>
  revenue === undefined || cost === undefined || isZero(cost)
    ? null
    : quotientToDouble(times(minus(revenue, cost), hundred), cost, 1)

/** A value for the answer, or null if JSON has no number for it. */
const finite = (rounded: Rounded): number | null => {
  const value = toDouble(rounded)
  return Number.isFinite(value) ? value : null
}

/** `amount / each` rounded up: the sufficient number of units if each brings `each`. Null if no number is enough. */
const enough = (amount: Decimal, each: Decimal, decimals: number): number | null => {
  if (isZero(amount)) return 0
  return isZero(each) ? null : finite(quotientUp(amount, each, decimals))
}

/** The same for a rate in percent, of which two digits are shown. */
const enoughPercent = (amount: Decimal, each: Decimal): number | null => {
  if (isZero(amount)) return 0
  return isZero(each) ? null : finite(quotientUpVisibly(amount, each))
}

/** The lowest sufficient rate. Revenue is in proportion to it; for a rate of 0, the other rates say how steeply. */
const enoughRate = (campaign: Campaign, cost: Decimal, revenue: Decimal, name: RateName) => {
  const rate = campaign[name]
  const isNothing = rate === undefined || isZero(rate)
  const atHundred = isNothing ? revenueFrom(campaign, expectedAt(campaign, "clients", { [name]: hundred })) : undefined
  const needed = isNothing
    ? enoughPercent(times(cost, hundred), atHundred ?? zero)
    : enoughPercent(times(cost, rate), revenue)
  return needed !== null && needed <= greatestRate(campaign, name) / 100 ? needed : null
}

/** Solves the break-even for each input alone, exactly, at the campaign's own rates. */
export const breakEven = (campaign: Campaign, { clients, revenue }: Pick<Funnel, "clients" | "revenue">) => {
  const { campaign_cost: cost, emails_sent } = campaign
  const enoughOf = (name: RateName) =>
    cost === undefined || revenue === undefined ? null : enoughRate(campaign, cost, revenue, name)
  return {
    emails_sent: revenue === undefined || cost === undefined ? null : enough(times(cost, emails_sent), revenue, 0),
    ...eachRate(campaign, (_, name) => enoughOf(name)),
    average_deal_value: cost === undefined ? null : enough(cost, clients, 2),
    campaign_cost: revenue === undefined ? null : finite(roundDown(revenue, 2))
  }
}

/**
 * The fewest clients whose deals cover `amount`, by exact division: doubles get 14 of 118 exact multiples wrong.
 * Infinity if no number of them does.
 */
export const clientsToEarn = (amount: Decimal, each: Decimal): number => {
  if (amount.value <= 0) return 0
  return isZero(each) ? Infinity : toDouble(quotientUp(amount, each, 0))
}

/**
 * The fewest clients that cover the campaign's cost: Infinity if no number does, undefined without a deal value or a
 * cost.
 */
export const clientsToBreakEven = (campaign: Campaign): number | undefined => {
  const each = valueOfClient(campaign)
  const { campaign_cost: cost } = campaign
  return each === undefined || cost === undefined ? undefined : clientsToEarn(cost, each)
}
