import type { BigDecimal } from "effect"
import type { Beta } from "./Contour.ts"

/** The rates of a campaign in the order of its funnel. */
export const rateNames = [
  "delivery_rate",
  "reply_rate",
  "positive_reply_rate",
  "meeting_booking_rate",
  "show_rate",
  "close_rate"
] as const
export type RateName = (typeof rateNames)[number]

/** What a rate was measured on: `observed` successes in `out_of` trials, whole numbers, the first at most the second. */
export interface Observation {
  readonly observed: BigDecimal.BigDecimal
  readonly out_of: BigDecimal.BigDecimal
}

/** Observations of some of the rates. One of a rate that the campaign does not have changes nothing. */
export type Evidence = { readonly [rate in RateName]?: Observation }

/** The distributions of rates that were learned from past campaigns. */
export type Learned = { readonly [rate in RateName]?: Beta }

/**
 * A campaign whose outcome is in question, in exact decimals: emails from 1 to 100,000,000, rates in percent from 0 to
 * 100, amounts in one currency. Without `delivery_rate` every email is delivered, without `show_rate` every meeting held.
 */
export interface Campaign {
  readonly emails_sent: BigDecimal.BigDecimal
  readonly delivery_rate?: BigDecimal.BigDecimal
  readonly reply_rate: BigDecimal.BigDecimal
  readonly positive_reply_rate: BigDecimal.BigDecimal
  readonly meeting_booking_rate: BigDecimal.BigDecimal
  readonly show_rate?: BigDecimal.BigDecimal
  readonly close_rate: BigDecimal.BigDecimal
  readonly average_deal_value?: BigDecimal.BigDecimal
  readonly campaign_cost?: BigDecimal.BigDecimal
  readonly evidence?: Evidence
  /** "published": rates vary between campaigns as has been published of them. Else they are exactly as given. */
  readonly spread?: "published" | "none"
  readonly learned?: Learned
}

/** The most emails and the greatest amount that a request may have. */
export const greatest = { emails: 100_000_000, amount: 1_000_000_000n } as const

/** Whether any rate of the campaign was measured. */
export const hasEvidence = (campaign: Campaign): boolean =>
  campaign.evidence !== undefined &&
  rateNames.some((rate) => campaign[rate] !== undefined && campaign.evidence?.[rate] !== undefined)
