import { BigDecimal } from "effect"

/**
 * A published figure used as planning reference. `value` is a percentage; `source` names who published it, when, and
 * what it is counted per. All are vendors' figures and count differently, so a reader must see the source beside them.
 */
export interface Benchmark {
  readonly value: BigDecimal.BigDecimal
  readonly source: string
}

const benchmark = (value: string, source: string): Benchmark => ({ value: BigDecimal.fromStringUnsafe(value), source })

/** Top quartile of senders. Counted per contact, while a request counts per email sent. */
export const replyRate = benchmark("5.5", "top quartile, Instantly 2026, per contact")

/** Middle of the planning band 40/50/60 %. */
export const positiveReplyRate = benchmark("50", "planning middle, Alchemail 2025–26, per reply")

/** Middle of the planning band 35/45/55 %. */
export const meetingBookingRate = benchmark("45", "planning middle, Alchemail 2025–26, per positive reply")

/** Middle of the planning band 15/22/30 %. */
export const closeRate = benchmark("22", "planning middle, Alchemail 2025–26, per opportunity")

/** 50 cold emails a mailbox and day over 20 sending days (Instantly 2025, Allston Labs, Puzzle Inbox 2026). */
export const emailsPerMailbox = BigDecimal.make(1000n, 0)
