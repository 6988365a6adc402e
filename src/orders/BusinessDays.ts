import { dayLength, dayOf } from "../text/Times.ts"

/** 1970-01-01 was a Thursday. */
const isBusinessDay = (millis: number, holidays: ReadonlySet<string>) =>
  ![2, 3].includes(Math.floor(millis / dayLength) % 7) && !holidays.has(dayOf(millis))

const nextBusinessDay = (millis: number, holidays: ReadonlySet<string>): number =>
  isBusinessDay(millis + dayLength, holidays) ? millis + dayLength : nextBusinessDay(millis + dayLength, holidays)

/**
 * One business day after a time, both in milliseconds UTC: the same time on the next business day. Saturdays, Sundays and
 * `holidays` are not business days; a time on one of them counts as 00:00 of the next business day.
 */
export const oneBusinessDayAfter = (millis: number, holidays: ReadonlySet<string>): number =>
  nextBusinessDay(
    isBusinessDay(millis, holidays) ? millis : nextBusinessDay(millis - (millis % dayLength), holidays),
    holidays
  )
