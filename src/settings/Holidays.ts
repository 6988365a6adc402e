import { DateTime, Option } from "effect"

/** True if a text is an existing date, like 2026-11-21 but not 2026-02-30. */
export const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (time) => DateTime.formatIsoDateUtc(time) === text)

/** Parses dates like 2026-12-25, separated by commas; none if one of them is not a date. */
export const parseHolidays = (text: string): Option.Option<ReadonlySet<string>> => {
  const dates = text.split(",").map((date) => date.trim())
  return dates.every(isDate) ? Option.some(new Set(dates)) : Option.none()
}
