import { group, max, sum } from "d3-array"
import type { CountName } from "../../campaign/Rates.ts"
import { counted, integer } from "../../text/Figures.ts"
import { labelOf } from "./Columns.ts"

export type Counts = { readonly [count in CountName]?: number }

/** A row that may be a campaign, or a part of one. */
export interface CampaignRow {
  /** Its name; empty if it has none. */
  readonly name: string
  /** Its name in sentences: that, or its place. */
  readonly shown: string
  readonly counts: Counts
  /** The order of its date; undefined without a column of dates. */
  readonly date?: number | undefined
}

/** The beginning of a text that may be long. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

/** At most this many names are in a sentence. */
const maxNamed = 5

/** `a, b, c, d, e and 3 more`: the first of names that may be many. */
export const firstFew = (names: ReadonlyArray<string>): string =>
  names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "")

/** A question that must be answered before the campaigns can be added, in words, with the choice that answers it. */
export interface Question {
  readonly choice: "columns" | "rowsAre" | "emailsPerContact" | "automaticReplies" | "emptyCells" | "laterRows"
  readonly sentence: string
}

/** The rows after a step, and what it asks; sentences name the rows and counts that it left out, and what it did. */
export interface StepResult<Row extends CampaignRow = CampaignRow> {
  readonly rows: ReadonlyArray<Row>
  readonly leftOut?: ReadonlyArray<string>
  readonly notes?: ReadonlyArray<string>
  readonly questions?: ReadonlyArray<Question>
}

/** The sentence that names rows which are left out, and why. */
export const leftOutRows = (rows: ReadonlyArray<CampaignRow>, why: string): ReadonlyArray<string> => {
  const verb = rows.length === 1 ? "is" : "are"
  return rows.length === 0 ? [] : [`${firstFew(rows.map(({ shown }) => shown))} ${verb} left out: ${why}.`]
}

/** Counts without some of them. */
export const without = (counts: Counts, names: ReadonlyArray<CountName>): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => !names.some((each) => each === name)))

/** The sums of the counts that all rows have. */
export const sumOf = (rows: ReadonlyArray<CampaignRow>, names: ReadonlyArray<CountName>): Counts => {
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
  ...group(rows, ({ name, shown }) => (name === "" ? shown : name.toLowerCase())).values()
]

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
    return [{ ...first, counts, date: max(group, ({ date }) => date) }]
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
