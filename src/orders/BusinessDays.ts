import { DateTime, Option } from "effect"

const day = 86_400_000

/** The date of a time in UTC, as in 2026-11-21. */
const dateOf = (millis: number) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis))

/** Whether a text is a date of the calendar, as in 2026-11-21: 2026-02-30 is none. */
export const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (time) => DateTime.formatIsoDateUtc(time) === text)

/** Holidays from dates as in 2026-12-25, separated by commas; none where one is no date. */
export const parseHolidays = (text: string): Option.Option<ReadonlySet<string>> => {
  const dates = text.split(",").map((date) => date.trim())
  return dates.every(isDate) ? Option.some(new Set(dates)) : Option.none()
}

/** 1970-01-01 was a Thursday. */
const isBusinessDay = (millis: number, holidays: ReadonlySet<string>) =>
  ![2, 3].includes(Math.floor(millis / day) % 7) && !holidays.has(dateOf(millis))

const nextBusinessDay = (millis: number, holidays: ReadonlySet<string>): number =>
  isBusinessDay(millis + day, holidays) ? millis + day : nextBusinessDay(millis + day, holidays)

/**
 * One business day after a time, both in milliseconds UTC: the same time on the next business day. Saturdays, Sundays and
 * `holidays` are none; what comes on one of them counts as come at 00:00 of the next business day.
 */
export const oneBusinessDayAfter = (millis: number, holidays: ReadonlySet<string>): number =>
  nextBusinessDay(
    isBusinessDay(millis, holidays) ? millis : nextBusinessDay(millis - (millis % day), holidays),
    holidays
  )
