import type { RiskFlag } from "../Assessment.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import type { Funnel } from "../Funnel.ts"
import type { Campaign } from "../outlook/Campaign.ts"
import type { Outlook } from "../outlook/Outlook.ts"

/** A campaign that advice is asked for: what was assumed, what comes of it exactly, how certain that is, and what is risky about it. */
export interface Case {
  /** The campaign as it was sent. */
  readonly request: Assumptions & Pick<Campaign, "learned">
  /** The same with rates that were measured in place of those that were given; all else stands on these. */
  readonly assumptions: Assumptions
  readonly funnel: Funnel
  readonly outlook: Outlook
  readonly flags: ReadonlyArray<RiskFlag>
}

/** A sentence or two of advice, or nothing where there is none to give. */
export type Advice = (campaign: Case) => string | undefined
