const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
const average = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 0,
  maximumSignificantDigits: 3,
  roundingPriority: "morePrecision"
})
const long = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 })
const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A whole number. */
export const integer = (value: number): string => whole.format(value)

/** The noun for a number of things. */
export const noun = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** A number with its noun: `1 second`, `1,200 seconds`. */
export const counted = (count: number, one: string, many?: string): string =>
  `${integer(count)} ${noun(count, one, many)}`

/** A number of people on average: to 3 digits, or whole from 100 on. */
export const people = (count: number): string => average.format(count)

/** A number to 4 decimals. */
export const figure = (value: number): string => long.format(value)

/** An amount of money: whole, or with 2 decimals. */
export const money = (value: number): string => (Number.isInteger(value) ? whole : cents).format(value)

/** A percentage. */
export const percent = (value: number): string => `${long.format(value)}%`
