import { BigDecimal } from "effect"

/** A number that the service holds a request against, with the rows of published figures that it stands on. */
export interface Bound {
  readonly value: number
  /** The value, to compute with. */
  readonly exact: BigDecimal.BigDecimal
  /** What it is, or why it is this number, in words that can follow it. */
  readonly because: string
  /** Who published what it stands on, and when. */
  readonly from: string
  readonly rows: ReadonlyArray<number>
}

const bound = (value: number, because: string, from: string, ...rows: ReadonlyArray<number>): Bound => ({
  value,
  exact: BigDecimal.fromNumberUnsafe(value),
  because,
  from,
  rows
})

/** A rate of a request, in the unit in which it is held: flags outside of what anybody published, and what advice aims at. */
export interface RateBounds {
  readonly per: string
  /** Below it, a flag is raised. */
  readonly low: Bound
  /** Above it, a flag is raised. */
  readonly high: Bound
  /** What advice compares with. */
  readonly reference: Bound
}

/**
 * What the rates of a request are held against, in percent. Nearly all published reply rates are per contact, so the
 * reply rate is held times the emails to a contact; the close rate times the show rate, where there is one.
 */
export const rateBounds = {
  reply_rate: {
    per: "contact",
    low: bound(1.5, "the lowest published planning figure is 1.5 %", "Alchemail 2025/26", 3),
    high: bound(10, "the best tenth of senders gets 10.7 % of contacts", "Instantly 2026", 1, 2),
    reference: bound(3.43, "mean per contact", "Instantly 2026", 1)
  },
  positive_reply_rate: {
    per: "reply",
    low: bound(14, "the lowest published figure is 14.1 % of replies", "Prospeo 2026", 8),
    high: bound(60, "the highest published planning figure is 60 % of replies", "Alchemail 2025/26", 9, 10),
    reference: bound(50, "average", "Alchemail 2025/26", 9, 10)
  },
  meeting_booking_rate: {
    per: "positive reply",
    low: bound(20, "the lowest published figure is 30 % of positive replies", "important-emails.com", 9, 10),
    high: bound(80, "the highest published figure is 80 % of positive replies", "important-emails.com", 10),
    reference: bound(45, "average", "Alchemail 2025/26", 9)
  },
  close_rate: {
    per: "booked meeting",
    low: bound(5, "the lowest published band starts at 5 % of meetings", "important-emails.com", 11, 12),
    high: bound(30, "the highest published band ends at 30 % of meetings", "important-emails.com", 11, 12),
    reference: bound(15, "middle of 10 to 20 % for outbound", "Wryko 2026", 12)
  }
} as const satisfies { readonly [rate: string]: RateBounds }

export type BoundRate = keyof typeof rateBounds

/** What advice compares a rate with where a request has it; nothing is flagged. */
export const furtherReferences = {
  delivery_rate: bound(94.9, "100 % minus a mean bounce rate of 5.1 %", "Cleanlist 2026", 4),
  show_rate: bound(80, "average", "Alchemail 2025/26", 13)
} as const

/** 30 cold emails a mailbox and day, as recommended, over 20 sending days. */
export const emailsPerMailbox = bound(600, "30 emails a mailbox a day over 20 sending days", "Instantly", 16)

/** Emails above which the volume is flagged: a month's work of 30 mailboxes. */
export const highVolume = bound(18_000, "30 mailboxes at 600 emails a month", "Instantly", 16)

/** The chance of no client, from 0 to 1, above which a campaign is too small to say anything. */
export const smallSample = 0.2
