import type { BigDecimal } from "effect"
import { eachRate, type PerRate } from "../campaign/Rates.ts"
import { percentOf, times } from "./Decimal.ts"
import type { Campaign } from "./outlook/Campaign.ts"

/** The exact stages of a campaign: counts of emails and people, and revenue in the caller's currency. */
export interface Funnel {
  /** Those who pass each rate that the campaign has: replies, booked meetings, clients and so on. */
  readonly passed: PerRate<BigDecimal.BigDecimal>
  readonly replies: BigDecimal.BigDecimal
  readonly meetings: BigDecimal.BigDecimal
  readonly clients: BigDecimal.BigDecimal
  /** Absent without a deal value. */
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
