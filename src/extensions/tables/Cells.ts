import type { Currency } from "../../input/Currency.ts"
import { isUnknown, visible } from "../../input/visible.ts"
import { type Notation, type Reading, readingsIn, readingsOf } from "./Notation.ts"
import { splitUnit, symbols } from "./readNumber.ts"

/** The kind of a cell. A count is a whole number, with whatever is written around it. */
export type CellKind = "empty" | "count" | "number" | "percentage" | "money" | "date" | "yes_no" | "address" | "text"

const yesNo = /^(?:yes|no|y|n|true|false|ja|nein|oui|non|sí|si|[✓✔✗✘☑☐✅❌])$/i

export const isYes = (text: string): boolean => /^(?:yes|y|true|ja|oui|sí|si|[✓✔☑✅])$/i.test(text)

const address =
  /^(?:mailto:)?[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$|^.*<[^\s@<>]+@[^\s@<>]+>$|^(?:https?:\/\/|www\.)\S+$|^\+\d[\d ()/.-]{6,}$/i
export const isAddress = (text: string): boolean => address.test(text)

const month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez)[a-zä]*\\.?"
const weekday = "(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,? )?"
const time = "\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?: ?[ap]\\.?m\\.?)?"
const dates: ReadonlyArray<RegExp> = [
  /^\d{4}([-/.])\d{1,2}\1\d{1,2}(?:[T ,].*)?$/,
  /^\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})(?:[T ,].*)?$/,
  /^(?:19|20)\d{2}[-/](?:0?[1-9]|1[0-2])$/,
  /^(?:19|20)\d{2}[- ]?(?:W\d{1,2}|Q[1-4])$|^(?:W|KW|Week|Q)[- ]?\d{1,2}[-/ ,]*(?:(?:19|20)\d{2})?$/i,
  new RegExp(`^${weekday}${month} \\d{1,2}(?:st|nd|rd|th)?(?:,? (?:\\d{4}|'\\d{2}))?(?:,? (?:at )?${time}.*)?$`, "i"),
  new RegExp(
    `^${weekday}\\d{1,2}(?:st|nd|rd|th|\\.)?[ -]${month}(?:,?[ -](?:\\d{4}|'?\\d{2}))?(?:,? (?:at )?${time}.*)?$`,
    "i"
  ),
  new RegExp(`^${month}[ -](?:\\d{4}|'?\\d{2})$`, "i"),
  new RegExp(`^${time}$`, "i"),
  /^(?:today|yesterday|(?:\d+|an?|last) (?:minute|hour|day|week|month|year)s?(?: ago)?)$/i
]
export const isDate = (text: string): boolean => dates.some((form) => form.test(text))

const digits = String.raw`\d+(?:[.,' ]\d+)*`
const sign = String.raw`[<>~≈+±-]? ?`
const rate = String.raw`${sign}\d+(?:[.,']\d+)* ?(?:%|percent|pct\.?|‰)`
const between = String.raw` ?[([{|/·•–—:;,-]+ ?`
const things = String.raw`(?:e-?mails?|mails?|messages?|repl(?:y|ies)|responses?|people|persons?|contacts?|leads?|prospects?|recipients?|meetings?|calls?|demos?|clients?|customers?|deals?|sent|delivered|replied|times|total|x)`

const percentage = new RegExp(`^\\(?(?:${rate}|% ?${digits})\\)?$`, "i")
/** A count with what people and tools write around it; the number itself is its only group. */
const counts: ReadonlyArray<RegExp> = [
  new RegExp(`^\\+?(${digits}(?: ?[km])?)$`, "i"),
  new RegExp(`^[([](${digits})[)\\]]$`),
  // 1,198 (96.6%), 56 | 4.5%
  new RegExp(`^(${digits})(?:${between}| )\\(?${rate}\\)?[)\\]}]?$`, "i"),
  // 4.5% (56)
  new RegExp(`^${rate}${between}(${digits})[)\\]}]?$`, "i"),
  // 56 of 1,240, 56 of 1,240 (4.5%)
  new RegExp(
    `^(${digits}) ?(?:of|out of|von|de|sur|from) ?${digits}(?: ?${things})?(?:${between}${rate}[)\\]}]?)?$`,
    "i"
  ),
  // 1,240 emails
  new RegExp(`^(${digits}) ?${things}(?:${between}${rate}[)\\]}]?)?$`, "i"),
  // 56 (1,240)
  new RegExp(`^(${digits}) [([]${digits}[)\\]]$`)
]
/** 56/1,240, 56/1,240 (4.5%): not a date, as it is no month or day. */
const fraction = new RegExp(`^(${digits}) ?/ ?(${digits})(?:${between}${rate}[)\\]}]?)?$`, "i")

/** The text of a cell as far as it is read, and what it is as far as it is seen without the other cells. */
export interface Cell {
  readonly text: string
  readonly kind: CellKind
  /** The readings of the number in it; several where only other cells say what its signs mean. */
  readonly readings: ReadonlyArray<Reading>
  /** The currency of an amount that is written with one. */
  readonly currency?: Currency | undefined
}

/** The readings of the count in a text with other things. */
const countReadings = (text: string): ReadonlyArray<Reading> => {
  for (const form of counts) {
    const [, written] = form.exec(text) ?? []
    if (written !== undefined) return readingsOf(written)
  }
  const [, part = "", whole = ""] = fraction.exec(text) ?? []
  const [a, b] = [readingsOf(part), readingsOf(whole)]
  return b.length > 0 && wholeOf(b) > 31 && wholeOf(a) <= wholeOf(b) ? a : []
}

/** The value of a number whose signs are unclear, if they are between thousands: people and emails are counted. */
const wholeOf = (readings: ReadonlyArray<Reading>): number =>
  (readings.find(({ grouping }) => grouping !== undefined) ?? readings[0])?.value ?? Number.NaN

/** The readings of a percentage, or of a rate in a thousand, as a percentage; those up to 100 if there are any. */
const percentageReadings = (text: string): ReadonlyArray<Reading> => {
  const [written = ""] = /-?\d[\d.,' ]*/.exec(text) ?? []
  const scale = text.includes("‰") ? 10 : 1
  const readings = readingsOf(written.trim()).map((reading) => ({ ...reading, value: reading.value / scale }))
  const rates = readings.filter(({ value }) => value <= 100)
  return rates.length > 0 ? rates : readings
}

/** The readings of an amount, with a minus or in brackets if it is below 0, and its currency; undefined if it is none. */
const amountIn = (text: string): Pick<Cell, "readings" | "currency"> | undefined => {
  const { currency, number, unit } = splitUnit(text.replace(/^\((.*)\)$/, "-$1").replace(/^\+/, ""))
  const readings = unit === "money" ? readingsOf(number) : []
  return readings.length === 0 ? undefined : { readings, currency }
}

/** Nobody writes a number or a date in more characters. */
const maxNumeric = 200

/** Reads a cell by itself. */
export const readCell = (written: string): Cell => {
  // ="text" marks text in Excel.
  const text = visible(written).replace(/^="?(.*?)"?$/, "$1")
  const other = (kind: CellKind): Cell => ({ text, kind, readings: [] })
  if (text.length > maxNumeric) return other("text")
  if (isUnknown(text)) return other("empty")
  if (yesNo.test(text)) return other("yes_no")
  const numeric = symbols(text)
  if (isUnknown(numeric)) return other("empty")
  if (percentage.test(numeric)) return { text, kind: "percentage", readings: percentageReadings(numeric) }
  const amount = amountIn(numeric)
  if (amount !== undefined) return { text, kind: "money", ...amount }
  if (isDate(numeric)) return other("date")
  if (isAddress(text)) return other("address")
  const readings = countReadings(numeric)
  if (readings.length > 0) return { text, kind: Number.isInteger(wholeOf(readings)) ? "count" : "number", readings }
  return /^-?\d/.test(numeric) && readingsOf(numeric).length > 0
    ? { text, kind: "number", readings: readingsOf(numeric) }
    : other("text")
}

/**
 * The count in a cell, in the notation of its column, else of its table; without either, `5.000` is 5,000, as people,
 * emails and replies are counted in whole numbers. Undefined if the cell is not a count; "unclear" if its table writes
 * it both ways.
 */
export const countIn = (
  { kind, readings }: Cell,
  column: Notation,
  table: Notation
): number | "unclear" | undefined => {
  if (kind !== "count") return undefined
  const own = readingsIn(readings, column)
  const [first] = own
  if (own.length === 1 && first !== undefined) return Number.isInteger(first.value) ? first.value : undefined
  const ofTable = readingsIn(readings, table)
  return ofTable.length === 1 && ofTable[0]?.decimal !== undefined ? "unclear" : wholeOf(readings)
}

/**
 * The number in a cell, such as a percentage or an amount, in the notation of its column, else of its table, else in
 * that of English. Undefined if the cell has none.
 */
export const numberIn = ({ readings }: Cell, column: Notation, table: Notation): number | undefined => {
  const [own, ofTable] = [readingsIn(readings, column), readingsIn(readings, table)]
  return (own.length === 1 ? own : ofTable.length === 1 ? ofTable : readings)[0]?.value
}
