import type { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { quotient, show, showExact, times, toDouble } from "../Decimal.ts"
import { type RateName, rateNames } from "../outlook/Campaign.ts"
import type { Advice } from "./Case.ts"
import { hasKnownCost } from "./Money.ts"
import { clientsWith, rateLabel } from "./Rates.ts"
import { clientsText, countText, emailsText, listed, rateText } from "./Words.ts"

/** Clients that are further than this share from those planned are worth a sentence. */
const farFromPlan = 0.2

/** A rate this close to its plan has no part in that. */
const nearPlan = 0.1

const distance = (now: BigDecimal.BigDecimal, planned: BigDecimal.BigDecimal): number =>
  Math.abs(toDouble(now) / toDouble(planned) - 1)

type Noun = readonly [one: string, many: string]

const some = (count: string, [one, many]: Noun): string => `${count} ${count === "1" ? one : many}`

const emails: Noun = ["email", "emails"]
const deliveredEmails: Noun = ["delivered email", "delivered emails"]
const replies: Noun = ["reply", "replies"]
const positiveReplies: Noun = ["positive reply", "positive replies"]
const meetings: Noun = ["meeting", "meetings"]
const heldMeetings: Noun = ["held meeting", "held meetings"]
const clients: Noun = ["client", "clients"]

/** What was counted for a rate: `2 replies to 800 emails`. */
const countedAs: {
  readonly [rate in RateName]: (observed: string, outOf: string, request: Assumptions) => string
} = {
  delivery_rate: (observed, outOf) => `${observed} of ${some(outOf, emails)} delivered`,
  reply_rate: (observed, outOf, { delivery_rate }) =>
    `${some(observed, replies)} to ${some(outOf, delivery_rate === undefined ? emails : deliveredEmails)}`,
  positive_reply_rate: (observed, outOf) => `${observed} of ${some(outOf, replies)} positive`,
  meeting_booking_rate: (observed, outOf) => `${some(observed, meetings)} from ${some(outOf, positiveReplies)}`,
  show_rate: (observed, outOf) => `${observed} of ${some(outOf, meetings)} held`,
  close_rate: (observed, outOf, { show_rate }) =>
    `${some(observed, clients)} from ${some(outOf, show_rate === undefined ? meetings : heldMeetings)}`
}

/** What was counted so far for a rate, in brackets; of past campaigns only what they teach is known here. */
const seenText = (request: Assumptions, rate: RateName): string => {
  const evidence = request.evidence?.[rate]
  return evidence === undefined
    ? ""
    : ` (${countedAs[rate](showExact(evidence.observed), showExact(evidence.out_of), request)})`
}

/** Says what was measured where clients are far from those planned, and what that makes of the campaign. */
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
  const results = [
    ...(named.some(({ rate }) => request.evidence?.[rate] !== undefined) ? ["results so far"] : []),
    ...(named.some(({ rate }) => request.learned?.[rate] !== undefined) ? ["past campaigns"] : [])
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
    `${clientsText(funnel.clients)} instead of ${countText(planned)}${money}; the grade, the flags and the advice go by it.`
  )
}
