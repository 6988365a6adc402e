const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })
const long = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 })
const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** What stands for a figure that cannot be computed. */
export const unknown = "unknown"

/** A number of people, to 2 decimals, or to 4 below 1. */
export const people = (count: number): string => (count < 1 ? long : short).format(count)

/** A number to 4 decimals. */
export const figure = (value: number | null): string => (value === null ? unknown : long.format(value))

/** An amount of money: whole, or with 2 decimals. */
export const money = (value: number | null): string =>
  value === null ? unknown : (Number.isInteger(value) ? whole : cents).format(value)

/** A percentage. */
export const percent = (value: number | null): string => (value === null ? unknown : `${long.format(value)} %`)

/** A range of numbers, or the one number that it has. */
export const range = (low: string, high: string): string => (low === high ? low : `${low}–${high}`)
