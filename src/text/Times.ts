import { DateTime } from "effect"

/** A day in milliseconds. */
export const dayLength = 86_400_000

/** A time in milliseconds UTC in ISO 8601. */
export const isoTime = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** The UTC day of a time in milliseconds, like 2026-11-23. */
export const dayOf = (millis: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis))

/** The UTC month of a time in milliseconds, like 2026-11. */
export const monthOf = (millis: number): string => dayOf(millis).slice(0, 7)

/** When a UTC month like 2026-11 ends, in milliseconds. */
export const endOfMonth = (month: string): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.makeUnsafe(`${month}-01T00:00:00Z`), { months: 1 }))
