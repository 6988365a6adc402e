import { Result } from "effect"
import { CsvError, parse } from "csv-parse/sync"

/** A record of a CSV text (RFC 4180), with the number of its first line, from 1. */
export interface CsvRecord {
  readonly line: number
  /** Its cells, or its error. */
  readonly cells: Result.Result<ReadonlyArray<string>, string>
}

/** The longest accepted record, in characters. */
const longestRecord = 16 * 1024

const delimiters = [",", ";", "\t"] as const
type Delimiter = (typeof delimiters)[number]

/** The separator of a header line: the candidate that occurs most often outside quotes. */
const delimiterOf = (header: string): Delimiter => {
  const unquoted = header.replaceAll(/"[^"]*"/g, "")
  const count = (delimiter: Delimiter) => unquoted.split(delimiter).length
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best))
}

const problems: Readonly<Partial<Record<string, string>>> = {
  CSV_QUOTE_NOT_CLOSED: "has a quote that is not closed",
  INVALID_OPENING_QUOTE: 'has a quote within a cell; put the cell in quotes, and write the quote twice, like "6"" ad"',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote; write a quote within a cell twice, like "6"" ad"'
}

const parseRecord = (text: string, delimiter: Delimiter): CsvRecord["cells"] => {
  if (text.length > longestRecord) {
    return Result.fail(`is longer than ${longestRecord / 1024} KiB, or has a quote that is not closed`)
  }
  return Result.try({
    try: () => parse(text, { delimiter, relax_column_count: true, record_delimiter: "\n" })[0] ?? [],
    catch: (error) => (error instanceof CsvError ? problems[error.code] : undefined) ?? "is not a valid CSV record"
  })
}

/** The non-empty records of a text: a record ends where a line ends outside of quotes. */
function* recordTexts(text: string): Generator<{ readonly line: number; readonly text: string }, void, void> {
  let line = 1
  let start = 0
  let isQuoted = false
  let first = 1
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    if (character === "\n") line++
    if (character !== undefined && (character !== "\n" || isQuoted)) continue
    const record = text.slice(start, at)
    // Spreadsheets leave lines of nothing but delimiters and empty quotes.
    if (/[^\s,;"]/.test(record)) yield { line: first, text: record }
    start = at + 1
    first = line
  }
}

/**
 * Reads the records of a CSV text, the header first: commas, semicolons or tabs separate cells, whichever the
 * header has; lines end in any way; a byte order mark and empty records are skipped. Those after the first `most` are
 * not parsed, and have no cells. Where semicolons separate cells, numbers may have decimal commas.
 */
export const parseCsv = (text: string, most: number) => {
  const records: Array<CsvRecord> = []
  const withoutMark = text.startsWith("\uFEFF") ? text.slice(1) : text
  let delimiter: Delimiter | undefined
  for (const { line, text } of recordTexts(withoutMark.replaceAll(/\r\n?/g, "\n"))) {
    delimiter ??= delimiterOf(text)
    records.push({ line, cells: records.length < most ? parseRecord(text, delimiter) : Result.succeed([]) })
  }
  return { records, hasDecimalCommas: delimiter === ";" }
}

/** The characters that start a formula in a spreadsheet, including their full-width forms. */
const formula = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/

/**
 * A cell of a CSV text. Numbers stay numbers; a text that a spreadsheet would take for a formula is prefixed with an apostrophe,
 * so that it is shown and never run.
 */
export const csvCell = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A record of a CSV text, with the end of its line. */
export const csvLine = (cells: ReadonlyArray<string | number | null>): string => `${cells.map(csvCell).join(",")}\r\n`
