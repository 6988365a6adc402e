import { BigDecimal } from "effect"
import { eachRate, type PerRate } from "../campaign/Rates.ts"
import { minus, percentOf, times } from "./Decimal.ts"
import type { Campaign, RateName } from "./outlook/Campaign.ts"
import { ratesUpTo, type StageName } from "./outlook/CampaignStages.ts"

/** The exact stages of a campaign: counts of emails and people, and revenue in the caller's currency. */
export interface Funnel {
  /** The number that passes each rate of the campaign: replies, booked meetings, clients and so on. */
  readonly passed: PerRate<BigDecimal.BigDecimal>
  readonly replies: BigDecimal.BigDecimal
  readonly meetings: BigDecimal.BigDecimal
  readonly clients: BigDecimal.BigDecimal
  /** Undefined without a deal value. */
  readonly revenue: BigDecimal.BigDecimal | undefined
}

/** Computes each stage exactly from the stage before it; nothing is rounded here. */
export const funnel = (campaign: Campaign): Funnel => {
  let count = campaign.emails_sent
  const passed = eachRate(campaign, (rate) => (count = percentOf(count, rate)))
  const { close_rate: clients, meeting_booking_rate: meetings, reply_rate: replies } = passed
  const { average_deal_value: dealValue } = campaign
  const revenue = dealValue === undefined ? undefined : times(clients, dealValue)
  return { passed, replies, meetings, clients, revenue }
}

type Decimal = BigDecimal.BigDecimal

/**
 * The exact expected number of people at a stage, at the campaign's own rates; `without` leaves one rate out of the
 * product, as if it were 100%.
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

/** Exact revenue less cost; undefined without a deal value or a cost. */
export const expectedProfit = (campaign: Campaign): Decimal | undefined => {
  const { average_deal_value: dealValue, campaign_cost: cost } = campaign
  return dealValue === undefined || cost === undefined
    ? undefined
    : minus(times(expectedAt(campaign, "clients"), dealValue), cost)
}
