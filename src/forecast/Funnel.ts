import type { BigDecimal } from "effect"
import type { Assumptions } from "./Assumptions.ts"
import { percentOf, times } from "./Decimal.ts"

/** The exact stages of a campaign: counts of people, and revenue in the caller's currency (absent without a deal value). */
export interface Funnel {
  readonly replies: BigDecimal.BigDecimal
  readonly positiveReplies: BigDecimal.BigDecimal
  readonly meetings: BigDecimal.BigDecimal
  readonly clients: BigDecimal.BigDecimal
  readonly revenue: BigDecimal.BigDecimal | undefined
}

/** Computes each stage exactly from the stage before it; nothing is rounded here. */
export const funnel = (assumptions: Assumptions): Funnel => {
  const replies = percentOf(assumptions.emails_sent, assumptions.reply_rate)
  const positiveReplies = percentOf(replies, assumptions.positive_reply_rate)
  const meetings = percentOf(positiveReplies, assumptions.meeting_booking_rate)
  const clients = percentOf(meetings, assumptions.close_rate)
  const dealValue = assumptions.average_deal_value
  return {
    replies,
    positiveReplies,
    meetings,
    clients,
    revenue: dealValue === undefined ? undefined : times(clients, dealValue)
  }
}
