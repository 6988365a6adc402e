import type { BigDecimal } from "effect"
import { optimisticFlag } from "../Assessment.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { type BoundRate, rateBounds } from "../benchmarks/Thresholds.ts"
import { quotient, round, show, times, toDouble } from "../Decimal.ts"
import type { Advice } from "./Case.ts"
import { hasKnownCost } from "./Money.ts"
import { boundRates, ceilingOf, clientsWith, heldOfBooked, rateIn, rateLabel } from "./Rates.ts"
import { clientsText, countText, listed, rateText } from "./Words.ts"

/** A rate in the unit that it is held in, where that is another. */
const inOtherUnit = (assumptions: Assumptions, rate: BoundRate): string => {
  const { emails_per_contact: perContact } = assumptions
  const shown = () => rateText(rateIn(rateBounds[rate].high.per, assumptions, rate))
  if (rate === "reply_rate" && perContact !== undefined && toDouble(perContact) > 1) {
    return ` (${shown()} of contacts at ${show(round(perContact, 0))} emails each)`
  }
  const held = rate === "close_rate" ? heldOfBooked(assumptions) : undefined
  return held === undefined ? "" : ` (${shown()} of booked meetings where ${rateText(held)} of them are held)`
}

/** What to send where the reply rate is one of contacts already. */
const perEmailNote = (
  { emails_per_contact: perContact, reply_rate }: Assumptions,
  high: ReadonlyArray<BoundRate>
): string =>
  high.includes("reply_rate") && perContact !== undefined && toDouble(perContact) > 1
    ? ` If ${rateText(reply_rate)} is already per contact, set reply_rate to ${show(quotient(reply_rate, perContact, 2))}.`
    : ""

/** Asks to check rates that are higher than anybody published, and says what is left without that. */
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
