import { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { type BoundRate, rateBounds } from "../benchmarks/Thresholds.ts"
import { compare, minus, times, toDouble } from "../Decimal.ts"
import { lowFlag } from "../Assessment.ts"
import { isHopeless } from "./BreakEven.ts"
import type { Advice, Case } from "./Case.ts"
import {
  boundRates,
  clientsWith,
  type Rate,
  rateName,
  rates,
  referenceOf,
  referenceSize,
  sourceOf,
  sourcesOf,
  toReferences
} from "./Rates.ts"
import { isBeyondSending } from "./Volume.ts"
import { clientsText, countText, emailsText, listed, moneyText, rateText } from "./Words.ts"

const zero = BigDecimal.make(0n, 0)
const hundredth = BigDecimal.make(1n, 2)
/** What is within a tenth of its reference is no lever. */
const farBehind = 0.9

/**
 * The rate that has most to give, if any is far below its reference. Stages multiply: raising a rate to its reference
 * multiplies the clients by reference ÷ rate.
 */
const furthestBehind = (assumptions: Assumptions): Rate | undefined => {
  let furthest: Rate | undefined
  let least = farBehind
  for (const rate of rates) {
    const now = assumptions[rate]
    const share = now === undefined ? 1 : toDouble(now) / referenceSize(assumptions, rate)
    if (share < least) {
      furthest = rate
      least = share
    }
  }
  return furthest
}

/** What the same emails bring with better rates: clients, and what that means in money. */
const outcome = ({ assumptions, flags, funnel }: Case, clients: BigDecimal.BigDecimal): string => {
  const { average_deal_value: value, campaign_cost: cost, emails_sent: emails } = assumptions
  const brings = `the same ${emailsText(emails)} would bring ${clientsText(clients)} instead of ${countText(funnel.clients)}`
  if (value === undefined || value.value === 0n || funnel.revenue === undefined) return brings
  const revenue = times(clients, value)
  if (!flags.includes("negative_roi") || cost === undefined) {
    return `${brings} and ${moneyText(minus(revenue, funnel.revenue))} more in revenue`
  }
  return compare(revenue, cost) < 0
    ? `${brings}, still ${moneyText(minus(cost, revenue))} short of the cost`
    : `${brings} and leave ${moneyText(minus(revenue, cost))} after the cost`
}

/** A few emails to each contact make a low reply rate a usual one; who does that should say so. */
const perContactNote = ({ emails_per_contact, reply_rate }: Assumptions, low: ReadonlyArray<Rate>): string => {
  if (!low.includes("reply_rate") || emails_per_contact !== undefined) return ""
  const count = [3n, 4n, 5n, 6n].find(
    (emails) => compare(times(reply_rate, BigDecimal.make(emails, 0)), rateBounds.reply_rate.low.exact) >= 0
  )
  return count === undefined
    ? ""
    : ` If each contact gets several emails, set emails_per_contact: at ${count}, ${rateText(reply_rate)} of emails is ` +
        `${rateText(times(reply_rate, BigDecimal.make(count, 0)))} of contacts, which is usual.`
}

/** One fix for all the rates that are lower than anybody published. */
const raiseLowRates = ({ assumptions }: Case, low: ReadonlyArray<BoundRate>, result: string): string => {
  const note = perContactNote(assumptions, low)
  const [only, ...others] = low
  if (only !== undefined && others.length === 0) {
    const { because, from } = rateBounds[only].low
    return (
      `Raise the ${rateName[only]} of ${rateText(assumptions[only])} before anything else: ${because} (${from}). At ` +
      `${rateText(referenceOf(assumptions, only))} (${sourceOf(assumptions, only)}), ${result}.${note}`
    )
  }
  const steps = low.map(
    (rate) => `the ${rateName[rate]} from ${rateText(assumptions[rate])} to ${rateText(referenceOf(assumptions, rate))}`
  )
  return `Raise the rates that are below every published figure: ${listed(steps)} (${sourcesOf(low)}). Together, ${result}.${note}`
}

/** Whether better rates change nothing to speak of: hardly anybody is won, or the campaign still costs far more than it brings. */
const isInVain = ({ assumptions, funnel }: Case, clients: BigDecimal.BigDecimal): boolean => {
  const { average_deal_value: value, campaign_cost: cost } = assumptions
  if (compare(clients, hundredth) < 0) return true
  return (
    value !== undefined &&
    cost !== undefined &&
    funnel.revenue !== undefined &&
    isHopeless(cost, funnel.revenue) &&
    compare(times(clients, value), cost) < 0
  )
}

/** Raises the rates that are too low in one go, or else the one that has most to give. */
export const pullLever: Advice = (campaign) => {
  const { assumptions, flags } = campaign
  const low = flags.length === 0 ? [] : boundRates.filter((rate) => flags.includes(lowFlag[rate]))
  const lever = low.length > 0 || isBeyondSending(assumptions) ? undefined : furthestBehind(assumptions)
  const chosen = lever === undefined ? low : [lever]
  if (chosen.length === 0) return undefined
  const clients = clientsWith(assumptions, toReferences(assumptions, chosen))
  if (isInVain(campaign, clients)) return undefined
  const result = outcome(campaign, clients)
  if (lever === undefined) return raiseLowRates(campaign, low, result)
  return (
    `Work on the ${rateName[lever]} first: at ${rateText(referenceOf(assumptions, lever))} (${sourceOf(assumptions, lever)}) ` +
    `instead of ${rateText(assumptions[lever] ?? zero)}, ${result}.`
  )
}
