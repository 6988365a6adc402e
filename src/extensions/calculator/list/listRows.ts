import { BigDecimal } from "effect"
import { type FieldName, requiredNames } from "../../../campaign/Fields.ts"
import type { PastCampaign } from "../../../campaign/PastCampaigns.ts"
import { countsOfRate, isOptional, rateNames } from "../../../campaign/Rates.ts"
import { isSummary } from "../../../campaign/Summaries.ts"
import { listed } from "../../../forecast/Words.ts"
import { isUnknown } from "../../../input/visible.ts"
import type { FormValues } from "../../../site/form.ts"
import type { Table, TableRow } from "../../tables/Layout.ts"
import { type Notation, notationOf, readingsIn, readingsOf } from "../../tables/Notation.ts"
import { readPastTable } from "../../tables/PastTable.ts"
import { splitUnit, symbols } from "../../tables/readNumber.ts"
import { countsNamed, fieldOf, labelOf, type ListColumn, listColumns } from "./listColumns.ts"

/** A row of a list as read: a campaign, or a total. */
export interface ListRow {
  /** Its number in the text, which stays the same if others are left out. */
  readonly line: number
  readonly place: string
  /** Its name as written; empty if it has none. */
  readonly name: string
  /** Its numbers as in a form of the calculator. */
  readonly numbers: FormValues
  /** The reason why it is left out unless the user takes it in. */
  readonly reason?: string | undefined
}

/** The rows of a list, and sentences about how they were read. */
export interface ListRows {
  readonly rows: ReadonlyArray<ListRow>
  readonly notes: ReadonlyArray<string>
  /** The names of columns that are not used. */
  readonly unused: ReadonlyArray<string>
  /** True if a percent sign is with one of its rates, so that none of them is a fraction. */
  readonly isPercent: boolean
}

/** The kind of numbers that may be percentages or counts of people, as the user says. */
export type Meaning = "percent" | "counts"

/** The result of looking for rows: they, a question with its possible answers, or the sentences that say why not. */
export type ListRowsFound =
  | ListRows
  | { readonly question: string; readonly answers: ReadonlyArray<Meaning> }
  | { readonly refusals: ReadonlyArray<string> }

/** A number as the notation of its table has it: what is unclear in English only is written without its separator. */
const inEnglish = (text: string, notation: Notation): string => {
  const written = symbols(text)
  const { number } = splitUnit(written)
  const readings = readingsOf(number)
  const [own, ...others] = readingsIn(readings, notation)
  if (own === undefined || others.length > 0 || readings.length === 1) return text
  return written.replace(number, own.grouping === undefined ? number.replace(",", ".") : String(own.value))
}

/** The reason why rows are no campaigns: they are totals of the others, or averages, or have no numbers. */
const withReasons = (rows: ReadonlyArray<ListRow>, emailsOf: (index: number) => number): ReadonlyArray<ListRow> => {
  const all = rows.reduce((sum, _, index) => sum + emailsOf(index), 0)
  const withName = rows.filter(({ name }) => name !== "").length
  const reasonOf = ({ name, numbers }: ListRow, index: number): string | undefined => {
    if (isSummary(name)) return "it is a total or an average, not a campaign"
    if (Object.keys(numbers).length === 0) return "it has no numbers"
    const mayBeTotal = name === "" && withName > 1 && withName === rows.length - 1
    return mayBeTotal && emailsOf(index) * 2 === all ? "it is the sum of the others" : undefined
  }
  return rows.map((row, index) => ({ ...row, reason: reasonOf(row, index) }))
}

const readRows = (table: Table, columns: ReadonlyArray<ListColumn | undefined>): ReadonlyArray<ListRow> => {
  const isNumber = (position: number) => columns[position] !== undefined && columns[position] !== "name"
  // A spreadsheet writes all its numbers in one way: a decimal comma in one cell tells how to read 5.000 in another.
  const notation = notationOf(
    table.rows.flatMap(({ cells }) =>
      cells.flatMap(({ text }, position) =>
        isNumber(position) ? [{ readings: readingsOf(splitUnit(symbols(text)).number) }] : []
      )
    )
  )
  const rows = table.rows.map(({ cells, line }) => {
    const numbers: Record<string, string> = {}
    for (const [position, column] of columns.entries()) {
      const text = cells[position]?.text ?? ""
      if (column !== undefined && column !== "name" && !isUnknown(text)) numbers[column] = inEnglish(text, notation)
    }
    return {
      line,
      place: `${table.isTurned ? "Column" : "Line"} ${line}`,
      name: cells[columns.indexOf("name")]?.text ?? "",
      numbers
    }
  })
  const emails = columns.indexOf("emails_sent")
  return withReasons(rows, (index) => table.rows[index]?.cells[emails]?.readings[0]?.value ?? 0)
}

/** The rates that the counts of a past campaign show, to six digits; a required one that it lacks lets everybody pass. */
const ratesShown = (past: PastCampaign): FormValues => {
  let trials = past.emails_sent
  return Object.fromEntries(
    rateNames.flatMap((rate) => {
      const successes = past[countsOfRate({}, rate).successes] ?? (isOptional(rate) ? undefined : trials)
      if (successes === undefined) return []
      const shown = trials === 0 ? 0 : Number(((100 * successes) / trials).toPrecision(6))
      trials = successes
      return [[rate, String(shown)]]
    })
  )
}

const one = BigDecimal.make(1n, 0)

/** Past campaigns as campaigns to send again, at the rates that they show. */
const countedRows = (table: Table): ListRowsFound => {
  const { campaigns, columns, leftOut, notes, obstacle, questions } = readPastTable(
    table,
    {},
    {
      existing: [],
      campaign: { reply_rate: one, positive_reply_rate: one, meeting_booking_rate: one, close_rate: one }
    }
  )
  const why = columns.flatMap(({ why }) => why ?? [])
  if (obstacle !== undefined) {
    return {
      refusals: [
        [...why, obstacle, ...(questions.length > 0 ? ["Change the table so that it says so."] : [])].join(" ")
      ]
    }
  }
  const without = campaigns.filter(({ clients }) => clients === undefined)
  if (without.length > 0) {
    const names = without.slice(0, 5).map(({ name = "a campaign without a name" }) => `“${name}”`)
    return { refusals: [...why, `The clients are missing in ${listed(names)}: without them, no close rate is shown.`] }
  }
  const named = columns.find(({ use }) => use === "name")?.index
  const amounts = table.header.flatMap((name, index): ReadonlyArray<readonly [FieldName, number]> => {
    const field = fieldOf(name)
    return field === "average_deal_value" || field === "campaign_cost" ? [[field, index]] : []
  })
  const rowOf = (name: string | undefined): TableRow | undefined => {
    const rows = table.rows.filter(({ cells }) => named !== undefined && cells[named]?.text === name)
    return rows.length === 1 ? rows[0] : undefined
  }
  const used = new Set(amounts.map(([, index]) => index))
  return {
    rows: campaigns.map((past, index) => {
      const row = rowOf(past.name)
      const money = amounts.flatMap(([field, position]) => {
        const text = row?.cells[position]?.text ?? ""
        return isUnknown(text) ? [] : [[field, text] as const]
      })
      return {
        line: row?.line ?? -1 - index,
        place: row === undefined ? `Campaign ${index + 1}` : `Line ${row.line}`,
        name: past.name ?? "",
        numbers: { emails_sent: String(past.emails_sent), ...ratesShown(past), ...Object.fromEntries(money) }
      }
    }),
    notes: [
      "Each campaign is ranked as if the same emails were sent again, at the rates that its counts show. Those of few emails may be luck.",
      ...notes,
      ...why,
      ...leftOut
    ],
    unused: columns.flatMap(({ index, name, use, why }) =>
      use === undefined && why === undefined && name !== "" && !used.has(index) ? [name] : []
    ),
    isPercent: true
  }
}

/** Finds the rows of a list in a table; `meaning` is the answer to the question that it may raise. */
export const listRows = (table: Table, meaning: Meaning | undefined): ListRowsFound => {
  if (meaning === "counts") return countedRows(table)
  const { columns, isUnclear, note } = listColumns(table, meaning === "percent")
  const counts = countsNamed(table)
  const areCounts = counts.has("emails_sent") && counts.has("replies") && counts.has("clients")
  const missing = requiredNames.filter((name) => !columns.includes(name))
  if (areCounts && missing.length > 0) {
    return {
      question: "These are counts. Rank the campaigns by the rates that they show?",
      answers: isUnclear ? ["counts", "percent"] : ["counts"]
    }
  }
  if (isUnclear) return { question: "Are these numbers percentages, not counts of people?", answers: ["percent"] }
  if (missing.length > 0) {
    const names = listed(missing.map((name) => labelOf(name).toLowerCase()))
    return { refusals: [`The first line must name the columns. There is none for ${names}.`] }
  }
  const repeated = columns.flatMap((column, index) =>
    column !== undefined && columns.indexOf(column) < index
      ? [`There are two columns for ${labelOf(column).toLowerCase()}.`]
      : []
  )
  if (repeated.length > 0) return { refusals: repeated }
  return {
    rows: readRows(table, columns),
    notes: note === undefined ? [] : [note],
    unused: table.header.filter((name, index) => name !== "" && columns[index] === undefined),
    isPercent: table.rows.some(({ cells }) => cells.some(({ kind }) => kind === "percentage"))
  }
}
