import { DateTime } from "effect"

const day = 86_400_000

/** The date of a time (milliseconds UTC), like 2026-11-21. */
const dateOf = (millis: number) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis))

/** 1970-01-01 was a Thursday. */
const isBusinessDay = (millis: number, holidays: ReadonlySet<string>) =>
  ![2, 3].includes(Math.floor(millis / day) % 7) && !holidays.has(dateOf(millis))

const nextBusinessDay = (millis: number, holidays: ReadonlySet<string>): number =>
  isBusinessDay(millis + day, holidays) ? millis + day : nextBusinessDay(millis + day, holidays)

/**
 * One business day after a time, both in milliseconds UTC: the same time on the next business day. Saturdays, Sundays and
 * `holidays` are not business days; a time on one of them counts as 00:00 of the next business day.
 */
export const oneBusinessDayAfter = (millis: number, holidays: ReadonlySet<string>): number =>
  nextBusinessDay(
    isBusinessDay(millis, holidays) ? millis : nextBusinessDay(millis - (millis % day), holidays),
    holidays
  )
