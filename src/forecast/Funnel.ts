import type { BigDecimal } from "effect"
import { percentOf, times } from "./Decimal.ts"
import type { Campaign } from "./outlook/Campaign.ts"

/**
 * The exact stages of a campaign: counts of emails and people, and revenue in the caller's currency. Delivered emails, held
 * meetings and revenue are absent without the rate or the deal value that they take.
 */
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
export const funnel = (campaign: Campaign): Funnel => {
  const { average_deal_value: dealValue, delivery_rate, emails_sent, show_rate } = campaign
  const delivered = delivery_rate === undefined ? undefined : percentOf(emails_sent, delivery_rate)
  const replies = percentOf(delivered ?? emails_sent, campaign.reply_rate)
  const positiveReplies = percentOf(replies, campaign.positive_reply_rate)
  const meetings = percentOf(positiveReplies, campaign.meeting_booking_rate)
  const meetingsHeld = show_rate === undefined ? undefined : percentOf(meetings, show_rate)
  const clients = percentOf(meetingsHeld ?? meetings, campaign.close_rate)
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
