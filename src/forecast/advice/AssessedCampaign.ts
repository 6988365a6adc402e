import type { RiskFlag } from "../benchmarks/RiskFlags.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import type { Campaign, Funnel } from "../Campaign.ts"
import type { Outlook, TestFirst } from "../outlook/Outlook.ts"

/** The campaign that advice is about: its assumptions, its exact results, how certain they are, and its risks. */
export interface AssessedCampaign {
  /** The campaign at the rates of the request. */
  readonly plan: Assumptions
  /** The same with learned rates in place of the given ones; everything else is computed from these. */
  readonly assumptions: Campaign
  readonly funnel: Funnel
  readonly outlook: Outlook
  readonly flags: ReadonlyArray<RiskFlag>
  /** What a test of a few lists brings. */
  readonly testFirst: TestFirst
}

/** Gives a sentence or two of advice, or none. */
export type Advice = (campaign: AssessedCampaign) => string | undefined
