import { BigDecimal, Schema } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { type RateName, rateNames } from "../../campaign/Rates.ts"
import { membersOf } from "../../campaign/Fields.ts"

export { eachRate, type PerRate, type RateName, rateNames } from "../../campaign/Rates.ts"

/** A campaign to forecast, with the rates learned from past campaigns. A missing rate lets everyone pass. */
export interface Campaign extends Omit<Assumptions, "history"> {
  readonly learned?: Learned
}

/** Observations of some of the rates. Those of a rate that the campaign does not have are ignored. */
export type Evidence = NonNullable<Campaign["evidence"]>
/**
 * The counts that a rate was measured on: `observed` successes in `out_of` trials, whole numbers, the first at most the
 * second.
 */
export type Observation = NonNullable<Evidence[RateName]>

/**
 * The upper bound of a rate of a campaign, in hundredths of a percent: there are at most as many replies as contacts.
 */
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

const learned = Schema.optionalKey(Schema.Struct({ alpha: Schema.Finite, beta: Schema.Finite }))

/** The Beta distributions of rates that were learned from past campaigns. */
export const Learned = Schema.Struct(membersOf(rateNames, () => learned))
export type Learned = typeof Learned.Type
