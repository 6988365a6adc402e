import { max, sum } from "d3-array"
import type { CountName } from "../../campaign/Rates.ts"
import { counted, integer } from "../../text/Figures.ts"
import { labelOf } from "./Columns.ts"

export type Counts = { readonly [count in CountName]?: number }

/** Sentences about counts that were made of others. */
export type Derived = { readonly [count in CountName]?: string }

/** Amounts of money of a campaign. */
export interface Amounts {
  readonly revenue: number | undefined
  readonly spend: number | undefined
}

/** A row that may be a campaign, or a part of one. */
export interface CampaignRow {
  /** Its line in the text or sheet: of rows that were added up the first. */
  readonly line: number
  /** Its name; empty if it has none. */
  readonly name: string
  /** Its name in sentences: that, or its place. */
  readonly shown: string
  readonly counts: Counts
  /** The origins of counts that the table does not have. */
  readonly derived?: Derived
  /** Its costs and revenue, as far as the table has them. */
  readonly amounts?: Amounts
  /** The order of its date; undefined without a column of dates. */
  readonly date?: number | undefined
  /** False if it is no campaign to learn from, or part of one, as far as the table shows. */
  readonly isTicked: boolean
  /** The reason for that, or what to know about a row that is ticked. */
  readonly reason?: string | undefined
}

/** The beginning of a text that may be long. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

/** At most this many names are in a sentence. */
const maxNamed = 5

/** `a, b, c, d, e and 3 more`: the first of names that may be many. */
export const firstFew = (names: ReadonlyArray<string>): string =>
  names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "")

/** An answer that one tap gives: the words of its button, and the choices that it makes, beside those there are. */
export interface Offer {
  readonly label: string
  readonly columns?: { readonly [index: number]: CountName }
  readonly emailsPerContact?: number
  /** The index of the column that rates are of, by the index of theirs. */
  readonly rateBases?: { readonly [index: number]: number }
}

/** A question that must be answered before the campaigns can be added, in words, with the choice that answers it. */
export interface Question {
  readonly choice:
    | "columns"
    | "rowsAre"
    | "emailsPerContact"
    | "automaticReplies"
    | "emptyCells"
    | "laterRows"
    | "rateBases"
  readonly sentence: string
  readonly offers?: ReadonlyArray<Offer>
}

/** A sentence about what the table may mean, too; nothing depends on the answer. */
export interface Suggestion {
  readonly sentence: string
  readonly offers: ReadonlyArray<Offer>
}

/** The rows after a step, and what it asks; sentences name the columns and cells that it left out, and what it did. */
export interface StepResult<Row extends CampaignRow = CampaignRow> {
  readonly rows: ReadonlyArray<Row>
  readonly leftOut?: ReadonlyArray<string>
  readonly notes?: ReadonlyArray<string>
  readonly questions?: ReadonlyArray<Question>
}

/** Rows without the tick of those for which there is a reason. */
export const unticked = <Row extends CampaignRow>(
  rows: ReadonlyArray<Row>,
  reasonOf: (row: Row) => string | undefined
): ReadonlyArray<Row> =>
  rows.map((row) => {
    const reason = row.isTicked ? reasonOf(row) : undefined
    return reason === undefined ? row : { ...row, isTicked: false, reason }
  })

/** The result of a step for the rows that are ticked, among the others. */
export const amongTicked = <Row extends CampaignRow>(
  rows: ReadonlyArray<Row>,
  step: (ticked: ReadonlyArray<Row>) => StepResult<Row>
): StepResult<Row> => {
  const result = step(rows.filter(({ isTicked }) => isTicked))
  const others = rows.filter(({ isTicked }) => !isTicked)
  return { ...result, rows: [...result.rows, ...others].toSorted((a, b) => a.line - b.line) }
}

/** Counts without some of them. */
export const without = (counts: Counts, names: ReadonlyArray<CountName>): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => !names.some((each) => each === name)))

/** The sums of the counts that all rows have. */
const sumOf = (rows: ReadonlyArray<CampaignRow>, names: ReadonlyArray<CountName>): Counts => {
  const sums: { [count in CountName]?: number } = {}
  for (const name of names) {
    const known = rows.flatMap(({ counts }) => counts[name] ?? [])
    if (known.length === rows.length) sums[name] = sum(known)
  }
  return sums
}

/** True if two rows have the same name. */
export const hasSameNames = (rows: ReadonlyArray<CampaignRow>): boolean => {
  const names = rows.map(({ name }) => name.toLowerCase()).filter((name) => name !== "")
  return new Set(names).size < names.length
}

/** Rows of one name together. */
export const groupsOf = <Row extends CampaignRow>(rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => [
  ...Map.groupBy(rows, ({ name, shown }) => (name === "" ? shown : name.toLowerCase())).values()
]

/** The origins of counts of rows that were added up. */
const derivedOfSum = (rows: ReadonlyArray<CampaignRow>): Derived => {
  const ways = rows.flatMap(({ derived }) => Object.entries(derived ?? {}))
  return Object.fromEntries(
    [...Map.groupBy(ways, ([name]) => name)].map(([name, those]) => [
      name,
      those.length === 1 ? (those[0]?.[1] ?? "") : `from the rates of ${those.length} rows`
    ])
  )
}

/** The amounts of rows that were added up: those that all of them have. */
const amountsOfSum = (rows: ReadonlyArray<CampaignRow>): Amounts => {
  const sumOfAll = (name: keyof Amounts) => {
    const known = rows.flatMap(({ amounts }) => amounts?.[name] ?? [])
    return known.length === rows.length ? sum(known) : undefined
  }
  return { revenue: sumOfAll("revenue"), spend: sumOfAll("spend") }
}

/** Adds up rows of one name, such as days, mailboxes or steps; counts that some of them lack are left out. */
export const addedUp = (rows: ReadonlyArray<CampaignRow>, names: ReadonlyArray<CountName>): StepResult => {
  const groups = groupsOf(rows)
  const leftOut: Array<string> = []
  const sums = groups.flatMap((group): ReadonlyArray<CampaignRow> => {
    const [first] = group
    if (first === undefined || group.length === 1) return group
    // A row without counts is a heading; replies may come on days without emails.
    const counting = group.filter(({ counts }) => Object.keys(counts).length > 0)
    const parts = counting.map((row) => ({
      ...row,
      counts: { ...row.counts, emails_sent: row.counts.emails_sent ?? 0 }
    }))
    const counts = sumOf(parts, names)
    const missing = names.filter((name) => counts[name] === undefined && parts.some((row) => name in row.counts))
    for (const name of missing) {
      leftOut.push(`“${labelOf(name)}” is left out in ${first.shown}: some of its rows have none.`)
    }
    return [
      {
        ...first,
        counts,
        derived: derivedOfSum(counting),
        amounts: amountsOfSum(counting),
        date: max(group, ({ date }) => date)
      }
    ]
  })
  const added = groups.filter(({ length }) => length > 1)
  const count = sum(added, ({ length }) => length)
  const one = added.length === 1 ? added[0]?.[0]?.shown : undefined
  const note =
    one === undefined
      ? `${integer(count)} rows are added up to ${counted(added.length, "campaign")}, by name.`
      : `${integer(count)} rows of ${one} are added up to one campaign.`
  return { rows: sums, leftOut, notes: [note] }
}
