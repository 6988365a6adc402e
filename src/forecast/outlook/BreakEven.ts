import { eachRate, greatestRate, type RateName } from "../../campaign/Rates.ts"
import {
  type Decimal,
  hundred,
  quotientUp,
  quotientUpVisibly,
  roundDown,
  type Rounded,
  times,
  toDouble,
  zero
} from "../Decimal.ts"
import { type Campaign, expectedAt, revenueFrom, valueOfClient } from "../Campaign.ts"
import type { BreakEven } from "./Outlook.ts"

/** A value for the answer, or null if JSON has no number for it. */
const finite = (rounded: Rounded): number | null => {
  const value = toDouble(rounded)
  return Number.isFinite(value) ? value : null
}

/** `amount / each` rounded up: the sufficient number of units if each brings `each`. Null if no number is enough. */
const enough = (amount: Decimal, each: Decimal, places: number): number | null => {
  if (amount.value === 0n) return 0
  return each.value === 0n ? null : finite(quotientUp(amount, each, places))
}

/** The same for a rate in percent, of which two digits are shown. */
const enoughPercent = (amount: Decimal, each: Decimal): number | null => {
  if (amount.value === 0n) return 0
  return each.value === 0n ? null : finite(quotientUpVisibly(amount, each))
}

/** The lowest sufficient rate. Revenue is in proportion to it; for a rate of 0, the other rates say how steeply. */
const enoughRate = (campaign: Campaign, cost: Decimal, revenue: Decimal, name: RateName) => {
  const rate = campaign[name]
  const isZero = rate === undefined || rate.value === 0n
  const atHundred = isZero ? revenueFrom(campaign, expectedAt(campaign, "clients", { [name]: hundred })) : undefined
  const needed = isZero
    ? enoughPercent(times(cost, hundred), atHundred ?? zero)
    : enoughPercent(times(cost, rate), revenue)
  return needed !== null && needed <= greatestRate(campaign, name) / 100 ? needed : null
}

/** The exact expected clients and revenue at the campaign's own rates; no revenue without a deal value. */
interface Expected {
  readonly clients: Decimal
  readonly revenue: Decimal | undefined
}

/** Solves the break-even for each input alone, exactly, at the campaign's own rates. */
export const breakEven = (campaign: Campaign, { clients, revenue }: Expected): BreakEven => {
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
  if (amount.value <= 0n) return 0
  return each.value === 0n ? Infinity : toDouble(quotientUp(amount, each, 0))
}

/**
 * The fewest clients that cover the campaign's cost: Infinity if no number does, undefined without a deal value or a
 * cost.
 */
export const clientsToBreakEven = (campaign: Campaign): number | undefined => {
  const [each, cost] = [valueOfClient(campaign), campaign.campaign_cost]
  return each === undefined || cost === undefined ? undefined : clientsToEarn(cost, each)
}
