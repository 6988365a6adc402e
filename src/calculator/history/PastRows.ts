import { BigDecimal } from "effect"
import { pastCountBounds, pastEmailsBounds } from "../../campaign/NumberBounds.ts"
import { maxPastCampaigns, type PastCampaign, risingCounts } from "../../campaign/PastCampaigns.ts"
import type { FieldError } from "../../input/InvalidInput.ts"
import { readNumber } from "../readNumber.ts"
import { type ColumnName, columns, labelOf, recognize } from "./Columns.ts"
import { joinTable, splitTable } from "./Table.ts"

/** The name of the form's field, which holds a table of past campaigns. */
export const historyField = "history"

/** The cells of a past campaign, as written. */
export type Cells = { readonly [column in ColumnName]?: string }

/** Past campaigns as written, with all errors, or their counts. */
export interface HistoryReading {
  readonly rows: ReadonlyArray<Cells>
  /** The names of unused columns. */
  readonly unused: ReadonlyArray<string>
  readonly errors: ReadonlyArray<FieldError>
  readonly campaigns: ReadonlyArray<PastCampaign>
}

const longestName = 100

/** A campaign in the short form of addresses: its counts and its name, separated by dots. */
const shortCampaign = /^\d+(?:\.\d*){0,6}(?:\.[^\n\t]*)?$/

/**
 * True if a text is the short form of past campaigns, separated by underscores. Each is tested by itself: one expression
 * for all of them would backtrack exponentially.
 */
const isShort = (text: string): boolean => text.split("_").every((campaign) => shortCampaign.test(campaign))

const [, ...counts] = columns

const fromShort = (text: string): ReadonlyArray<Cells> =>
  text.split("_").map((row) => {
    const parts = row.split(".")
    const cells: { [column in ColumnName]?: string } = {}
    for (const [index, { name }] of counts.entries()) cells[name] = parts[index] ?? ""
    const name = parts.slice(counts.length).join(".")
    return { ...cells, name: name.replaceAll("*1", "_").replaceAll("*0", "*") }
  })

/** Past campaigns in the short form of addresses. */
export const toShort = (campaigns: ReadonlyArray<PastCampaign>): string =>
  campaigns
    .map((campaign) => {
      const name = (campaign.name ?? "").replaceAll("*", "*0").replaceAll("_", "*1")
      return [...counts.map((column) => (column.name === "name" ? "" : (campaign[column.name] ?? ""))), name]
        .join(".")
        .replace(/\.+$/, "")
    })
    .join("_")

/** The meanings of the columns of a header; of several with the same meaning, only one is used. */
export const assignColumns = (header: ReadonlyArray<string>): ReadonlyArray<ColumnName | undefined> => {
  const found = header.map((name) => recognize(name))
  return found.map((each, index) => {
    if (each === undefined) return undefined
    const same = found.flatMap((other, place) => (other?.column === each.column ? [{ ...other, place }] : []))
    // A column of emails comes before one of contacts.
    const chosen = same.find(({ isOfContacts }) => !isOfContacts) ?? same[0]
    return chosen?.place === index ? each.column : undefined
  })
}

/** The cells of rows, by the meanings of their columns. */
export const cellsOf = (
  assigned: ReadonlyArray<ColumnName | undefined>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<Cells> =>
  rows.map((row) =>
    Object.fromEntries(assigned.flatMap((column, index) => (column === undefined ? [] : [[column, row[index] ?? ""]])))
  )

/** Past campaigns as the text of a table with a header. */
export const tableOf = (rows: ReadonlyArray<Cells>): string =>
  rows.length === 0
    ? ""
    : joinTable([columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ name }) => row[name] ?? ""))])

const fault = (message: string, code: FieldError["code"] = "invalid_format"): FieldError => ({
  pointer: `/${historyField}`,
  code,
  message
})

const unreadable = (error: FieldError): HistoryReading => ({ rows: [], unused: [], errors: [error], campaigns: [] })

/** The counts of a campaign, or their errors, by its position in the table. */
const readRow = (cells: Cells, place: number): HistoryReading["errors"] | PastCampaign => {
  const errors: Array<FieldError> = []
  const fail = (column: ColumnName, code: FieldError["code"], message: string) =>
    errors.push({ pointer: `/${historyField}/${place}/${column}`, code, message })
  const read: { [column in ColumnName]?: number } = {}
  for (const { name } of counts) {
    const text = cells[name] ?? ""
    if (text === "") continue
    const reading = readNumber(text, name === "emails_sent" ? pastEmailsBounds : pastCountBounds, "120")
    if ("value" in reading) read[name] = BigDecimal.toNumberUnsafe(reading.value)
    else fail(name, reading.fault.code, reading.fault.message)
  }
  const { emails_sent, name: _, ...others } = read
  if ((cells.emails_sent ?? "") === "") fail("emails_sent", "required", "is missing")
  if (emails_sent === undefined) return errors
  for (const { before, name } of risingCounts({ ...others, emails_sent })) {
    fail(name, "out_of_range", `must be at most the number of ${labelOf(before).toLowerCase()}`)
  }
  const name = (cells.name ?? "").slice(0, longestName)
  return errors.length > 0 ? errors : { ...(name === "" ? {} : { name }), emails_sent, ...others }
}

/** Reads past campaigns: a table with a header, as from a spreadsheet or an export, or the short form in an address. */
export const readHistory = (text: string): HistoryReading => {
  if (text.trim() === "") return { rows: [], unused: [], errors: [], campaigns: [] }
  let rows: ReadonlyArray<Cells>
  let unused: ReadonlyArray<string> = []
  if (isShort(text)) {
    rows = fromShort(text)
  } else {
    const [header = [], ...body] = splitTable(text)
    const assigned = assignColumns(header)
    unused = header.filter((name, index) => assigned[index] === undefined && name !== "")
    if (!assigned.includes("emails_sent")) {
      return unreadable(
        fault(
          "must have a first row that names the columns, such as Emails sent, Replies, Positive replies",
          "required"
        )
      )
    }
    rows = cellsOf(assigned, body)
  }
  if (rows.length > maxPastCampaigns) {
    return unreadable(fault(`must have at most ${maxPastCampaigns} campaigns, not ${rows.length}`, "out_of_range"))
  }
  const read = rows.map(readRow)
  const errors = read.flatMap((row) => ("emails_sent" in row ? [] : row))
  return {
    rows,
    unused,
    errors,
    campaigns: errors.length > 0 ? [] : read.flatMap((row) => ("emails_sent" in row ? [row] : []))
  }
}

/** The text of the form's field in the short form, if it has no errors. */
export const shortened = (text: string): string => {
  if (text === "" || isShort(text)) return text
  const { campaigns } = readHistory(text)
  return campaigns.length === 0 ? text : toShort(campaigns)
}
