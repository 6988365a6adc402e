import { BigDecimal } from "effect"
import { greatestRate, optionalRates } from "../../campaign/Rates.ts"
import { type RateName, rateNames } from "../Campaign.ts"
import type { Advice, AssessedCampaign } from "./AssessedCampaign.ts"
import {
  boundRates,
  ceilingOf,
  changesTo,
  clientsWith,
  heldOfBooked,
  lowBoundOf,
  rateIn,
  rateLabel,
  sourcesOf,
  type Target,
  targetOf
} from "./PublishedRates.ts"
import { clientsText, countText, emailsText, listed, moneyText, rateText } from "../Words.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { compare, hundred, minus, quotient, round, show, times, toDouble, zero } from "../Decimal.ts"
import { lowFlag, optimisticFlag } from "../Assessment.ts"
import { type BoundRate, type RateBound, rateBounds } from "../benchmarks/Thresholds.ts"
import { hasKnownCost } from "./Money.ts"
import { highBounces, isBeyondSending } from "./Emails.ts"

/** Asks for rates that are 0: no other advice makes sense. */
export const fillInZeroRates: Advice = ({ assumptions, funnel }) => {
  if (funnel.clients.value !== 0n) return undefined
  const targets = rateNames.filter((rate) => assumptions[rate]?.value === 0n).map((rate) => targetOf(assumptions, rate))
  const [first, ...others] = targets
  if (first === undefined) return undefined
  const isAlone = others.length === 0
  const plans = targets.map(({ rate, value }) => `a ${rateLabel[rate]} of ${rateText(value)}`)
  return (
    `Replace the ${isAlone ? `${rateLabel[first.rate]} of 0%, which leaves` : "rates of 0%, which leave"} no client however many ` +
    `emails you send: with ${listed(plans)} (${isAlone ? first.source : sourcesOf(targets)}), ` +
    `${emailsText(assumptions.emails_sent)} would bring ${clientsText(clientsWith(assumptions, changesTo(targets)))}.`
  )
}

const isFraction = (rate: BigDecimal.BigDecimal | undefined, isFlagged: boolean): boolean => {
  if (rate === undefined || rate.value === 0n) return false
  const value = toDouble(rate)
  return isFlagged ? value <= 1 : value >= 0.01 && value < 1
}

/**
 * The rates that look like fractions of 1: all up to 1 if the request is flagged; otherwise those that are implausible in
 * percent. A reply rate below 1% is common: without the flag it counts only if other rates look like fractions too.
 */
const fractions = (assumptions: Assumptions, isFlagged: boolean): ReadonlyArray<RateName> => {
  const found = rateNames.filter(
    (rate) =>
      isFraction(assumptions[rate], isFlagged) &&
      toDouble(assumptions[rate] ?? zero) * 10_000 <= greatestRate(assumptions, rate)
  )
  const others = found.filter((rate) => rate !== "reply_rate")
  return isFlagged || others.length > 1 ? found : others
}

/** Asks for percentages if rates look like fractions, and says what the campaign would bring with them. */
export const checkUnits: Advice = ({ assumptions: assumed, flags, plan: assumptions }) => {
  // A fraction is below every bound of the four required rates, so there is a flag, unless learned rates hide it.
  const isUsual = flags.length === 0 && assumed === assumptions
  if (isUsual && optionalRates.every((rate) => assumptions[rate] === undefined)) return undefined
  const found = fractions(assumptions, flags.includes("rates_look_like_fractions"))
  if (found.length === 0) return undefined
  const meant = Object.fromEntries(found.map((rate) => [rate, times(assumptions[rate] ?? zero, hundred)]))
  const sent = found.map((rate) => rateText(assumptions[rate] ?? zero))
  const percentages = found.map((rate) => rateText(meant[rate] ?? zero))
  const numbers = percentages.map((text) => text.slice(0, -1))
  const looks = found.length === 1 ? "looks like a fraction" : "look like fractions"
  const clients = clientsWith(assumptions, meant)
  const now = countText(clientsWith(assumptions, {}))
  return (
    `Check the unit of the ${listed(found.map((rate) => rateLabel[rate]))}: ${listed(sent)} ${looks}. If you meant ` +
    `${listed(percentages)}, enter ${listed(numbers)}: ${emailsText(assumptions.emails_sent)} would bring ` +
    `${clientsText(clients)}${countText(clients) === now ? "" : ` instead of ${now}`}.`
  )
}

/** The rate in the unit that it is compared in, if that is a different unit. */
const inOtherUnit = (assumptions: Assumptions, rate: BoundRate): string => {
  const { emails_per_contact: perContact } = assumptions
  const shown = () => rateText(rateIn(rateBounds[rate].high.per, assumptions, rate))
  if (rate === "reply_rate" && perContact !== undefined && toDouble(perContact) > 1) {
    return ` (${shown()} of contacts at ${show(round(perContact, 0))} emails each)`
  }
  const held = rate === "close_rate" ? heldOfBooked(assumptions) : undefined
  return held === undefined ? "" : ` (${shown()} of booked meetings where ${rateText(held)} of them are held)`
}

/** The reply rate to send if it is already per contact. */
const perEmailNote = (
  { emails_per_contact: perContact, reply_rate }: Assumptions,
  high: ReadonlyArray<BoundRate>
): string =>
  high.includes("reply_rate") && perContact !== undefined && toDouble(perContact) > 1
    ? ` If ${rateText(reply_rate)} is already per contact, set reply_rate to ${show(quotient(reply_rate, perContact, 2))}.`
    : ""

/** Asks to check rates above every published figure, and says what the campaign brings at the highest published ones. */
export const checkOptimism: Advice = (campaign) => {
  const { assumptions, flags, funnel } = campaign
  const high = boundRates.filter((rate) => flags.includes(optimisticFlag[rate]))
  const [first] = high
  if (first === undefined) return undefined
  const given = high.map(
    (rate) => `the ${rateLabel[rate]} of ${rateText(assumptions[rate])}${inOtherUnit(assumptions, rate)}`
  )
  const ceilings = high.map((rate) => ceilingOf(assumptions, rate))
  const shown = listed(ceilings.map(rateText))
  const { because: figure, from } = rateBounds[first].high
  const because = high.length === 1 ? `${figure} (${from})` : `published figures stop at about ${shown}`
  const clients = clientsWith(assumptions, Object.fromEntries(high.map((rate, i) => [rate, ceilings[i]])))
  const { average_deal_value: value, campaign_cost: cost } = assumptions
  const roi = (of: BigDecimal.BigDecimal, dealValue: BigDecimal.BigDecimal, total: BigDecimal.BigDecimal) =>
    show(quotient(times(of, dealValue), total, 1))
  const money =
    value === undefined || cost === undefined || !hasKnownCost(campaign) || flags.includes("negative_roi")
      ? ""
      : `, an ROI of ${roi(clients, value, cost)} instead of ${roi(funnel.clients, value, cost)}`
  const [without, now] = [clientsText(clients), clientsText(funnel.clients)]
  const result = `At ${high.length === 1 ? shown : "those"}, the campaign would bring ${without} instead of ${countText(funnel.clients)}${money}.`
  return `Check ${listed(given)}: ${because}.${without === now ? "" : ` ${result}`}${perEmailNote(assumptions, high)}`
}

/** The smallest deviation from the planned clients that is worth a sentence. */
const farFromPlan = 0.2

/** A rate this close to its plan did not cause it. */
const nearPlan = 0.1

const distance = (now: BigDecimal.BigDecimal, planned: BigDecimal.BigDecimal): number =>
  Math.abs(toDouble(now) / toDouble(planned) - 1)

/** Explains how learned rates change the forecast, if the expected clients are far from the planned ones. */
export const planWithLearned: Advice = (campaign) => {
  const { assumptions, funnel, plan } = campaign
  if (assumptions === plan) return undefined
  const planned = clientsWith(plan, {})
  if (distance(funnel.clients, planned) < farFromPlan) return undefined
  const learned = rateNames.flatMap((rate) => {
    const [now, before] = [assumptions[rate], plan[rate]]
    return now === undefined || before === undefined || now === before ? [] : [{ before, now, rate }]
  })
  const different = learned.filter(({ before, now }) => distance(now, before) >= nearPlan)
  const named = different.length === 0 ? learned : different
  const rates = named.map(
    ({ before, now, rate }) => `a ${rateLabel[rate]} of ${rateText(now)} instead of ${rateText(before)}`
  )
  const { average_deal_value: value, campaign_cost: cost } = plan
  const roi = (clients: BigDecimal.BigDecimal, each: BigDecimal.BigDecimal, total: BigDecimal.BigDecimal) =>
    show(quotient(times(clients, each), total, 1))
  const money =
    value === undefined || cost === undefined || !hasKnownCost(campaign)
      ? ""
      : `, an ROI of ${roi(funnel.clients, value, cost)} instead of ${roi(planned, value, cost)}`
  return (
    `Your past campaigns point to ${listed(rates)}. With that, ${emailsText(plan.emails_sent)} would bring ` +
    `${clientsText(funnel.clients)} instead of ${countText(planned)}${money}; all figures are based on it.`
  )
}

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
const furthestBehind = ({ assumptions, outlook, plan }: AssessedCampaign): Target | undefined => {
  let furthest: Target | undefined
  let least = 1
  for (const rate of rateNames) {
    const now = assumptions[rate]
    if (now === undefined || (rate === "delivery_rate" && highBounces(assumptions) !== undefined)) continue
    const target = targetOf(assumptions, rate)
    const share = toDouble(now) / toDouble(target.value)
    if (share >= (target.isMeasured ? worthRaising.measured : worthRaising.planned)) continue
    // The reference lies within the range of the learned rate.
    if (now !== plan[rate] && toDouble(target.value) <= (outlook.rates[rate]?.high ?? 0)) continue
    if (furthest === undefined || (target.isMeasured === furthest.isMeasured ? share < least : target.isMeasured)) {
      furthest = target
      least = share
    }
  }
  return furthest
}

/** The clients and money that the same emails would bring at better rates. */
const outcome = ({ assumptions, flags, funnel }: AssessedCampaign, clients: BigDecimal.BigDecimal): string => {
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
const lowRates = ({ assumptions, flags }: AssessedCampaign): ReadonlyArray<LowRate> =>
  flags.length === 0
    ? []
    : boundRates.flatMap((rate) => {
        if (!flags.includes(lowFlag[rate])) return []
        const target = targetOf(assumptions, rate)
        return compare(target.value, assumptions[rate]) > 0 ? [{ bound: lowBoundOf(assumptions, rate), target }] : []
      })

/** Advises to raise all low rates together. */
const raiseLowRates = ({ assumptions }: AssessedCampaign, low: ReadonlyArray<LowRate>, result: string): string => {
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
const isInVain = ({ assumptions, flags }: AssessedCampaign, clients: BigDecimal.BigDecimal): boolean => {
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
