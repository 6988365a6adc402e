import { type FieldName, requiredNames } from "../../../campaign/Fields.ts"
import {
  type CountName,
  countsOfRate,
  isOptional,
  passedAt,
  type RateName,
  rateNames,
  requiredRates
} from "../../../campaign/Rates.ts"
import { listed } from "../../../forecast/Words.ts"
import { type AmountName, amountNamed, rateNamed, recognize, wordKey } from "../../tables/ColumnNames.ts"
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

const fieldsByName: ReadonlyMap<string, FieldName> = new Map(
  [...campaignFields, ...moreFields].flatMap(({ label, name }) =>
    [name, label].map((each) => [wordKey(each), name] as const)
  )
)

const amounts: { readonly [name in AmountName]?: FieldName } = {
  deal_value: "average_deal_value",
  spend: "campaign_cost"
}

/** The number of the form that a column is called after. */
export const fieldOf = (name: string): FieldName | undefined => {
  const amount = amountNamed(name, false)
  return fieldsByName.get(wordKey(name)) ?? (amount === undefined ? undefined : amounts[amount])
}

export const labelOf = (column: string): string => (column === "name" ? "Name" : (fieldLabels[column] ?? ""))

const quoted = (names: ReadonlyArray<string>) => listed(names.map((name) => `“${name}”`))

const withRates = (names: ReadonlyArray<RateName>) => Object.fromEntries(names.map((name) => [name, true]))

/** The counts that a rate of the form may be of: those with every refinement, or with none. */
const basesOf = (rate: RateName): ReadonlyArray<CountName> =>
  [rateNames, requiredRates].map((names) => countsOfRate(withRates(names), rate).trials)

/** The rate that a column may have: the one that leads to the count that it is called after, unless it is of others. */
const rateOf = (name: string): RateName | undefined => {
  const { base, count = "emails_sent" } = rateNamed(name) ?? {}
  if (count === "emails_sent") return undefined
  const { rate } = passedAt(count)
  const isOfOthers = base !== undefined && !basesOf(rate).includes(base)
  return isOfOthers ? undefined : rate
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

/** True if a column has only texts, such as the clients that campaigns are for. */
const hasTexts = (table: Table, index: number) => {
  const cells = cellsOf(table, index)
  return cells.length > 0 && cells.every(({ kind, text }) => kind === "text" && splitUnit(symbols(text)).unit === "")
}

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
    rateNamed(name)?.isNamedRate === true || isPercentage(table, index)
  const found = rateNames.flatMap((rate) => {
    const candidates = table.header.flatMap((name, index) =>
      named[index] === undefined && !named.includes(rate) && !hasTexts(table, index) && rateOf(name) === rate
        ? [{ index, rate, name }]
        : []
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
  const isUnclear = areCounts && unsaid.some(({ rate }) => !isOptional(rate)) && mayBePercentages(table, indexes)
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
  const isOfNames = hasTexts(table, 0) && new Set(rows.map(({ cells }) => cells[0]?.text)).size === rows.length
  if ((header[0] === "" || (columns[0] === undefined && isOfNames)) && !columns.includes("name")) columns[0] = "name"
  return withShortNames(table, columns, arePercentages)
}

/** True if a name is that of a number of a list, so that a line of such names is a header. */
export const isListed = (name: string): boolean =>
  fieldOf(name) !== undefined || rateOf(name) !== undefined || recognize(name)?.column === "emails_sent"
