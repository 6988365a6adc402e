import type { BigDecimal } from "effect"
import { quotientUp } from "../Decimal.ts"
import type { Campaign } from "./Campaign.ts"

/**
 * The fewest clients whose deals pay `amount`, by exact division: doubles get 14 of 118 exact multiples wrong. Infinity
 * where no number of them does.
 */
export const clientsToEarn = (amount: BigDecimal.BigDecimal, dealValue: BigDecimal.BigDecimal): number => {
  if (amount.value <= 0n) return 0
  return dealValue.value === 0n ? Infinity : Number(quotientUp(amount, dealValue, 0).units)
}

/** The fewest clients that pay the campaign's cost: Infinity where none do, nothing without a deal value or a cost. */
export const clientsToBreakEven = ({
  average_deal_value: dealValue,
  campaign_cost: cost
}: Campaign): number | undefined =>
  dealValue === undefined || cost === undefined ? undefined : clientsToEarn(cost, dealValue)
