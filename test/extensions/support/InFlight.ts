import type { InFlight, Open, SoFar } from "../../../src/extensions/progress/DecidedCases.ts"
import { nothingOpen } from "../../../src/extensions/progress/DecidedCases.ts"
import { campaignOf } from "../../support/Campaigns.ts"

export const nothingSent: SoFar = { emails_sent: 0, replies: 0, positive_replies: 0, meetings: 0, clients: 0 }

/** The sample campaign with changes, of which a part is sent. */
export const flightOf = (
  changes: Parameters<typeof campaignOf>[0],
  soFar: SoFar,
  open: Partial<Open> = {},
  spread: "published" | "none" = "published"
): InFlight => ({ plan: { ...campaignOf(changes), spread }, soFar, open: { ...nothingOpen, ...open } })

/** The contract's example: the sample campaign, of which two fifths are sent. */
export const underWay: InFlight = flightOf(
  {},
  { emails_sent: 2_000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 },
  { replies: 7, positive_replies: 4, meetings: 2 }
)
