import type { RiskFlag } from "../Assessment.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import type { Campaign, Funnel } from "../Campaign.ts"
import type { Outlook } from "../outlook/Outlook.ts"

/** The campaign that advice is about: its assumptions, its exact results, how certain they are, and its risks. */
export interface AssessedCampaign {
  /** The campaign of the request. */
  readonly request: Assumptions & Pick<Campaign, "learned">
  /** The same with measured rates in place of the given ones; everything else is computed from these. */
  readonly assumptions: Assumptions
  readonly funnel: Funnel
  readonly outlook: Outlook
  readonly flags: ReadonlyArray<RiskFlag>
}

/** Gives a sentence or two of advice, or none. */
export type Advice = (campaign: AssessedCampaign) => string | undefined
