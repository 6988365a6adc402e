import { BigDecimal } from "effect"
import type { Learned } from "./Learned.ts"
import { type PerRate, type RateName, rateNames, type Spread } from "../../campaign/Rates.ts"

export { eachRate, type PerRate, type RateName, rateNames } from "../../campaign/Rates.ts"

/** What a rate was measured on: `observed` successes in `out_of` trials, whole numbers, the first at most the second. */
export interface Observation {
  readonly observed: BigDecimal.BigDecimal
  readonly out_of: BigDecimal.BigDecimal
}

/** Observations of some of the rates. One of a rate that the campaign does not have changes nothing. */
export type Evidence = { readonly [rate in RateName]?: Observation }

/**
 * A campaign whose outcome is in question, in exact decimals: emails from 1 to 100,000,000, rates in percent from 0 to
 * 100, amounts in one currency. Everyone passes a rate that is left out.
 */
export interface Campaign extends PerRate<BigDecimal.BigDecimal> {
  readonly emails_sent: BigDecimal.BigDecimal
  /** How many of the emails go to one contact, who replies once at most: it bounds the reply rate. */
  readonly emails_per_contact?: BigDecimal.BigDecimal
  readonly average_deal_value?: BigDecimal.BigDecimal
  readonly campaign_cost?: BigDecimal.BigDecimal
  readonly evidence?: Evidence
  /** How much rates vary between campaigns: as has been published, unless they are to be exactly as given. */
  readonly spread?: Spread
  readonly learned?: Learned
}

/** The greatest that a rate of a campaign can be, in hundredths of a percent: replies are no more than contacts. */
export const greatestRate = (
  { emails_per_contact: perContact }: Pick<Campaign, "emails_per_contact">,
  name: RateName
): number =>
  name === "reply_rate" && perContact !== undefined
    ? Math.floor(10_000 / BigDecimal.toNumberUnsafe(perContact))
    : 10_000

/** True if any rate of the campaign was measured, or learned from past campaigns. */
export const isMeasured = (campaign: Campaign): boolean =>
  hasEvidence(campaign) || rateNames.some((rate) => campaign.learned?.[rate] !== undefined)

/** True if any rate of the campaign was measured. */
export const hasEvidence = (campaign: Campaign): boolean =>
  campaign.evidence !== undefined &&
  rateNames.some((rate) => campaign[rate] !== undefined && campaign.evidence?.[rate] !== undefined)
