import { countNouns, countsOfRate } from "../../campaign/Rates.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import type { AssessedCampaign } from "../benchmarks/RiskFlags.ts"
import { compare, type Decimal, percentOf, roundVisibly, times, isZero, whole } from "../Decimal.ts"
import { countText, emailsText, rateText, withNoun } from "../Words.ts"

/** Gives a sentence or two of advice, or none. */
export type Advice = (assessed: AssessedCampaign) => string | undefined

/** True if the cost of a campaign is known: above 0, and apparently complete. */
export const hasKnownCost = ({ campaign: { campaign_cost: cost }, flags }: AssessedCampaign): boolean =>
  cost !== undefined && !isZero(cost) && !flags.includes("cost_looks_incomplete")

const ten = whole(10)

/** True if a campaign costs more than ten times its revenue, so that no single change can save it. */
export const isHopeless = ({ campaign: { campaign_cost: cost }, funnel: { revenue } }: AssessedCampaign): boolean =>
  cost !== undefined && revenue !== undefined && revenue.value > 0 && compare(cost, times(revenue, ten)) > 0

/** The emails that the 30 mailboxes of `highVolume` send in three years: a campaign that takes longer is not a plan. */
const longest = whole(36 * 18_000)

/** True if a campaign has more emails than could be sent in three years. */
export const isBeyondSending = ({ emails_sent }: Assumptions): boolean => compare(emails_sent, longest) > 0

/** Words for the figure that another replaces; nothing if both look the same. */
export const insteadOf = (text: string, other: string): string => (text === other ? "" : ` instead of ${other}`)

/** The clients that the emails of a plan would bring, instead of others. */
export const wouldBring = ({ emails_sent: emails }: Assumptions, clients: Decimal, others: Decimal): string => {
  const text = countText(clients)
  return `${emailsText(emails)} would bring ${withNoun(text, "client")}${insteadOf(text, countText(others))}`
}

/** Words for the share that no automatic reply changes: `positive replies stay 0.07% of emails`. */
export const positiveStay = (assumptions: Assumptions): string => {
  const { positive_reply_rate: positive, reply_rate: replies } = assumptions
  const [, of] = countNouns[countsOfRate(assumptions, "reply_rate").trials]
  return `positive replies stay ${rateText(roundVisibly(percentOf(replies, positive), 2))} of ${of}`
}
