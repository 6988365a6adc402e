import { BigDecimal } from "effect"
import { quotientUp, roundDown, roundVisibly } from "../Decimal.ts"
import type { Advice } from "./Case.ts"
import { amountText, clientsText, moneyText } from "./Words.ts"

const thousand = BigDecimal.make(1000n, 0)
const realCost = "what the campaign really costs, including tools, list and hours"

/** The greatest amount that a request may have, in hundredths. */
const greatestAmount = 100_000_000_000n

const dealValueFor = (cost: BigDecimal.BigDecimal, clients: BigDecimal.BigDecimal): string => {
  const value = quotientUp(cost, clients, 2)
  return value.units > greatestAmount
    ? "no deal value is enough"
    : `it takes a deal value of ${amountText(value)} to break even`
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
    ? `Add campaign_cost to see the ROI: the campaign pays for itself up to a cost of ${most}.`
    : `Enter ${realCost}: without a cost there is no ROI. The campaign pays for itself up to a cost of ${most}.`
}
