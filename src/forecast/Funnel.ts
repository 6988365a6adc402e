import type { BigDecimal } from "effect"
import type { Assumptions } from "./Assumptions.ts"
import { percentOf, times } from "./Decimal.ts"

/** The exact stages of a campaign: counts of people, and revenue in the caller's currency (absent without a deal value). */
export interface Funnel {
  /** Emails that are delivered; absent without a delivery rate. */
  readonly delivered: BigDecimal.BigDecimal | undefined
  readonly replies: BigDecimal.BigDecimal
  readonly positiveReplies: BigDecimal.BigDecimal
  readonly meetings: BigDecimal.BigDecimal
  /** Booked meetings that are held; absent without a show rate. */
  readonly meetingsHeld: BigDecimal.BigDecimal | undefined
  readonly clients: BigDecimal.BigDecimal
  readonly revenue: BigDecimal.BigDecimal | undefined
}

/** Computes each stage exactly from the stage before it; nothing is rounded here. */
export const funnel = (assumptions: Assumptions): Funnel => {
  const { delivery_rate, emails_sent, show_rate } = assumptions
  const delivered = delivery_rate === undefined ? undefined : percentOf(emails_sent, delivery_rate)
  const replies = percentOf(delivered ?? emails_sent, assumptions.reply_rate)
  const positiveReplies = percentOf(replies, assumptions.positive_reply_rate)
  const meetings = percentOf(positiveReplies, assumptions.meeting_booking_rate)
  const meetingsHeld = show_rate === undefined ? undefined : percentOf(meetings, show_rate)
  const clients = percentOf(meetingsHeld ?? meetings, assumptions.close_rate)
  const dealValue = assumptions.average_deal_value
  return {
    delivered,
    replies,
    positiveReplies,
    meetings,
    meetingsHeld,
    clients,
    revenue: dealValue === undefined ? undefined : times(clients, dealValue)
  }
}
