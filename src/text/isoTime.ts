import { DateTime } from "effect"

/** A time in milliseconds UTC as answers have it, in ISO 8601. */
export const isoTime = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))
