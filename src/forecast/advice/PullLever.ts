import { BigDecimal } from "effect"
import type { RateBound } from "../benchmarks/Thresholds.ts"
import { compare, minus, times, toDouble, zero } from "../Decimal.ts"
import { lowFlag } from "../Assessment.ts"
import { rateNames } from "../Campaign.ts"
import { highBounces, isBeyondSending } from "./Emails.ts"
import type { Advice, Case } from "./Case.ts"
import {
  boundRates,
  changesTo,
  clientsWith,
  lowBoundOf,
  rateLabel,
  sourcesOf,
  type Target,
  targetOf
} from "./PublishedRates.ts"
import { clientsText, countText, emailsText, listed, moneyText, rateText } from "../Words.ts"

/** With fewer expected clients than this, four of five campaigns win none. */
const hardlyAny = BigDecimal.make(2n, 1)
/** A rate is worth raising if it is below this part of a measured reference, or of a planning figure. */
const worthRaising = { measured: 0.9, planned: 0.75 } as const
/** Better rates are not advised if they cover less than this part of the cost. */
const nearlyPaid = 0.9

/**
 * The rate that is furthest below its reference, if any is far below; measured references come before planned ones.
 * Stages multiply: raising a rate to its reference multiplies the clients by reference ÷ rate.
 */
const furthestBehind = ({ assumptions, outlook, request }: Case): Target | undefined => {
  let furthest: Target | undefined
  let least = 1
  for (const rate of rateNames) {
    const now = assumptions[rate]
    if (now === undefined || (rate === "delivery_rate" && highBounces(assumptions) !== undefined)) continue
    const target = targetOf(assumptions, rate)
    const share = toDouble(now) / toDouble(target.value)
    if (share >= (target.isMeasured ? worthRaising.measured : worthRaising.planned)) continue
    // The reference lies within the range of the measured rate.
    if (now !== request[rate] && toDouble(target.value) <= (outlook.rates[rate]?.high ?? 0)) continue
    if (furthest === undefined || (target.isMeasured === furthest.isMeasured ? share < least : target.isMeasured)) {
      furthest = target
      least = share
    }
  }
  return furthest
}

/** The clients and money that the same emails would bring at better rates. */
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

/** A rate that is flagged as low, with its target. */
interface LowRate {
  readonly bound: RateBound
  readonly target: Target
}

/** The rates that are flagged as low, except those already at their targets. */
const lowRates = ({ assumptions, flags }: Case): ReadonlyArray<LowRate> =>
  flags.length === 0
    ? []
    : boundRates.flatMap((rate) => {
        if (!flags.includes(lowFlag[rate])) return []
        const target = targetOf(assumptions, rate)
        return compare(target.value, assumptions[rate]) > 0 ? [{ bound: lowBoundOf(assumptions, rate), target }] : []
      })

/** Advises to raise all low rates together. */
const raiseLowRates = ({ assumptions }: Case, low: ReadonlyArray<LowRate>, result: string): string => {
  const now = ({ rate }: Target) => rateText(assumptions[rate] ?? zero)
  const targets = low.map(({ target }) => target)
  const [only, ...others] = low
  if (only !== undefined && others.length === 0) {
    const { bound, target } = only
    const source = bound.from === target.from ? "" : ` (${bound.from})`
    return (
      `Raise the ${rateLabel[target.rate]} of ${now(target)}: ${bound.because}${source}. ` +
      `At ${rateText(target.value)} (${target.source}), ${result}.`
    )
  }
  const steps = targets.map(
    (target) => `the ${rateLabel[target.rate]} from ${now(target)} to ${rateText(target.value)}`
  )
  return `Raise the rates that are low by published figures: ${listed(steps)} (${sourcesOf(targets)}). Together, ${result}.`
}

/**
 * True if better rates would hardly help: they win almost no client, or the campaign stays far from covering its cost.
 */
const isInVain = ({ assumptions, flags }: Case, clients: BigDecimal.BigDecimal): boolean => {
  const { average_deal_value: value, campaign_cost: cost } = assumptions
  if (compare(clients, hardlyAny) < 0) return true
  if (!flags.includes("negative_roi") || value === undefined || cost === undefined) return false
  return toDouble(times(clients, value)) < nearlyPaid * toDouble(cost)
}

/** Advises to raise all rates that are too low or, if there are none, the one furthest below its reference. */
export const pullLever: Advice = (campaign) => {
  const { assumptions } = campaign
  const low = lowRates(campaign)
  const lever = low.length > 0 || isBeyondSending(assumptions) ? undefined : furthestBehind(campaign)
  const targets = lever === undefined ? low.map(({ target }) => target) : [lever]
  if (targets.length === 0) return undefined
  const clients = clientsWith(assumptions, changesTo(targets))
  if (isInVain(campaign, clients)) return undefined
  const result = outcome(campaign, clients)
  if (lever === undefined) return raiseLowRates(campaign, low, result)
  return (
    `Work on the ${rateLabel[lever.rate]}: at ${rateText(lever.value)} (${lever.source}) ` +
    `instead of ${rateText(assumptions[lever.rate] ?? zero)}, ${result}.`
  )
}
