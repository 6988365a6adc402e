import { type FieldName, requiredNames } from "../../../campaign/Fields.ts"
import type { ListedCampaign } from "../../lists/Campaigns.ts"
import { lookLikeFractions } from "../../../forecast/benchmarks/RiskFlags.ts"
import { listed } from "../../../forecast/Words.ts"
import { maxErrors } from "../../../input/InvalidInput.ts"
import { notationOf, readCell, withoutGroupingDot } from "../../tables/Cells.ts"
import {
  findTable,
  gridOf,
  isTooLarge,
  maxPasted,
  maxPastedCells,
  type Table,
  type TableRow,
  tooLongSentence
} from "../../tables/Layout.ts"
import { isSummary } from "../../../campaign/Summaries.ts"
import { figure } from "../../../text/Figures.ts"
import { isUnknown } from "../../../input/visible.ts"
import { campaignFields, currencyField, fieldLabels, moreFields } from "../FormFields.ts"
import { excerpt } from "../../tables/CampaignRows.ts"
import { cutLink, cutLinkMessage } from "../../tables/Fragment.ts"
import { recognize, wordKey } from "../../tables/ColumnNames.ts"
import { readForm } from "../readForm.ts"
import { splitUnit, symbols } from "../../tables/readNumber.ts"
import type { FormValues } from "../../../site/form.ts"

/** The field with a pasted list of campaigns. */
export const listField = "list"

/** The field that says that campaigns are those of different clients; empty for one sender's. */
export const independentField = "independent"

/** The most campaigns of a list on the page; the API takes more. */
export const maxListed = 20

/** A campaign of a list, and its numbers as a form of the calculator. */
interface PastedCampaign {
  readonly campaign: ListedCampaign & { readonly name: string }
  readonly values: FormValues
}

/** A list as read: its campaigns, and the columns and totals that are not used; or all errors, as sentences. */
export interface ListReading {
  readonly values: FormValues
  readonly errors: ReadonlyArray<string>
  readonly input:
    | {
        readonly campaigns: ReadonlyArray<PastedCampaign>
        /** The form with the currency of all amounts. */
        readonly amounts: FormValues
        /** True for campaigns of different clients. */
        readonly independent: boolean
        readonly unused: ReadonlyArray<string>
      }
    | undefined
}

type Column = FieldName | "name"

const fieldsByName: ReadonlyMap<string, FieldName> = new Map([
  ...[...campaignFields, ...moreFields].flatMap(({ label, name }) =>
    [name, label].map((each) => [wordKey(each), name] as const)
  ),
  [wordKey("cost"), "campaign_cost"]
])

const fieldOf = (name: string): FieldName | undefined => fieldsByName.get(wordKey(name))

/** The columns of a table: where none is called as in the form, names and emails may be called as in past campaigns. */
const columnsOf = ({ header, rows }: Table): ReadonlyArray<Column | undefined> => {
  const columns: Array<Column | undefined> = header.map(fieldOf)
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
  return columns
}

const labelOf = (column: string): string => (column === "name" ? "Name" : (fieldLabels[column] ?? ""))

/** Reads a pasted list of campaigns: any table with a header that names the numbers of the calculator's form. */
export const readList = (values: FormValues): ListReading => {
  const failed = (...errors: ReadonlyArray<string>): ListReading => ({
    values,
    errors: errors.slice(0, maxErrors),
    input: undefined
  })
  if (values[cutLink] !== undefined) return failed(cutLinkMessage)
  const text = values[listField] ?? ""
  if (text === "") return failed("Paste at least one campaign, below a line that names the columns.")
  if (text.length > maxPasted) {
    return failed(
      `The list has more than ${figure(maxPasted)} characters: leave out lines, or columns that are not used.`
    )
  }
  const grid = gridOf(text)
  if (isTooLarge(grid)) {
    return failed(
      `The list has more than ${figure(maxPastedCells)} cells: leave out lines, or columns that are not used.`
    )
  }
  const table = findTable(grid, (name) => fieldOf(name) !== undefined || recognize(name)?.column === "emails_sent")
  const columns = columnsOf(table)
  const missing = requiredNames.filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    return failed(
      `The first line must name the columns. There is none for ${listed(missing.map((name) => labelOf(name).toLowerCase()))}.`
    )
  }
  const repeated = columns.flatMap((column, index) =>
    column !== undefined && columns.indexOf(column) < index
      ? [`There are two columns for ${labelOf(column).toLowerCase()}.`]
      : []
  )
  const nameOf = ({ cells }: TableRow) => cells[columns.indexOf("name")]?.text ?? ""
  const emailsOf = ({ cells }: TableRow) => cells[columns.indexOf("emails_sent")]?.number?.value ?? 0
  const allEmails = table.rows.reduce((sum, row) => sum + emailsOf(row), 0)
  const withName = table.rows.filter((row) => nameOf(row) !== "").length
  const isNamelessTotal = (row: TableRow) =>
    nameOf(row) === "" && withName > 1 && withName === table.rows.length - 1 && emailsOf(row) * 2 === allEmails
  const isLeftOut = (row: TableRow) => isSummary(nameOf(row)) || isNamelessTotal(row)
  const rows = table.rows.filter((row) => !isLeftOut(row))
  if (repeated.length > 0) return failed(...repeated)
  if (table.tooLong.length > 0) return failed(tooLongSentence(table.tooLong))
  if (rows.length === 0) return failed("There is no campaign below the names of the columns.")
  if (rows.length > maxListed) {
    return failed(`There are ${rows.length} campaigns; the page takes at most ${maxListed}, and the API 1,000.`)
  }

  const isNumber = (position: number) => columns[position] !== undefined && columns[position] !== "name"
  // A spreadsheet writes all its numbers in one way: a decimal comma in one cell tells how to read 5.000 in another.
  const notation = notationOf(
    rows.flatMap(({ cells }) =>
      cells.flatMap(({ text }, position) => (isNumber(position) ? [readCell(splitUnit(symbols(text)).number)] : []))
    )
  )
  const place = ({ line }: TableRow) => `${table.isTurned ? "Column" : "Line"} ${line}`
  const errors: Array<string> = []
  const lines = new Map<string, TableRow>()
  const campaigns: Array<PastedCampaign> = []
  let amounts: FormValues = {}
  for (const [index, row] of rows.entries()) {
    const cells: Record<string, string> = { ...amounts }
    for (const [position, column] of columns.entries()) {
      const text = row.cells[position]?.text ?? ""
      if (column !== undefined && !isUnknown(text)) {
        cells[column] = isNumber(position) ? withoutGroupingDot(text, notation) : text
      }
    }
    const { name: given = "", ...typed } = cells
    const name = excerpt(given) || `Campaign ${index + 1}`
    const before = lines.get(name)
    if (before !== undefined) errors.push(`${place(row)}: “${name}” is the name of ${place(before).toLowerCase()} too.`)
    lines.set(name, row)
    const reading = readForm(typed)
    errors.push(
      ...reading.errors.map(
        ({ message, pointer }) => `${place(row)}, ${labelOf(pointer.slice(1)).toLowerCase()}: ${message}.`
      )
    )
    const { [currencyField]: currency } = reading.values
    const { [currencyField]: first } = amounts
    if (first !== undefined && currency !== first) {
      errors.push(`${place(row)}: amounts must be in ${first}, as above it: none is converted.`)
    }
    if (first === undefined && currency !== undefined) amounts = { [currencyField]: currency }
    if (reading.input !== undefined) {
      campaigns.push({ campaign: { ...reading.input.first.assumptions, name }, values: reading.values })
    }
  }
  if (errors.length > 0) return failed(...errors)
  const isPercent = rows.some(({ cells }) => cells.some(({ kind }) => kind === "percentage"))
  const ofFractions = isPercent ? undefined : campaigns.find(({ campaign }) => lookLikeFractions(campaign))
  if (ofFractions !== undefined) {
    return failed(
      `The rates of “${ofFractions.campaign.name}” look like fractions. Write all rates in percent: 5% if 0.05 means 5 of 100, otherwise 0.05%.`
    )
  }
  const unused = [
    ...table.header.filter((name, index) => name !== "" && columns[index] === undefined),
    ...table.rows.filter(isLeftOut).map((row) => nameOf(row) || place(row))
  ]
  return { values, errors, input: { campaigns, amounts, independent: values[independentField] === "yes", unused } }
}
