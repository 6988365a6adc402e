import { DateTime } from "effect"

/** A day in milliseconds. */
export const dayLength = 86_400_000

/** A time in milliseconds UTC in ISO 8601. */
export const isoTime = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** The UTC day of a time in milliseconds, like 2026-11-23. */
export const dayOf = (millis: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis))

/** The UTC month of a time in milliseconds, like 2026-11. */
export const monthOf = (millis: number): string => dayOf(millis).slice(0, 7)

/** The start of a UTC day like 2026-11-23, in milliseconds. */
export const startOfDay = (day: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(`${day}T00:00:00Z`))

/** The end of a UTC month like 2026-11, in milliseconds. */
export const endOfMonth = (month: string): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.makeUnsafe(`${month}-01T00:00:00Z`), { months: 1 }))

const long = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })
const short = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })

/** A time in milliseconds UTC for people: `23 November 2026 at 10:00 UTC`. */
export const showDate = (millis: number): string => `${long.format(millis)} UTC`

/** The same in short form, where UTC is mentioned elsewhere: `23 Nov 2026, 10:00`. */
export const showShortDate = (millis: number): string => short.format(millis)

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" })

/** A day for people, like `20 November 2026`. */
export const showDay = (millis: number): string => day.format(millis)

const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" })

/** The time of day in UTC of a time in milliseconds, like `14:02:11`. */
export const showTime = (millis: number): string => time.format(millis)
