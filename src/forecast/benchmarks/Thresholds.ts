import { BigDecimal } from "effect"
import { type Decimal, hundred } from "../Decimal.ts"
import type { OptionalRate, RateName, RequiredRate, StageUnit } from "../../campaign/Rates.ts"

/** The denominators of published rates: a stage, or contacts, each of whom gets some of the emails that arrive. */
export type Unit = StageUnit | "contact"

/** A number that the service compares requests with, and the rows of published figures that it is based on. */
export interface Bound {
  readonly value: number
  /** The value as an exact decimal. */
  readonly exact: BigDecimal.BigDecimal
  /** The kind of number, or the reason for it, in words that can follow it. */
  readonly because: string
  /** The publisher and year of its basis, and whether it is only known from a quotation. */
  readonly from: string
  readonly rows: ReadonlyArray<number>
}

/** A bound of a rate, in percent. */
export interface RateBound extends Bound {
  readonly per: Unit
}

/** The figure that advice compares a rate with: a measurement, or a planning figure. */
export interface Reference extends RateBound {
  readonly of: RateName
  readonly isMeasured: boolean
}

const bound = (value: number, because: string, from: string, ...rows: ReadonlyArray<number>): Bound => ({
  value,
  exact: BigDecimal.fromNumberUnsafe(value),
  because,
  from,
  rows
})

const rate = (per: Unit, ...figure: Parameters<typeof bound>): RateBound => ({ ...bound(...figure), per })

const reference =
  (isMeasured: boolean) =>
  (of: RateName, ...figure: Parameters<typeof rate>): Reference => ({ ...rate(...figure), of, isMeasured })

const measured = reference(true)
const planned = reference(false)

const alchemail = "Alchemail 2025/26"
const clientium = "Clientium 2026, CC BY 4.0, clientium.it/osservatorio/"
const guide = "important-emails.com"
const instantly = "Instantly 2026, quoted by another"
const wryko = "Wryko 2026, quoted by another"
const prospeo = "Prospeo 2026, quoted by another"

/**
 * A rate of a request is flagged if it is below a low bound or above a high one. A bound holds for the requests whose
 * rate can be expressed in its unit.
 */
export interface RateBounds {
  readonly low: ReadonlyArray<RateBound>
  readonly high: ReadonlyArray<RateBound>
}

/**
 * The bounds of rates: the lowest quarter and the best tenth of a published distribution; without one, a number beyond
 * every planning figure in that unit, or half of a mean, which half of the senders are below.
 */
export const rateBounds = {
  reply_rate: {
    low: [rate("email", 1.05, "the lowest quarter of 556 campaigns gets less than 1.05%", clientium, 18)],
    high: [
      rate("email", 3.79, "the best tenth of 556 campaigns gets more", clientium, 18),
      rate("contact", 10.7, "only the best tenth of senders gets more than 10.7% of contacts", instantly, 1)
    ]
  },
  positive_reply_rate: {
    low: [rate("reply", 7, "half of a measured mean, 14.1% of replies", prospeo, 8)],
    high: [rate("reply", 60, "the highest planning figure is 60% of replies", alchemail, 9, 10)]
  },
  meeting_booking_rate: {
    low: [rate("positive reply", 20, "well below the lowest planning figure, 30% of positive replies", guide, 9, 10)],
    high: [rate("positive reply", 80, "the highest planning figure is 80% of positive replies", guide, 10)]
  },
  close_rate: {
    low: [
      rate("booked meeting", 2.6, "the lowest planning figures make 2.6% of booked meetings", alchemail, 13),
      rate("held meeting", 3.75, "the lowest planning figures make 3.75% of held meetings", alchemail, 13)
    ],
    high: [rate("booked meeting", 30, "the highest planning figure is 30% of booked meetings", guide, 11, 12)]
  }
} as const satisfies { readonly [rate in RequiredRate]?: RateBounds }

export type BoundRate = keyof typeof rateBounds

/** The fewest emails of each of the published campaigns. */
export const fewestPublished = 500

/** The delivery rate below which the list is flagged, in percent of emails. */
export const minDelivery = rate(
  "email",
  93.72,
  "bounces above twice the measured mean of 3.14% of emails",
  clientium,
  18
)

const closing = (value: number, band: string, deals: string) =>
  planned("close_rate", "booked meeting", value, `planning figure, the middle of ${band} for deals ${deals}`, guide, 11)

/** The figures that advice compares rates with, in percent. */
export const references = {
  delivered: measured(
    "delivery_rate",
    "email",
    96.86,
    "100% minus the measured mean bounce rate of 3.14%",
    clientium,
    18
  ),
  repliesPerEmail: measured("reply_rate", "email", 1.71, "measured median of 556 campaigns", clientium, 18),
  repliesPerContact: measured("reply_rate", "contact", 3.43, "measured mean", instantly, 1),
  positive: measured("positive_reply_rate", "reply", 14.1, "measured mean", prospeo, 8),
  /** No advice is given for a rate between the measured mean and this. */
  positiveInPlans: planned("positive_reply_rate", "reply", 40, "lowest planning figure", alchemail, 9),
  booked: planned("meeting_booking_rate", "positive reply", 45, "planning figure", alchemail, 9),
  held: planned("show_rate", "booked meeting", 80, "planning figure", alchemail, 13),
  closedOfSmallDeals: closing(25, "20 to 30%", "below 5,000 USD"),
  closedOfMiddleDeals: closing(20, "15 to 25%", "of 5,000 to 20,000 USD"),
  closedOfLargeDeals: closing(15, "10 to 20%", "of 20,000 to 100,000 USD"),
  closedOfHugeDeals: closing(10, "5 to 15%", "above 100,000 USD"),
  closed: planned("close_rate", "booked meeting", 15, "planning figure, the middle of 10 to 20%", wryko, 12)
} as const satisfies { readonly [name: string]: Reference }

/** The published figures of an optional rate. */
export interface OptionalFigures {
  /** The figure that advice compares it with. */
  readonly reference: Reference
  /** The lowest and the highest published ones. */
  readonly span: readonly [lowest: Decimal, highest: Decimal]
  /** The comparisons of later rates that take at least the reference, so that few who pass do not make these look low. */
  readonly atLeastIn: "bounds and references" | "references"
  /** The verb for those who pass, behind their percentage. */
  readonly pass: string
}

/** The figures of optional rates. A rate without an entry, here or in `rateBounds`, is compared with nothing. */
export const optionalFigures = {
  delivery_rate: {
    reference: references.delivered,
    span: [references.delivered.exact, hundred],
    atLeastIn: "references",
    pass: "arrive"
  },
  show_rate: {
    reference: references.held,
    span: [BigDecimal.make(70n, 0), BigDecimal.make(85n, 0)],
    atLeastIn: "bounds and references",
    pass: "of them are held"
  }
} as const satisfies { readonly [rate in OptionalRate]?: OptionalFigures }

/** 30 cold emails per mailbox and day, as recommended, over 20 sending days. */
export const emailsPerMailbox = bound(600, "30 emails per mailbox and day over 20 sending days", "Instantly", 16)

/** Emails above which the volume is flagged: a month's work of 30 mailboxes. */
export const highVolume = bound(18_000, "30 mailboxes at 600 emails a month", "Instantly", 16)

/** The cost of a meeting below which hours are likely to be missing; the currency of a request is unknown. */
export const leastMeetingCost = bound(30, "a fifth of the lowest published cost of a meeting", instantly, 15)

/** The chance of no client, from 0 to 1, above which a campaign is too small to be conclusive. */
export const smallSample = 0.2

/** The error that doubles may add to a chance. */
export const chanceError = 1e-12
