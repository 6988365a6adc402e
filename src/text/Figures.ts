const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })
const long = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 })
const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A whole number. */
export const integer = (value: number): string => whole.format(value)

/** So many things by their name: `1 second`, `1,200 seconds`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${integer(count)} ${count === 1 ? one : many}`

/** A number of people, to 2 decimals, or to 4 below 1. */
export const people = (count: number): string => (count < 1 ? long : short).format(count)

/** A number to 4 decimals. */
export const figure = (value: number): string => long.format(value)

/** An amount of money: whole, or with 2 decimals. */
export const money = (value: number): string => (Number.isInteger(value) ? whole : cents).format(value)

/** A percentage. */
export const percent = (value: number): string => `${long.format(value)}%`
