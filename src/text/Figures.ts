const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
const average = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 0,
  maximumSignificantDigits: 3,
  roundingPriority: "morePrecision"
})
const long = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 })
const short = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
  useGrouping: true
})
const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A whole number; most are small, and written far faster without a formatter. */
export const integer = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : whole.format(value)

/** The noun for a number of things. */
export const noun = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** A number with its noun: `1 second`, `1,200 seconds`. */
export const counted = (count: number, one: string, many?: string): string =>
  `${integer(count)} ${noun(count, one, many)}`

/** A number of people on average: to 3 digits, or whole from 100 on. */
export const people = (count: number): string => average.format(count)

/** A number to 4 decimals. */
export const figure = (value: number): string => long.format(value)

/** An amount of money: whole, or with 2 decimals below 100,000. A minus is a minus sign. */
export const money = (value: number): string =>
  (Math.abs(value) >= 100_000 || Number.isInteger(value) ? whole : cents).format(value).replace("-", "−")

/** Rounds an amount to 3 digits, of which at most 2 are decimals; one that would look like 0 has 2 digits instead. */
const inSentence = (roundingMode: "halfExpand" | "ceil" | "floor") => {
  const digits = (most: number, decimals: number) =>
    new Intl.NumberFormat("en-US", {
      maximumSignificantDigits: most,
      maximumFractionDigits: decimals,
      roundingPriority: "lessPrecision",
      roundingMode
    })
  const visible = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2, roundingMode })
  const three = digits(3, 2)
  return (amount: number): string => {
    const text = (Math.abs(amount) < 0.01 ? visible : three).format(amount)
    return (text.at(-2) === "." ? `${text}0` : text).replace(/^-0$/, "0").replace("-", "−")
  }
}

/**
 * An amount of money in a sentence: 8,780 for 8,775 and 46.20 for 46.15. What was typed is never rounded, and `money`
 * shows an amount in full.
 */
export const about = inSentence("halfExpand")

/** The same for an amount that is needed at least, rounded up. */
export const aboutAtLeast = inSentence("ceil")

/** The same for an amount that may be spent or is earned at most, rounded down. */
export const aboutAtMost = inSentence("floor")

/** A percentage. */
export const percent = (value: number): string => `${long.format(value)}%`

/** A percentage to 2 decimals. */
export const shortPercent = (value: number): string => `${short.format(value)}%`

/** `× 1.47`, or `× < 0.01` for a factor that would be shown as 0. */
export const times = (factor: number): string => (factor < 0.005 ? "× < 0.01" : `× ${cents.format(factor)}`)

/** A number in short form: 12K, 1.5M. */
export const brief = (value: number): string =>
  (Math.abs(value) < 10_000 ? short : compact).format(value).replace("-", "−")

/** The number from which the short form is used where space is limited. */
const manyDigits = 10_000_000

/** Writes a number, in the form that suits the greatest one beside it. */
type Show = (value: number, greatest?: number) => string

const orShort =
  (show: (value: number) => string): Show =>
  (value, greatest = value) =>
    Math.abs(greatest) >= manyDigits ? brief(value) : show(value)

/** An amount of money, a number of people, and a number to 4 decimals, in short form from ten million on. */
export const shortAbout = orShort(about)
export const shortPeople = orShort(people)
export const shortFigure = orShort(figure)

/** A range of numbers, both in the same form, or the one number that it has. */
export const range = (low: number, high: number, show: Show): string => {
  const greatest = Math.max(Math.abs(low), Math.abs(high))
  return low === high ? show(low) : `${show(low, greatest)} to ${show(high, greatest)}`
}

/** A number of clients with its noun. */
export const clients = (count: number): string => `${people(count)} ${noun(count, "client")}`

interface ClientRange {
  readonly low: number
  readonly high: number
}

/** A range of clients with its noun: `0 to 8 clients`, `0 or 1 client`. */
export const clientRange = ({ high, low }: ClientRange, show = shortPeople): string =>
  `${high === low + 1 ? `${show(low)} or ${show(high)}` : range(low, high, show)} ${noun(high, "client")}`

/** `Expect 0 to 8 clients`. */
export const expectedClients = (clients: ClientRange): string =>
  `Expect ${clients.high === 0 ? "no client" : clientRange(clients)}`
