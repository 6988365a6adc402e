import { greatestRate } from "../../campaign/Rates.ts"
import { type RateName, rateNames } from "../Campaign.ts"
import type { Advice } from "./Case.ts"
import {
  boundRates,
  ceilingOf,
  changesTo,
  clientsWith,
  heldOfBooked,
  rateIn,
  rateLabel,
  sourcesOf,
  targetOf
} from "./PublishedRates.ts"
import { clientsText, countNouns, countText, emailsText, listed, rateText } from "../Words.ts"
import type { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { optionalRates, type CountName, countsOfRate } from "../../campaign/Rates.ts"
import { hundred, quotient, round, show, times, toDouble, zero, showExact } from "../Decimal.ts"
import { optimisticFlag } from "../Assessment.ts"
import { type BoundRate, rateBounds } from "../benchmarks/Thresholds.ts"
import { hasKnownCost } from "./Money.ts"

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
export const checkUnits: Advice = ({ assumptions: assumed, flags, request: assumptions }) => {
  // A fraction is below every bound of the four required rates, so there is a flag, unless measured rates hide it.
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

const some = (count: BigDecimal.BigDecimal, name: CountName): string => {
  const [one, many] = countNouns[name]
  const text = showExact(count)
  return `${text} ${text === "1" ? one : many}`
}

/** The counts so far for a rate, in parentheses; those of past campaigns are unknown here. */
const seenText = (request: Assumptions, rate: RateName): string => {
  const evidence = request.evidence?.[rate]
  if (evidence === undefined) return ""
  const { successes, trials } = countsOfRate(request, rate)
  return ` (${some(evidence.observed, successes)} from ${some(evidence.out_of, trials)})`
}

/** Explains how measured rates change the forecast, if the expected clients are far from the planned ones. */
export const planWithMeasured: Advice = (campaign) => {
  const { assumptions, funnel, request } = campaign
  if (assumptions === request) return undefined
  const planned = clientsWith(request, {})
  if (distance(funnel.clients, planned) < farFromPlan) return undefined
  const measured = rateNames.flatMap((rate) => {
    const [now, before] = [assumptions[rate], request[rate]]
    return now === undefined || before === undefined || now === before ? [] : [{ before, now, rate }]
  })
  const different = measured.filter(({ before, now }) => distance(now, before) >= nearPlan)
  const named = different.length === 0 ? measured : different
  // The results so far may contradict past campaigns.
  const isSoFar = ({ rate }: { readonly rate: RateName }) => request.evidence?.[rate] !== undefined
  const results = [
    ...(named.some(isSoFar) ? ["results so far"] : []),
    ...(named.every(isSoFar) ? [] : ["past campaigns"])
  ]
  const rates = named.map(
    ({ before, now, rate }) =>
      `a ${rateLabel[rate]} of ${rateText(now)} instead of ${rateText(before)}${seenText(request, rate)}`
  )
  const { average_deal_value: value, campaign_cost: cost } = request
  const roi = (clients: BigDecimal.BigDecimal, each: BigDecimal.BigDecimal, total: BigDecimal.BigDecimal) =>
    show(quotient(times(clients, each), total, 1))
  const money =
    value === undefined || cost === undefined || !hasKnownCost(campaign)
      ? ""
      : `, an ROI of ${roi(funnel.clients, value, cost)} instead of ${roi(planned, value, cost)}`
  return (
    `Your ${listed(results)} point to ${listed(rates)}. With that, ${emailsText(request.emails_sent)} would bring ` +
    `${clientsText(funnel.clients)} instead of ${countText(planned)}${money}; the grade, the flags and the advice are based on it.`
  )
}
