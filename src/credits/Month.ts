import { DateTime } from "effect"

/** The UTC month of a time in milliseconds, like 2026-11. */
export const monthOf = (millis: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis)).slice(0, 7)

/** The end of a UTC month like 2026-11, in milliseconds. */
export const endOfMonth = (month: string): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.makeUnsafe(`${month}-01T00:00:00Z`), { months: 1 }))
