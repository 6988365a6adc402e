import { Option, Schema } from "effect"
import { pastCountBounds, pastEmailsBounds } from "../../campaign/NumberBounds.ts"
import { maxPastCampaigns, type PastCampaign, PastCampaigns } from "../../campaign/PastCampaigns.ts"
import { type CountName, countNames } from "../../campaign/Rates.ts"
import { isUnknown, visible } from "../../input/visible.ts"
import { type NumberReading, readNumber } from "./readNumber.ts"
import { type ColumnName, columns, labelOf } from "./Columns.ts"

/** The cells of a past campaign, as written. */
export type Cells = { readonly [column in ColumnName]?: string }

/** Past campaigns as written, and as the JSON of a request: the text itself where it is no table. */
export interface HistoryReading {
  readonly rows: ReadonlyArray<Cells>
  readonly json: unknown
}

/** The longest name of a past campaign, and so the longest cell. */
const longestCell = 100

/** The text of a cell, without the end of a longer one. Half a character is none. */
const cellOf = (text: string): string => text.slice(0, longestCell).replace(/[\uD800-\uDBFF]$/, "")

/**
 * The counts of the short form by their place, which never changes: old links have to work. A campaign with any other
 * count is written as a table.
 */
const shortCounts = [
  "emails_sent",
  "delivered",
  "replies",
  "positive_replies",
  "meetings",
  "meetings_held",
  "clients"
] as const satisfies ReadonlyArray<CountName>

/** A campaign in the short form of addresses: its counts and its name, separated by dots. */
const shortCampaign = new RegExp(`^\\d+(?:\\.\\d*){0,${shortCounts.length - 1}}(?:\\.[^\\n\\t]*)?$`)

/** The most past campaigns that are read: one too many is an error already. */
const maxRead = maxPastCampaigns + 1

/**
 * True if a text is the short form of past campaigns, separated by underscores. Each is tested by itself: one expression
 * for all of them would backtrack exponentially.
 */
const isShort = (text: string): boolean => text.split("_", maxRead).every((campaign) => shortCampaign.test(campaign))

const fromShort = (text: string): ReadonlyArray<Cells> =>
  text.split("_", maxRead).map((row) => {
    const parts = row.split(".")
    const cells: { [column in ColumnName]?: string } = {}
    for (const [index, count] of shortCounts.entries()) cells[count] = cellOf(parts[index] ?? "")
    const name = parts.slice(shortCounts.length).join(".")
    return { ...cells, name: cellOf(name.replaceAll("*1", "_").replaceAll("*0", "*")) }
  })

/** A campaign as the cells of the page's table. */
export const cellsOfCampaign = (campaign: PastCampaign): Cells =>
  Object.fromEntries(columns.flatMap((name) => (campaign[name] === undefined ? [] : [[name, String(campaign[name])]])))

const line = (cells: ReadonlyArray<string>) => cells.map((cell) => cell.replaceAll(/\s+/g, " ")).join("\t")

const header = line(columns.map(labelOf))

/** Past campaigns as the text of the page's own table, in the form's field. */
export const tableOf = (rows: ReadonlyArray<Cells>): string =>
  rows.length === 0 ? "" : [header, ...rows.map((row) => line(columns.map((name) => row[name] ?? "")))].join("\n")

const withoutPlace = countNames.filter((count) => !shortCounts.some((each) => each === count))

/** Past campaigns in the short form of addresses, if all their counts have a place in it. */
export const toShort = (campaigns: ReadonlyArray<PastCampaign>): string =>
  campaigns.some((campaign) => withoutPlace.some((count) => campaign[count] !== undefined))
    ? tableOf(campaigns.map(cellsOfCampaign))
    : campaigns
        .map((campaign) => {
          const name = (campaign.name ?? "").replaceAll("*", "*0").replaceAll("_", "*1")
          const written = shortCounts.map((count) => campaign[count] ?? "").join(".")
          return name === "" ? written.replace(/\.+$/, "") : `${written}.${name}`
        })
        .join("_")

/** True if a text is the page's own table, or its short form, and not a table from elsewhere. */
export const isOwn = (text: string): boolean =>
  text === "" ||
  isShort(text) ||
  text
    .slice(0, 2 * header.length)
    .replaceAll("\r", "")
    .split("\n", 1)[0] === header

const fromTable = (text: string): ReadonlyArray<Cells> =>
  text
    .split(/\r?\n/)
    .slice(1)
    .filter((row) => row.trim() !== "")
    .map((row) => {
      const cells = row.split("\t")
      return Object.fromEntries(columns.map((name, index) => [name, cellOf((cells[index] ?? "").trim())]))
    })

const readCount = (column: ColumnName, text = ""): NumberReading =>
  readNumber(visible(text), column === "emails_sent" ? pastEmailsBounds : pastCountBounds, "120")

/** A count as JSON; a text that is not a number stays one. */
const countJson = (column: ColumnName, text: string): number | string => {
  const reading = readCount(column, text)
  if ("value" in reading) return reading.value
  // 5.000 is 5,000: whole numbers are counted.
  return reading.suggestions.length > 0 ? Math.max(...reading.suggestions) : text
}

const campaignIn = (cells: Cells) => {
  const written = countNames.flatMap((count): ReadonlyArray<readonly [string, number | string]> => {
    const text = cells[count] ?? ""
    return isUnknown(visible(text)) ? [] : [[count, countJson(count, text)]]
  })
  return { ...(cells.name && { name: cells.name }), ...Object.fromEntries(written) }
}

/** The cells of the past campaigns in the form's field: the page's own table, or the short form in an address. */
export const pastRowsIn = (text: string): ReadonlyArray<Cells> => {
  if (text.trim() === "" || !isOwn(text)) return []
  return isShort(text) ? fromShort(text) : fromTable(text).slice(0, maxRead)
}

/** Reads the past campaigns in the form's field. */
export const readHistory = (text: string): HistoryReading => {
  const rows = pastRowsIn(text)
  if (text.trim() === "") return { rows, json: undefined }
  return { rows, json: isOwn(text) ? rows.map(campaignIn) : text }
}

const decode = Schema.decodeUnknownOption(PastCampaigns)

/** The past campaigns in the form's field; none if it has errors. */
export const campaignsIn = (text: string): ReadonlyArray<PastCampaign> =>
  Option.getOrElse(decode(readHistory(text).json), () => [])

/** The fault of a text that is neither a table nor, at a row and a column, a number. */
export const historyFault = ({ rows }: HistoryReading, row: string | undefined, column: string | undefined): string => {
  const name = columns.find((each) => each === column)
  const reading = name && readCount(name, rows[Number(row)]?.[name])
  return reading !== undefined && "fault" in reading
    ? reading.fault
    : "must have a first row that names the columns, such as Emails sent, Replies, Positive replies"
}

/** The text of the form's field in the short form, if it has no errors. */
export const shortened = (text: string): string => {
  if (text === "" || isShort(text)) return text
  const campaigns = campaignsIn(text)
  return campaigns.length === 0 ? text : toShort(campaigns)
}
