import { BigDecimal } from "effect"
import { type FieldName, requiredNames } from "../../../campaign/Fields.ts"
import type { PastCampaign } from "../../../campaign/PastCampaigns.ts"
import { countsOfRate, isOptional, rateNames } from "../../../campaign/Rates.ts"
import { summaryAmong } from "../../../campaign/Summaries.ts"
import { listed } from "../../../forecast/Words.ts"
import { isUnknown } from "../../../input/visible.ts"
import type { FormValues } from "../../../site/form.ts"
import type { Cell } from "../../tables/Cells.ts"
import type { Table } from "../../tables/Layout.ts"
import { type Notation, notationOf, readingsIn, readingsOf } from "../../tables/Notation.ts"
import { withRules } from "../../tables/RowRules.ts"
import { type PastTable, readPastTable } from "../../tables/PastTable.ts"
import { splitUnit, symbols } from "../../tables/readNumber.ts"
import { contactsQuestion } from "../../tables/Units.ts"
import { fieldOf, isListed, labelOf, type ListColumn, listColumns } from "./listColumns.ts"

/** A row of a list as read: a campaign, or a total. */
export interface ListRow {
  /** Its number in the text, which stays the same if others are left out. */
  readonly line: number
  readonly place: string
  /** Its name as written; empty if it has none. */
  readonly name: string
  /** Its numbers as in a form of the calculator. */
  readonly numbers: FormValues
  /** True if it is ranked. */
  readonly isIn: boolean
  /** The reason why it is left out unless the user takes it in. */
  readonly reason?: string | undefined
  /** The reason why it cannot be taken in. */
  readonly refusal?: string | undefined
}

/** The lines of the rows that the user takes in; undefined if they did not choose. */
export type ChosenLines = ReadonlySet<string> | undefined

/** The rows of a list, and sentences about how they were read. */
interface ListRows {
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
  | {
      readonly question: string
      readonly answers: ReadonlyArray<Meaning>
      /** True if the counts are those of contacts, and the emails that each got are not known. */
      readonly isOfContacts?: boolean
    }
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

const emailsIn = (cell: Cell | undefined): number =>
  cell?.readings.find(({ value }) => Number.isInteger(value))?.value ?? 0

/** Rows without those that are no campaigns, as far as the user did not choose; totals of the others are refused. */
const withTicks = (
  table: Table,
  columns: ReadonlyArray<ListColumn | undefined>,
  rows: ReadonlyArray<Pick<ListRow, "line" | "name" | "numbers" | "place">>,
  chosen: ChosenLines
): ReadonlyArray<ListRow> => {
  const emails = columns.indexOf("emails_sent")
  const read = rows.map(({ line, name, place: shown }, place) => {
    const { cells = [] } = table.rows[place] ?? {}
    const label = cells.find(({ kind }) => kind !== "empty")?.text ?? ""
    const sent = emailsIn(cells[emails])
    const campaign = { name: name === "" ? undefined : name, emails: sent }
    return { line, name, shown, place, cells, label, counts: { emails_sent: sent }, isTicked: true, campaign }
  })
  const unticked = new Map(withRules(read, []).flatMap((row) => (row.isTicked ? [] : [[row.line, row] as const])))
  const suggested = read.filter(({ line }) => !unticked.has(line))
  const taken = chosen === undefined ? suggested : read.filter(({ line }) => chosen.has(String(line)))
  const isTaken = new Set(taken)
  const summaryIn = (rows: typeof read) => {
    const summaryOf = summaryAmong(rows.map(({ campaign }) => campaign))
    const parts = rows.filter((row) => isTaken.has(row))
    // Once none of its parts is taken, it is a row like any other.
    return (own: (typeof read)[number]) => (parts.some((part) => part !== own) ? summaryOf(own.campaign) : undefined)
  }
  const [ofSuggested, ofTaken] = [summaryIn(suggested), summaryIn(taken)]
  return rows.map((row, index) => {
    const own = read[index]
    const reason = Object.keys(row.numbers).length === 0 ? "no numbers" : unticked.get(row.line)?.reason
    const summary = own && (ofSuggested(own) ?? ofTaken(own))
    const refusal = summary === undefined ? undefined : `the ${summary} of the others, which would count twice`
    const isIn = chosen === undefined ? reason === undefined : chosen.has(String(row.line))
    return { ...row, isIn: isIn && refusal === undefined, reason, refusal }
  })
}

const readRows = (
  table: Table,
  columns: ReadonlyArray<ListColumn | undefined>,
  chosen: ChosenLines
): ReadonlyArray<ListRow> => {
  const isNumber = (position: number) => columns[position] !== undefined && columns[position] !== "name"
  // A spreadsheet writes all its numbers in one way: a decimal comma in one cell tells how to read 5.000 in another.
  const notation = notationOf(table.rows.flatMap(({ cells }) => cells.filter((_, position) => isNumber(position))))
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
  return withTicks(table, columns, rows, chosen)
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

/** A table as past campaigns, from whose counts all required rates can be told. */
const readCounts = (table: Table, chosen: ChosenLines, emailsPerContact: number | undefined): PastTable => {
  const ticks = chosen && Object.fromEntries(table.rows.map(({ line }) => [line, chosen.has(String(line))]))
  const campaign = { reply_rate: one, positive_reply_rate: one, meeting_booking_rate: one, close_rate: one }
  const choices = { ...(ticks && { ticks }), ...(emailsPerContact !== undefined && { emailsPerContact }) }
  const read = readPastTable(table, choices, { existing: [], campaign })
  const { columns } = (emailsPerContact === undefined ? undefined : contactsOffer(read)) ?? {}
  return columns === undefined ? read : readPastTable(table, { ...choices, columns }, { existing: [], campaign })
}

/** The answer to a table that has contacts where the emails sent are looked for. */
const contactsOffer = ({ questions }: PastTable) =>
  questions.flatMap(({ offers = [] }) => offers).find(({ emailsPerContact }) => emailsPerContact !== undefined)

/** The counts without which no reply or close rate is shown, as far as a campaign lacks them. */
const lacking = (campaign: PastCampaign) =>
  (["replies", "clients"] as const).filter((count) => campaign[count] === undefined)

const ofContacts = {
  question: `These are counts, with contacts in place of emails. ${contactsQuestion}`,
  answers: ["counts"],
  isOfContacts: true
} as const satisfies ListRowsFound

/** Past campaigns as campaigns to send again, at the rates that they show. */
const countedRows = (table: Table, chosen: ChosenLines, emailsPerContact: number | undefined): ListRowsFound => {
  const read = readCounts(table, chosen, emailsPerContact)
  if (contactsOffer(read) !== undefined) return ofContacts
  const { columns, leftOut, notes, obstacle, questions, rows } = read
  const why = columns.flatMap(({ why }) => why ?? [])
  if (obstacle !== undefined) {
    const advice = questions.length > 0 ? ["Change the table so that it says so."] : []
    return { refusals: [[...why, obstacle, ...advice].join(" ")] }
  }
  // The amounts of rows that were added up are unknown.
  const amounts = table.header.flatMap((name, index): ReadonlyArray<readonly [FieldName, number]> => {
    const field = rows.length === table.rows.length ? fieldOf(name) : undefined
    return field === "average_deal_value" || field === "campaign_cost" ? [[field, index]] : []
  })
  const used = new Set(amounts.map(([, index]) => index))
  const notation = notationOf(table.rows.flatMap(({ cells }) => cells))
  return {
    rows: rows.map(({ campaign, id, isTicked, reason, refusal }): ListRow => {
      const line = Number(id)
      const { cells = [] } = table.rows.find((row) => row.line === line) ?? {}
      const money = amounts.flatMap(([field, position]) => {
        const { text = "" } = cells[position] ?? {}
        return isUnknown(text) ? [] : [[field, inEnglish(text, notation)] as const]
      })
      const missing = lacking(campaign)
      const hasRates = missing.length === 0
      return {
        line,
        place: `Line ${line}`,
        name: campaign.name ?? "",
        numbers: {
          emails_sent: String(campaign.emails_sent),
          ...(hasRates ? ratesShown(campaign) : {}),
          ...Object.fromEntries(money)
        },
        isIn: isTicked && hasRates,
        reason,
        refusal: refusal ?? (hasRates ? undefined : `its ${listed(missing)} are unknown`)
      }
    }),
    notes: [
      "Each campaign is ranked as if the same emails were sent again, at the rates that its counts show. Those of few emails may be luck.",
      ...notes,
      ...why,
      ...leftOut
    ],
    unused: columns.flatMap(({ index, name, takenFor, use, why }) => {
      const isRate = takenFor !== undefined && isListed(name)
      return use === undefined && why === undefined && name !== "" && !used.has(index) && !isRate ? [name] : []
    }),
    isPercent: true
  }
}

/** Finds the rows of a list in a table; `meaning` and `emailsPerContact` answer the questions that it may raise. */
export const listRows = (
  table: Table,
  {
    chosen,
    emailsPerContact,
    meaning
  }: {
    readonly chosen: ChosenLines
    readonly emailsPerContact: number | undefined
    readonly meaning: Meaning | undefined
  }
): ListRowsFound => {
  if (meaning === "counts") return countedRows(table, chosen, emailsPerContact)
  const { columns, isUnclear, note } = listColumns(table, meaning === "percent")
  const missing = requiredNames.filter((name) => !columns.includes(name))
  const mayBePercent = isUnclear && requiredNames.every((name) => listColumns(table, true).columns.includes(name))
  const counts = missing.length === 0 ? undefined : readCounts(table, undefined, emailsPerContact)
  if (counts?.rows.some(({ campaign }) => lacking(campaign).length === 0) === true) {
    if (contactsOffer(counts) !== undefined && !mayBePercent) return ofContacts
    return {
      question: "These are counts. Rank the campaigns by the rates that they show?",
      answers: mayBePercent ? ["counts", "percent"] : ["counts"]
    }
  }
  if (mayBePercent) return { question: "Are these numbers percentages, not counts of people?", answers: ["percent"] }
  if (
    !missing.includes("emails_sent") &&
    missing.includes("reply_rate") &&
    counts?.rows.some(({ campaign }) => campaign.replies !== undefined) === true
  ) {
    return {
      refusals: ["These are counts, but not of clients. Add a column of clients, or give all rates in percent."]
    }
  }
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
    rows: readRows(table, columns, chosen),
    notes: note === undefined ? [] : [note],
    unused: table.header.filter((name, index) => name !== "" && columns[index] === undefined),
    isPercent: table.rows.some(({ cells }) => cells.some(({ kind }) => kind === "percentage"))
  }
}
