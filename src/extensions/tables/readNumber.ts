import type { NumberBounds } from "../../campaign/NumberBounds.ts"
import { showExact } from "../../forecast/Decimal.ts"
import { type Currency, splitCurrency } from "../../input/Currency.ts"
import { decimalOf } from "../../input/Schemas.ts"
import { visible } from "../../input/visible.ts"

/** A typed number: its value, or its error in words that follow the name of the field, and suggestions. */
export type NumberReading =
  | { readonly value: number }
  | { readonly fault: string; readonly suggestions: ReadonlyArray<number> }

/** The longest accepted text. */
const longest = 60

/** The page's own notation of numbers from 1,000 on. */
const ownNotation = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/

/** A number without the separators of the page's own notation, as addresses have it; any other text as it is. */
export const withoutSeparators = (text: string): string => (ownNotation.test(text) ? text.replaceAll(",", "") : text)

/** The notations of numbers. The page's own one is preferred if it makes sense. */
const notations: ReadonlyArray<readonly [form: RegExp, toPlain: (text: string) => string]> = [
  // 1,000.5
  [ownNotation, withoutSeparators],
  // 1000.5
  [/^-?(?:\d+\.?\d*|\.\d+)$/, (text) => text],
  // 1.000,5
  [/^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/, (text) => text.replaceAll(".", "").replace(",", ".")],
  // 1000,5, and 1000, while it is typed
  [/^-?(?:\d+,\d*|,\d+)$/, (text) => text.replace(",", ".")],
  // 1,50,000, as in India
  [/^-?[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/, (text) => text.replaceAll(",", "")],
  // 1 000,5 and 1'000.5
  [/^-?[1-9]\d{0,2}(?:[ ']\d{3})+(?:[.,]\d+)?$/, (text) => text.replaceAll(/[ ']/g, "").replace(",", ".")],
  // 5k and 2.5 m. With three decimals, it would be unclear whether they are thousands.
  [/^-?\d+(?:[.,]\d{1,2})? ?k$/i, (text) => text.replace(",", ".").replace(/ ?k/i, "e3")],
  [/^-?\d+(?:[.,]\d{1,2})? ?m$/i, (text) => text.replace(",", ".").replace(/ ?m/i, "e6")]
]

/** A typed text in plain characters. */
export const symbols = (text: string): string =>
  visible(text).normalize("NFKC").replaceAll("\u2212", "-").replaceAll(/[’ʼ`]/g, "'").trim()

/** The unit of a number, which may be written with it. */
export type Unit = "%" | "money" | ""

/** A number, the unit that was written with it, and the currency if that is its unit and was written too. */
interface Split {
  readonly number: string
  readonly unit: Unit
  readonly currency?: Currency | undefined
}

/** The number in a text with a unit, and that unit; an amount may have a dash for its cents: 600,-. */
export const splitUnit = (text: string): Split => {
  if (text.length > longest) return { number: text, unit: "" }
  const whole = text.replace(/(?<=\d)[.,][-–—]{1,2}(?=\D*$)/, "")
  const { amount, currency } = splitCurrency(whole)
  if (currency !== undefined || whole !== text) return { number: amount, unit: "money", currency }
  const [, rate] = /^(.*[\d.,]) ?(?:%|percent|per cent|pct\.?)$/i.exec(text) ?? []
  return rate === undefined ? { number: text, unit: "" } : { number: rate, unit: "%" }
}

const wrongUnits = { "%": "not a percentage", money: "not an amount of money" }

const isWithin = (
  value: number,
  { isMinimumExcluded = false, isWhole = false, maximum, minimum }: NumberBounds
): boolean => {
  const isAbove = value > minimum || (value === minimum && !isMinimumExcluded)
  return isAbove && value <= maximum && (!isWhole || Number.isInteger(value))
}

/**
 * Reads a typed number, in English notation or another one: of several readings, the one that is within the bounds is
 * used; if two of them are, there is no guess.
 */
export const readNumber = (text: string, bounds: NumberBounds, example: string, expected: Unit = ""): NumberReading => {
  if (text.length > longest) return { fault: `must have at most ${longest} characters`, suggestions: [] }
  const { number: written, unit } = splitUnit(symbols(text))
  if (unit !== "" && unit !== expected) {
    return { fault: `must be a number, ${wrongUnits[unit]}; write it like ${example}`, suggestions: [] }
  }
  const readings = notations.flatMap(([form, toPlain]) => (form.test(written) ? [Number(toPlain(written))] : []))
  const [first] = readings
  if (first === undefined) return { fault: `must be a number; write it like ${example}`, suggestions: [] }
  const [value = first, ...others] = readings.filter((reading) => isWithin(reading, bounds))
  const other = others.find((reading) => reading !== value)
  if (other === undefined || ownNotation.test(written)) return { value }
  return {
    fault: `can be read as ${value} or as ${other}; write ${other} without separators, or ${value}`,
    suggestions: [other, value]
  }
}

/** A typed number in the page's own notation; a text that is not a number, or not for sure, as it is. */
export const formatted = (text: string, bounds: NumberBounds, example: string): string => {
  const reading = readNumber(text, bounds, example)
  return "value" in reading ? showExact(decimalOf(reading.value)) : text
}
