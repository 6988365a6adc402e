import { BigDecimal } from "effect"
import { amountBounds } from "../../campaign/NumberBounds.ts"
import { quotient, quotientUp, roundDown, roundVisibly } from "../Decimal.ts"
import type { Advice, Case } from "./Case.ts"
import { amountText, clientsText, moneyText } from "./Words.ts"

/** Whether the cost of a campaign is known: more than 0, and with nothing that seems to be left out. */
export const hasKnownCost = ({ assumptions: { campaign_cost: cost }, flags }: Case): boolean =>
  cost !== undefined && cost.value !== 0n && !flags.includes("cost_looks_incomplete")

const thousand = BigDecimal.make(1000n, 0)
const realCost = "what the campaign really costs, including tools, list and hours"

/** The greatest amount that a request may have, in hundredths. */
export const greatestAmount = BigInt(amountBounds.maximum * 100)

const dealValueFor = (cost: BigDecimal.BigDecimal, clients: BigDecimal.BigDecimal): string => {
  const value = quotientUp(cost, clients, 2)
  return value.units > greatestAmount
    ? "no deal value is enough"
    : `it takes a deal value of ${amountText(value)} to break even on average`
}

/** Asks what a cost leaves out that is far below what meetings cost elsewhere, and says how much the campaign can bear. */
export const checkCost: Advice = ({ assumptions: { campaign_cost: cost }, flags, funnel: { meetings, revenue } }) => {
  if (!flags.includes("cost_looks_incomplete") || cost === undefined) return undefined
  const each = quotient(cost, meetings, 2)
  const payable = revenue === undefined ? undefined : roundDown(revenue, 2)
  const turns =
    payable === undefined || payable.units === 0n || flags.includes("negative_roi")
      ? ""
      : ` As forecast, the campaign pays for itself on average up to a cost of ${amountText(payable)}.`
  return (
    `Does the cost of ${moneyText(cost)} leave something out? ${amountText(each)} per meeting is far below the 150 to 400 USD that ` +
    `others pay (Instantly 2026): add hours, list and tools.${turns}`
  )
}

/** Asks for the deal value and the cost that are missing, or for a cost that is not 0, with what is known without them. */
export const fillInMoney: Advice = ({ assumptions, funnel: { clients, revenue } }) => {
  const { average_deal_value: value, campaign_cost: cost } = assumptions
  const hasCost = cost !== undefined && cost.value !== 0n
  if (value === undefined && hasCost) {
    return `Add average_deal_value to see the ROI: with ${clientsText(clients)} for ${moneyText(cost)}, ${dealValueFor(cost, clients)}.`
  }
  if (value === undefined) {
    return (
      `Add average_deal_value and ${cost === undefined ? "campaign_cost" : realCost} to see whether the campaign pays off: with ` +
      `${clientsText(clients)} and a cost of 1,000, say, ${dealValueFor(thousand, clients)}.`
    )
  }
  if (hasCost || revenue === undefined) return undefined
  if (revenue.value === 0n) return "Enter what a client is worth: with a deal value of 0 the revenue is 0 as well."
  const payable = roundDown(revenue, 2)
  const most = amountText(payable.units === 0n ? roundVisibly(revenue, 2) : payable)
  return cost === undefined
    ? `Add campaign_cost to see the ROI: the campaign pays for itself on average up to a cost of ${most}.`
    : `Enter ${realCost}: without a cost there is no ROI. The campaign pays for itself on average up to a cost of ${most}.`
}
