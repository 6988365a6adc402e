import { currencySigns } from "../../input/Currency.ts"
import { isUnknown, visible } from "../../input/visible.ts"

/** The kind of a cell. A count is a whole number, with whatever is written around it. */
export type CellKind = "empty" | "count" | "number" | "percentage" | "money" | "date" | "yes_no" | "address" | "text"

/** A text that can be read as a number: by how its separators are read, or regardless of them. */
interface Written {
  readonly value: number
  /** The separators that the text proves, as no other reading of it is a number. */
  readonly decimal?: "." | ","
  readonly grouping?: "." | ","
  /** The separator before exactly three digits, which can be read either way, and the value if it is decimal. */
  readonly unclear?: "." | ","
  readonly asDecimal?: number
}

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
const money = new RegExp(
  `^\\(?[+-]?(?:${currencySigns} ?[+-]?${digits} ?[km]?|[+-]?${digits} ?[km]? ?${currencySigns})\\)?$`,
  "i"
)
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

const plain = (text: string, grouping: "." | ",") => Number(text.replaceAll(grouping, "").replace(",", "."))

/** Reads a number as written. Returns undefined if it is not a number in any notation. */
const readWritten = (text: string): Written | undefined => {
  const [, base = text, unit] = /^(.*\d) ?([km])$/i.exec(text) ?? []
  if (unit !== undefined) {
    const value = Number(base.replace(",", ".")) * (unit.toLowerCase() === "k" ? 1e3 : 1e6)
    return /^\d+(?:[.,]\d{1,2})?$/.test(base) ? { value: Math.round(value) } : undefined
  }
  if (/^\d+$/.test(text)) return { value: Number(text) }
  const spaced = /^(\d{1,3}(?:[ ']\d{3})+)(?:([.,])(\d+))?$/.exec(text)
  if (spaced !== null) {
    const [, whole = "", decimal, rest = ""] = spaced
    const value = Number(`${whole.replaceAll(/[ ']/g, "")}.${rest}`)
    return decimal === "." || decimal === "," ? { value, decimal } : { value }
  }
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(text)) return { value: plain(text, ","), grouping: ",", decimal: "." }
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return { value: plain(text, "."), grouping: ".", decimal: "," }
  if (/^\d{1,3}(?:,\d{3}){2,}$|^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(text)) {
    return { value: plain(text, ","), grouping: "," }
  }
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(text)) return { value: plain(text, "."), grouping: "." }
  const single = /^(\d+)([.,])(\d+)$/.exec(text)
  if (single === null) return undefined
  const [, whole = "", separator, rest = ""] = single
  if (separator !== "." && separator !== ",") return undefined
  const asDecimal = Number(`${whole}.${rest}`)
  return /^[1-9]\d{0,2}$/.test(whole) && rest.length === 3
    ? { value: Number(whole + rest), unclear: separator, asDecimal }
    : { value: asDecimal, decimal: separator }
}

/** The text of a cell as far as it is read, and what it is as far as it is seen without the other cells. */
export interface Cell {
  readonly text: string
  readonly kind: CellKind
  readonly number?: Written
}

const numberIn = (text: string): Written | undefined => {
  for (const form of counts) {
    const [, written] = form.exec(text) ?? []
    if (written !== undefined) return readWritten(written)
  }
  const [, part = "", whole = ""] = fraction.exec(text) ?? []
  const [a, b] = [readWritten(part), readWritten(whole)]
  return a !== undefined && b !== undefined && b.value > 31 && a.value <= b.value ? a : undefined
}

/** The digits of other scripts, by the 0 that they begin with. */
const toLatinDigit = (digit: string) => {
  const code = digit.codePointAt(0) ?? 0
  const zero = [0x0660, 0x06f0, 0x0966].find((first) => code >= first && code < first + 10)
  return zero === undefined ? digit : String(code - zero)
}

/**
 * The text of a cell for numbers: without what marks text in Excel, footnote signs and emphasis; digits, apostrophes and
 * minus signs of one form.
 */
const toNumeric = (text: string) =>
  text
    .replace(/^'(.*?)'?$/, "$1")
    .replaceAll(/\p{Nd}/gu, toLatinDigit)
    .replaceAll(/(?<=\d)_(?=\d{3})/g, "'")
    .replaceAll(/[*†‡§¹²³⁴]+$|^\*+/g, "")
    .normalize("NFKC")
    .replaceAll(/[’ʼ`´]/g, "'")
    .replaceAll("\u2212", "-")
    .trim()

/** Nobody writes a number or a date in more characters. */
const maxNumeric = 200

/** Reads a cell by itself. */
export const readCell = (written: string): Cell => {
  // ="text" marks text in Excel.
  const text = visible(written).replace(/^="?(.*?)"?$/, "$1")
  if (text.length > maxNumeric) return { text, kind: "text" }
  if (isUnknown(text)) return { text, kind: "empty" }
  if (yesNo.test(text)) return { text, kind: "yes_no" }
  const numeric = toNumeric(text)
  if (isUnknown(numeric)) return { text, kind: "empty" }
  if (percentage.test(numeric)) {
    const number = readWritten(numeric.replaceAll(/[^\d.,' ]/g, "").trim())
    return { text, kind: "percentage", ...(number === undefined ? {} : { number }) }
  }
  if (money.test(numeric)) return { text, kind: "money" }
  if (isDate(numeric)) return { text, kind: "date" }
  if (isAddress(text)) return { text, kind: "address" }
  const number = numberIn(numeric)
  if (number === undefined)
    return { text, kind: /^-?\d/.test(numeric) && readWritten(numeric.slice(1)) ? "number" : "text" }
  return { text, kind: Number.isInteger(number.value) ? "count" : "number", number }
}

/** The notation of numbers: the separators that cells prove to be decimal or grouping. */
export interface Notation {
  readonly decimal: ReadonlySet<string>
  readonly grouping: ReadonlySet<string>
}

export const notationOf = (cells: ReadonlyArray<Cell>): Notation => ({
  decimal: new Set(cells.flatMap(({ number }) => number?.decimal ?? [])),
  grouping: new Set(cells.flatMap(({ number }) => number?.grouping ?? []))
})

/** True if a notation says that a separator is decimal, false if it says that it groups; undefined if it says neither, or both. */
const isDecimal = (separator: "." | ",", { decimal, grouping }: Notation): boolean | undefined => {
  const other = separator === "." ? "," : "."
  const saysDecimal = decimal.has(separator) || grouping.has(other)
  const saysGrouping = grouping.has(separator) || decimal.has(other)
  return saysDecimal === saysGrouping ? undefined : saysDecimal
}

/**
 * The count in a cell, in the notation of its column, else of its table; without either, `5.000` is 5,000, as people,
 * emails and replies are counted in whole numbers. Undefined if the cell is not a count; "unclear" if its table writes
 * it both ways.
 */
export const countIn = (cell: Cell, column: Notation, table: Notation): number | "unclear" | undefined => {
  const { kind, number } = cell
  if (kind !== "count" || number === undefined) return undefined
  const { asDecimal, unclear, value } = number
  if (unclear === undefined || asDecimal === undefined) return value
  const own = isDecimal(unclear, column)
  if (own === false) return value
  if (own === true) return Number.isInteger(asDecimal) ? asDecimal : undefined
  return isDecimal(unclear, table) === true ? "unclear" : value
}

/** A number as written, without a dot that groups its digits if a notation has decimal commas; any other text as it is. */
export const withoutGroupingDot = (text: string, notation: Notation): string =>
  isDecimal(".", notation) === false ? text.replace(/^(\D*\d{1,3})\.(\d{3}\D*)$/, "$1$2") : text
