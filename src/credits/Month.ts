import { DateTime } from "effect"

/** The UTC month of a time in milliseconds, like 2026-11. */
export const monthOf = (millis: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis)).slice(0, 7)
