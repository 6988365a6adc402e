import type { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { countNouns } from "../../campaign/CountWords.ts"
import { type CountName, countsOfRate } from "../../campaign/Rates.ts"
import { quotient, show, showExact, times, toDouble } from "../Decimal.ts"
import { type RateName, rateNames } from "../outlook/Campaign.ts"
import type { Advice } from "./Case.ts"
import { hasKnownCost } from "./Money.ts"
import { clientsWith, rateLabel } from "./PublishedRates.ts"
import { clientsText, countText, emailsText, listed, rateText } from "../Words.ts"

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
