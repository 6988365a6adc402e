import { BigDecimal } from "effect"
import { pastCountBounds, pastEmailsBounds } from "../../campaign/NumberBounds.ts"
import { maxPastCampaigns, type PastCampaign, risingCounts } from "../../campaign/PastCampaigns.ts"
import type { FieldError } from "../../input/InvalidInput.ts"
import { isUnknown, visible } from "../../input/visible.ts"
import { readNumber } from "../readNumber.ts"
import { type ColumnName, columns, labelOf } from "./Columns.ts"
import { historyField } from "./Fragment.ts"

/** The cells of a past campaign, as written. */
export type Cells = { readonly [column in ColumnName]?: string }

/** Past campaigns as written, with all errors, or their counts. */
export interface HistoryReading {
  readonly rows: ReadonlyArray<Cells>
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
      const written = counts.map((column) => (column.name === "name" ? "" : (campaign[column.name] ?? ""))).join(".")
      return name === "" ? written.replace(/\.+$/, "") : `${written}.${name}`
    })
    .join("_")

/** A campaign as the cells of the page's table. */
export const cellsOfCampaign = (campaign: PastCampaign): Cells =>
  Object.fromEntries(
    columns.flatMap(({ name }) => (campaign[name] === undefined ? [] : [[name, String(campaign[name])]]))
  )

const line = (cells: ReadonlyArray<string>) => cells.map((cell) => cell.replaceAll(/\s+/g, " ")).join("\t")

const header = line(columns.map(({ label }) => label))

/** Past campaigns as the text of the page's own table, in the form's field. */
export const tableOf = (rows: ReadonlyArray<Cells>): string =>
  rows.length === 0 ? "" : [header, ...rows.map((row) => line(columns.map(({ name }) => row[name] ?? "")))].join("\n")

/** True if a text is the page's own table, or its short form, and not a table from elsewhere. */
export const isOwn = (text: string): boolean =>
  text === "" || isShort(text) || text.replaceAll("\r", "").split("\n", 1)[0] === header

const fromTable = (text: string): ReadonlyArray<Cells> =>
  text
    .split(/\r?\n/)
    .slice(1)
    .filter((row) => row.trim() !== "")
    .map((row) => {
      const cells = row.split("\t")
      return Object.fromEntries(columns.map(({ name }, index) => [name, (cells[index] ?? "").trim()]))
    })

const fault = (message: string, code: FieldError["code"] = "invalid_format"): FieldError => ({
  pointer: `/${historyField}`,
  code,
  message
})

const unreadable = (error: FieldError): HistoryReading => ({ rows: [], errors: [error], campaigns: [] })

/** The counts of a campaign, or their errors, by its position in the table. */
const readRow = (cells: Cells, place: number): HistoryReading["errors"] | PastCampaign => {
  const errors: Array<FieldError> = []
  const fail = (column: ColumnName, code: FieldError["code"], message: string) =>
    errors.push({ pointer: `/${historyField}/${place}/${column}`, code, message })
  const read: { [column in ColumnName]?: number } = {}
  for (const { name } of counts) {
    const text = visible(cells[name] ?? "")
    if (isUnknown(text)) continue
    const reading = readNumber(text, name === "emails_sent" ? pastEmailsBounds : pastCountBounds, "120")
    if ("value" in reading) read[name] = BigDecimal.toNumberUnsafe(reading.value)
    else if (reading.suggestions.length > 0) {
      // 5.000 is 5,000: whole numbers are counted.
      read[name] = Math.max(...reading.suggestions.map(BigDecimal.toNumberUnsafe))
    } else fail(name, reading.fault.code, reading.fault.message)
  }
  const { emails_sent, name: _, ...others } = read
  if (isUnknown(visible(cells.emails_sent ?? ""))) fail("emails_sent", "required", "is missing")
  if (emails_sent === undefined) return errors
  for (const { before, name } of risingCounts({ ...others, emails_sent })) {
    fail(name, "out_of_range", `must be at most the number of ${labelOf(before).toLowerCase()}`)
  }
  // Half a character is none.
  const name = (cells.name ?? "").slice(0, longestName).replace(/[\uD800-\uDBFF]$/, "")
  return errors.length > 0 ? errors : { ...(name === "" ? {} : { name }), emails_sent, ...others }
}

/** Reads the past campaigns in the form's field: the page's own table, or the short form in an address. */
export const readHistory = (text: string): HistoryReading => {
  if (text.trim() === "") return { rows: [], errors: [], campaigns: [] }
  if (!isOwn(text)) {
    return unreadable(
      fault("must have a first row that names the columns, such as Emails sent, Replies, Positive replies", "required")
    )
  }
  const rows = isShort(text) ? fromShort(text) : fromTable(text)
  if (rows.length > maxPastCampaigns) {
    return unreadable(fault(`must have at most ${maxPastCampaigns} campaigns, not ${rows.length}`, "out_of_range"))
  }
  const read = rows.map(readRow)
  const errors = read.flatMap((row) => ("emails_sent" in row ? [] : row))
  return {
    rows,
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
