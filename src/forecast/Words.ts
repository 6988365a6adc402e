import { type CountName, countNouns } from "../campaign/Rates.ts"
import { counted, integer, people } from "../text/Figures.ts"
import { round, type Rounded, roundVisibly, type Decimal, show, showExact } from "./Decimal.ts"

/**
 * An expected count in about three digits: 3.75, 37.5 or 375. It is rounded from the four decimals in responses, like
 * on pages: from the exact value, 4.04496 would become 4.04, next to 4.05 for the 4.045 of the response.
 */
export const countText = (exact: Decimal): string => {
  const value = round(exact, 4)
  const hundredths = round(value, 2)
  if (hundredths.value < 1000) return hundredths.value === 0 && exact.value > 0 ? "fewer than 0.01" : show(hundredths)
  return show(round(value, hundredths.value < 10_000 ? 1 : 0))
}

/** A count as written, with its noun: `1 client`, `3.75 clients`. */
export const withNoun = (text: string, noun: string): string => `${text} ${noun}${text === "1" ? "" : "s"}`

/** A whole count of a campaign with its noun: `1 reply`, `2,000 emails`. */
export const countOf = (count: number, name: CountName): string => counted(count, ...countNouns[name])

export const clientsText = (value: Decimal): string => withNoun(countText(value), "client")

export const emailsText = (emails: Decimal): string => withNoun(countText(emails), "email")

const withTwoDecimals = (text: string): string => (text.at(-2) === "." ? `${text}0` : text)

/** An amount with two decimals, or none if both are 0: 160 or 937.50. */
export const amountText = (amount: Rounded): string => withTwoDecimals(show(amount))

/** An amount as it was typed, which is never rounded. */
export const typedText = (amount: Decimal): string => withTwoDecimals(showExact(amount))

/** A rate with up to four decimals; one with more is rounded to two, unless that would be 0. */
export const rateText = (rate: Decimal): string => `${show(roundVisibly(rate, rate.scale > 4 ? 2 : 4))}%`

export const percentText = (rate: Rounded): string => `${show(rate)}%`

/** `a`, `a and b`, `a, b and c`. */
export const listed = (items: ReadonlyArray<string>, conjunction = "and"): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} ${conjunction} ${items.at(-1) ?? ""}`

/** A chance as a number of 100 campaigns: `69 of 100`, or `fewer than 1 of 100` rather than 0. */
export const ofHundred = (chance: number): string => {
  const count = Math.round(chance * 100)
  if (chance === 0) return "none of 100"
  if (chance > 0 && count === 0) return "fewer than 1 of 100"
  if (chance < 1 && count === 100) return "more than 99 of 100"
  return `${count} of 100`
}

/** The same for a table: `< 1 of 100` and `> 99 of 100`. */
export const shortOfHundred = (chance: number): string =>
  ofHundred(chance).replace("fewer than", "<").replace("more than", ">")

/** A number of 10,000 emails, whole from 10 on: `150 of 10,000`. */
export const ofTenThousand = (count: number): string => `${count < 10 ? people(count) : integer(count)} of 10,000`

/** A text with a capital at its start. */
export const sentenceCase = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
