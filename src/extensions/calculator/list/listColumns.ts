import { type FieldName, requiredNames } from "../../../campaign/Fields.ts"
import { passedAt, type RateName, rateNames, rates } from "../../../campaign/Rates.ts"
import { listed } from "../../../forecast/Words.ts"
import { recognize, wordKey } from "../../tables/ColumnNames.ts"
import { countIn } from "../../tables/Cells.ts"
import type { Table } from "../../tables/Layout.ts"
import { notationOf } from "../../tables/Notation.ts"
import { splitUnit, symbols } from "../../tables/readNumber.ts"
import { campaignFields, fieldLabels, moreFields } from "../FormFields.ts"

/** A number of the calculator's form, or the name of a campaign. */
export type ListColumn = FieldName | "name"

/** The columns of a table as numbers of the form, and a sentence about how they were taken if they are not called so. */
export interface ListColumns {
  readonly columns: ReadonlyArray<ListColumn | undefined>
  readonly note?: string
  /** True if the numbers may be percentages as well as people, so that only the user knows. */
  readonly isUnclear: boolean
}

const fieldsByName: ReadonlyMap<string, FieldName> = new Map([
  ...[...campaignFields, ...moreFields].flatMap(({ label, name }) =>
    [name, label].map((each) => [wordKey(each), name] as const)
  ),
  ...["cost", "spend", "ad spend"].map((name) => [wordKey(name), "campaign_cost"] as const),
  ...["deal size", "average deal size", "contract value", "acv"].map(
    (name) => [wordKey(name), "average_deal_value"] as const
  )
])

/** The number of the form that a column is called after. */
export const fieldOf = (name: string): FieldName | undefined => fieldsByName.get(wordKey(name))

export const labelOf = (column: string): string => (column === "name" ? "Name" : (fieldLabels[column] ?? ""))

const quoted = (names: ReadonlyArray<string>) => listed(names.map((name) => `“${name}”`))

/** Words that make a rate of what stands with them: Reply %, % positive, Win rate. */
const rateWords = /%|\b(?:rates?|percent(?:age)?|pct|ratio|quote|taux|tasa|taxa)\b/gi

const shortNames: ReadonlyMap<string, RateName> = new Map([
  ...rateNames.flatMap((rate) => {
    const { label } = rates[rate].form
    const words = label.split(" ").filter((word) => word !== "rate")
    return [words.join(" "), ...(words.length > 1 ? words.slice(0, -1) : [])].map(
      (name) => [wordKey(name), rate] as const
    )
  }),
  ...["booking", "booked"].map((name) => [wordKey(name), "meeting_booking_rate"] as const),
  ...["closing", "win", "won"].map((name) => [wordKey(name), "close_rate"] as const)
])

/** The rate that a column may have: that of a short name, or the one that leads to the count that it is called after. */
const rateOf = (name: string): RateName | undefined => {
  const short = name.replaceAll(rateWords, " ").trim()
  const found = shortNames.get(wordKey(short))
  const count = found === undefined ? recognize(short)?.column : undefined
  return count === undefined || count === "name" || count === "emails_sent" ? found : passedAt(count).rate
}

const cellsOf = ({ rows }: Table, index: number) =>
  rows.flatMap(({ cells }) => {
    const cell = cells[index]
    return cell === undefined || cell.kind === "empty" ? [] : [cell]
  })

const unproven = notationOf([])

/** True if the numbers in columns, in the order of the funnel, may be people: none is above the one before it. */
const mayBeCounts = ({ rows }: Table, indexes: ReadonlyArray<number>): boolean =>
  rows.every(({ cells }) => {
    const counts = indexes.flatMap((index) => {
      const cell = cells[index]
      return cell === undefined || cell.kind === "empty" ? [] : [countIn(cell, unproven, unproven)]
    })
    return counts.every((count, place) => {
      const before = place === 0 ? Infinity : counts[place - 1]
      return typeof count === "number" && typeof before === "number" && count <= before
    })
  })

const mayBePercentages = ({ rows }: Table, indexes: ReadonlyArray<number>): boolean =>
  rows.every(({ cells }) => indexes.every((index) => (cells[index]?.readings ?? []).every(({ value }) => value <= 100)))

/** True if a percent sign or a ratio is in a column. */
const isPercentage = (table: Table, index: number) =>
  cellsOf(table, index).some(({ kind, text }) => kind === "percentage" || splitUnit(symbols(text)).unit === "%")

/**
 * Columns called after a count, such as Reply and Positive, are rates if their cells or the user say so, or if they
 * cannot be counts.
 */
const withShortNames = (
  table: Table,
  named: ReadonlyArray<ListColumn | undefined>,
  arePercentages: boolean
): ListColumns => {
  const isSaid = ({ index, name }: { readonly index: number; readonly name: string }) =>
    name.search(rateWords) >= 0 || isPercentage(table, index)
  const found = rateNames.flatMap((rate) => {
    const candidates = table.header.flatMap((name, index) =>
      named[index] === undefined && !named.includes(rate) && rateOf(name) === rate ? [{ index, rate, name }] : []
    )
    return candidates.find(isSaid) ?? candidates[0] ?? []
  })
  const unsaid = found.filter((column) => !isSaid(column))
  const indexes = unsaid.map(({ index }) => index)
  const areCounts = !arePercentages && mayBeCounts(table, [named.indexOf("emails_sent"), ...indexes])
  const columns = named.map(
    (column, place) =>
      column ?? found.find(({ index }) => index === place && !(areCounts && indexes.includes(index)))?.rate
  )
  const isUnclear = areCounts && unsaid.length > 1 && mayBePercentages(table, indexes)
  if (areCounts || arePercentages || unsaid.length === 0) return { columns, isUnclear }
  const taken = unsaid.length === 1 ? "is taken as a percentage" : "are taken as percentages"
  const note = `${quoted(unsaid.map(({ name }) => name))} ${taken}: counts are whole numbers, and none is above the one before it.`
  return { columns, note, isUnclear }
}

/** The numbers of the form, in its order. */
const inOrder = [...campaignFields, ...moreFields].map(({ name }) => name)

/** The columns of a table without names: the name of the campaign if it is text, then the numbers of the form in order. */
const byPosition = (table: Table, arePercentages: boolean): ListColumns => {
  const first = Number(cellsOf(table, 0).every(({ kind }) => kind !== "count" && kind !== "number"))
  const columns = table.header.map((_, index) => (index < first ? "name" : inOrder[index - first]))
  const labels = columns.flatMap((column) => (column === undefined ? [] : [labelOf(column).toLowerCase()]))
  const ofRates = requiredNames.flatMap((name) => (name === "emails_sent" ? [] : [columns.indexOf(name)]))
  const areSaid = arePercentages || ofRates.some((index) => isPercentage(table, index))
  return {
    columns,
    note: `The first line names no columns, so they are taken in the order of the form: ${listed(labels)}.`,
    isUnclear: !areSaid && mayBeCounts(table, ofRates) && mayBePercentages(table, ofRates)
  }
}

/**
 * The columns of a table: where none is called as in the form, they may be called shorter or as in past campaigns, or
 * not at all. `arePercentages` is what the user said of numbers that may be counts too.
 */
export const listColumns = (table: Table, arePercentages: boolean): ListColumns => {
  const { hasHeader, header, rows } = table
  if (!hasHeader && header.length >= requiredNames.length) return byPosition(table, arePercentages)
  const columns: Array<ListColumn | undefined> = header.map(fieldOf)
  const hasAddresses = (index: number) => rows.some(({ cells }) => cells[index]?.kind === "address")
  for (const column of ["name", "emails_sent"] as const) {
    const [best] = header
      .flatMap((name, index) => {
        const found = columns[index] === undefined && !hasAddresses(index) ? recognize(name) : undefined
        return found?.column === column && !found.isOfContacts ? [{ index, rank: found.rank }] : []
      })
      .toSorted((a, b) => a.rank - b.rank)
    if (best !== undefined && !columns.includes(column)) columns[best.index] = column
  }
  if (header[0] === "" && !columns.includes("name")) columns[0] = "name"
  return withShortNames(table, columns, arePercentages)
}

/** True if a name is that of a number of a list, so that a line of such names is a header. */
export const isListed = (name: string): boolean =>
  fieldOf(name) !== undefined || rateOf(name) !== undefined || recognize(name)?.column === "emails_sent"
