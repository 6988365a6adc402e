import { BigDecimal } from "effect"
import { minus, times } from "../Decimal.ts"
import type { Campaign, RateName } from "./Campaign.ts"
import { ratesUpTo, type StageName } from "./Stages.ts"

type Decimal = BigDecimal.BigDecimal

/**
 * Expected people at a stage, exactly, by the campaign's own rates; `without` leaves one rate out of the product, as if
 * it were 100 %.
 */
export const expectedAt = (campaign: Campaign, stage: StageName, without?: RateName): Decimal => {
  let product = campaign.emails_sent
  let percents = 0
  for (const name of ratesUpTo[stage]) {
    const rate = campaign[name]
    if (rate === undefined || name === without) continue
    product = times(product, rate)
    percents += 2
  }
  return BigDecimal.make(product.value, product.scale + percents)
}

/** The rates of a campaign that lead to a stage. */
export const givenRates = (campaign: Campaign, stage: StageName): ReadonlyArray<RateName> =>
  ratesUpTo[stage].filter((name) => campaign[name] !== undefined)

/** Revenue less cost, exactly; nothing without a deal value or a cost. */
export const expectedProfit = (campaign: Campaign): Decimal | undefined => {
  const { average_deal_value: dealValue, campaign_cost: cost } = campaign
  return dealValue === undefined || cost === undefined
    ? undefined
    : minus(times(expectedAt(campaign, "clients"), dealValue), cost)
}
