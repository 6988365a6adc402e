import type { NumberBounds } from "../../campaign/NumberBounds.ts"
import { showExact } from "../../forecast/Decimal.ts"
import { type Currency, splitCurrency } from "../../input/Currency.ts"
import { decimalOf } from "../../input/Schemas.ts"
import { visible } from "../../input/visible.ts"
import { readingsOf } from "./Notation.ts"

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

/** The digits of other scripts, by the 0 that they begin with. */
const toLatinDigit = (digit: string) => {
  const code = digit.codePointAt(0) ?? 0
  const zero = [0x0660, 0x06f0, 0x0966].find((first) => code >= first && code < first + 10)
  return zero === undefined ? digit : String(code - zero)
}

/**
 * A written number in plain characters: without what marks text in Excel, footnote signs and emphasis; digits,
 * apostrophes and minus signs of one form.
 */
export const symbols = (text: string): string =>
  visible(text)
    .replace(/^'(.*?)'?$/, "$1")
    .replaceAll(/\p{Nd}/gu, toLatinDigit)
    .replaceAll("\u066c", ",")
    .replaceAll("\u066b", ".")
    .replaceAll(/(?<=\d)_(?=\d{3})/g, "'")
    .replaceAll(/[*†‡§¹²³⁴]+$|^\*+/g, "")
    .replaceAll(/[’ʼ`´]/g, "'")
    .normalize("NFKC")
    .replaceAll("\u2212", "-")
    .trim()

/** The unit of a number, which may be written with it. */
export type Unit = "%" | "money" | ""

/** A number, the unit that was written with it, and the currency if that is its unit and was written too. */
interface Split {
  readonly number: string
  readonly unit: Unit
  readonly currency?: Currency | undefined
}

/** The words between a part and its whole, such as 1 in 4. */
const ofWhole = "(?:/|in|of|out of|von|aus|de|sur|en|di|su|van|op|z)"
const ratio = new RegExp(`^(\\d[\\d.,' ]*?) ?${ofWhole} ?(\\d[\\d.,' ]*)$`, "i")

/** A count, read as a whole number if it can be. */
const wholeIn = (text: string): number | undefined => {
  const readings = readingsOf(text)
  return (readings.find(({ value }) => Number.isInteger(value)) ?? readings[0])?.value
}

/** The percentage that a part is of its whole, and that; undefined if a text is no ratio. */
export const ratioIn = (text: string): { readonly percentage: number; readonly whole: number } | undefined => {
  const [, part = "", whole = ""] = ratio.exec(text) ?? []
  const [a, b] = [wholeIn(part), wholeIn(whole)]
  return a === undefined || b === undefined || b === 0 ? undefined : { percentage: (100 * a) / b, whole: b }
}

/**
 * The number in a text with a unit, and that unit; an amount may have a dash for its cents, as in 600,-, and a rate may
 * be a ratio, as in 1/4 or 1 in 4.
 */
export const splitUnit = (text: string): Split => {
  if (text.length > longest) return { number: text, unit: "" }
  const found = ratioIn(text)
  if (found !== undefined) return { number: String(Number(found.percentage.toPrecision(6))), unit: "%" }
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

/** A number in digits that have no other reading: `1.2340`, where 1.234 could be 1234. */
export const writtenPlainly = (value: number): string =>
  readingsOf(String(value)).length > 1 ? `${value}0` : String(value)

/**
 * Reads a typed number, in English notation or another one: of several readings, the one that is within the bounds is
 * used; if two of them are, there is no guess.
 */
export const readNumber = (text: string, bounds: NumberBounds, example: string, expected: Unit = ""): NumberReading => {
  if (text.length > longest) return { fault: `must have at most ${longest} characters`, suggestions: [] }
  const { number, unit } = splitUnit(symbols(text))
  if (unit !== "" && unit !== expected) {
    return { fault: `must be a number, ${wrongUnits[unit]}; write it like ${example}`, suggestions: [] }
  }
  // 1000, is a number that is still being typed.
  const written = number.replace(/,$/, "")
  const readings = readingsOf(written).map(({ value }) => value)
  const [first] = readings
  if (first === undefined) return { fault: `must be a number; write it like ${example}`, suggestions: [] }
  const [value = first, ...others] = readings.filter((reading) => isWithin(reading, bounds))
  const other = others.find((reading) => reading !== value)
  if (other === undefined || ownNotation.test(written)) return { value }
  return {
    fault: `can be read as ${value} or as ${other}; write ${other} without separators, or ${writtenPlainly(value)}`,
    suggestions: [other, value]
  }
}

/** A typed number in the page's own notation; a text that is not a number, or not for sure, as it is. */
export const formatted = (text: string, bounds: NumberBounds, example: string): string => {
  const reading = readNumber(text, bounds, example)
  const shown = "value" in reading ? showExact(decimalOf(reading.value)) : text
  // 1.2340 is a number, but 1.234 may be 1234.
  return "value" in readNumber(shown, bounds, example) ? shown : text
}
