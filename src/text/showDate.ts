const long = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })
const short = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })

/** A time in milliseconds UTC for people: `23 November 2026 at 10:00 UTC`. */
export const showDate = (millis: number): string => `${long.format(millis)} UTC`

/** The same where there is little room, and something else says that it is in UTC: `23 Nov 2026, 10:00`. */
export const showShortDate = (millis: number): string => short.format(millis)

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" })

/** A day for people, like `20 November 2026`. */
export const showDay = (millis: number): string => day.format(millis)
