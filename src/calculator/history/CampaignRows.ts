import type { CountName } from "../../campaign/Rates.ts"
import { datesIn } from "../../input/table/Dates.ts"
import type { Table } from "../../input/table/Layout.ts"
import { isOfDates, isOfSteps } from "./ColumnNames.ts"
import type { ReadColumn } from "./ColumnUses.ts"

/** What each row of a table is. */
export type RowKind = "campaign" | "contact" | "day" | "mailbox" | "step"

export type Counts = { readonly [count in CountName]?: number }

/** A row that may be a campaign, or a part of one. */
export interface CampaignRow {
  /** Its name; empty if it has none. */
  readonly name: string
  /** Its name in sentences: that, or its place. */
  readonly shown: string
  readonly counts: Counts
  /** The order of its date; undefined without a column of dates. */
  readonly date?: number
}

/** Rows that are left out, or counts of them, and why: a sentence that names them. */
export interface LeftOut {
  readonly rows: ReadonlyArray<string>
  readonly sentence: string
}

/** At most this many names are in a sentence. */
const maxNamed = 5

export const listed = (names: ReadonlyArray<string>): string =>
  names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "")

const totalWord =
  "(?:(?:grand|sub|overall|report|campaign|account)[ -]?)?totals?|sums?|summe|gesamt(?:summe|ergebnis)?|insgesamt|overall|all|total général|totale|suma|somme|ensemble|subtotals?|zwischensumme"
const averageWord = "average|avg\\.?|mean|median|durchschnitt|mittelwert|moyenne|promedio|media|ø|∅"
const about =
  "(?: ?(?:of|for|across)? ?(?:all|the)? ?(?:\\d+ )?(?:campaigns?|sequences?|cadences?|rows?|results?|kampagnen))?"
const isLabel = (word: string) => new RegExp(`^(?:[Σ∑=*# ]*)(?:${word})${about}[\\s:.*()\\d]*$`, "i")
const total = isLabel(totalWord)
const sigma = /^[Σ∑]$/
const average = isLabel(averageWord)
const mentionsTotal = new RegExp(`^(?:${totalWord})\\b|\\b(?:${totalWord})[:.]?$`, "i")

const same = (a: Counts, b: Counts, names: ReadonlyArray<CountName>) => names.every((name) => a[name] === b[name])

/** The sums of the counts that all rows have. */
export const sumOf = (rows: ReadonlyArray<CampaignRow>, names: ReadonlyArray<CountName>): Counts => {
  const sums: { [count in CountName]?: number } = {}
  for (const name of names) {
    const known = rows.flatMap(({ counts }) => counts[name] ?? [])
    if (known.length === rows.length) sums[name] = known.reduce((sum, count) => sum + count, 0)
  }
  return sums
}

const shownSum = (rows: ReadonlyArray<CampaignRow>, names: ReadonlyArray<CountName>): Counts => {
  const sums: { [count in CountName]?: number } = {}
  for (const name of names) sums[name] = rows.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0)
  return sums
}

/** True if a row has the sums of at least two others, in at least `least` counts above 0. */
const isSumOf = (
  row: CampaignRow,
  others: ReadonlyArray<CampaignRow>,
  names: ReadonlyArray<CountName>,
  least: number
) => {
  if (others.length < 2) return false
  const given = names.filter((name) => row.counts[name] !== undefined)
  const sums = shownSum(others, given)
  return same(row.counts, sums, given) && given.filter((name) => (row.counts[name] ?? 0) > 0).length >= least
}

/** True if a row has the sums of the rows right before it. */
const sumsRowsBefore = (rows: ReadonlyArray<CampaignRow>, place: number, names: ReadonlyArray<CountName>) => {
  const row = rows[place]
  return (
    row !== undefined &&
    Array.from({ length: place }, (_, from) => from).some((from) => isSumOf(row, rows.slice(from, place), names, 1))
  )
}

/** A row of a table with the texts that may say what it is. */
interface LabelledRow extends CampaignRow {
  readonly labels: ReadonlyArray<string>
}

/** Leaves out totals and averages: rows that say so, and a first or last row that is the sum of the others. */
export const withoutTotals = (
  rows: ReadonlyArray<LabelledRow>,
  names: ReadonlyArray<CountName>
): { readonly rows: ReadonlyArray<CampaignRow>; readonly leftOut: ReadonlyArray<LeftOut> } => {
  const leftOut: Array<LeftOut> = []
  const leave = (row: LabelledRow, why: string) => {
    const label = row.labels.find((each) => total.test(each) || sigma.test(each) || average.test(each))
    const shown = label === undefined ? row.shown : `“${label}”`
    leftOut.push({ rows: [shown], sentence: `${shown} is left out: ${why}.` })
    return false
  }
  const labelled = rows.filter((row, place) => {
    if (row.labels.some((label) => average.test(label))) return leave(row, "it is an average, not a campaign")
    if (row.labels.some((label) => total.test(label) || sigma.test(label)))
      return leave(row, "it is a total, not a campaign")
    return row.labels.some((label) => mentionsTotal.test(label)) && sumsRowsBefore(rows, place, names)
      ? leave(row, "it is the sum of rows before it")
      : true
  })
  const kept = labelled.filter((row, place) => {
    if (place > 0 && place < labelled.length - 1) return true
    const others = labelled.filter((other) => other !== row && (other.counts.emails_sent ?? 0) > 0)
    const isNameless = row.name === "" && others.every(({ name }) => name !== "")
    const least = isNameless || others.length > 3 ? 1 : 2
    return isSumOf(row, others, names, least) ? leave(row, "it is the sum of the others") : true
  })
  return { rows: kept, leftOut }
}

/** Adds up rows of one name; counts that some of them lack are left out. */
export const addedUp = (
  rows: ReadonlyArray<CampaignRow>,
  names: ReadonlyArray<CountName>
): { readonly rows: ReadonlyArray<CampaignRow>; readonly leftOut: ReadonlyArray<LeftOut>; readonly added: number } => {
  const groups = new Map<string, Array<CampaignRow>>()
  for (const row of rows) {
    const key = row.name === "" ? row.shown : row.name.toLowerCase()
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const leftOut: Array<LeftOut> = []
  let added = 0
  const sums = [...groups.values()].map((group): CampaignRow => {
    const [first] = group
    if (first === undefined || group.length === 1) return group[0] ?? { name: "", shown: "", counts: {} }
    added += group.length
    const parts = group.map((row) => ({ ...row, counts: { ...row.counts, emails_sent: row.counts.emails_sent ?? 0 } }))
    const counts = sumOf(parts, names)
    for (const name of names) {
      if (counts[name] === undefined && parts.some((row) => row.counts[name] !== undefined)) {
        leftOut.push({
          rows: [first.shown],
          sentence: `${wordsOf(name)} of ${first.shown} are left out: some of its rows have none.`
        })
      }
    }
    const dates = group.flatMap(({ date }) => date ?? [])
    return { ...first, counts, ...(dates.length === 0 ? {} : { date: Math.max(...dates) }) }
  })
  return { rows: sums, leftOut, added }
}

const wordsOf = (name: CountName) => name.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("_", " ")

/** The greatest number of emails that one contact gets. */
const maxEmailsToContact = 15

/** What the rows of a table are, as far as columns and cells show it; `names` are those of the column of names. */
export const rowKindOf = ({ header, rows }: Table, columns: ReadonlyArray<ReadColumn>): RowKind => {
  const named = columns.find(({ use }) => use === "name")
  const ofCampaigns = named !== undefined && /campaign|sequence|cadence|kampagne/i.test(named.name)
  const addresses = columns.filter(({ kind }) => kind === "address")
  const isOfPeople = header.some((name) =>
    /^(?:first|last|full)[ _]?name$|linked ?in|phone|job ?title|^company$/i.test(name.trim())
  )
  const emails = columns.find(({ use }) => use === "emails_sent")
  const distinct = addresses.some(
    ({ index }) => new Set(rows.map(({ cells }) => cells[index]?.text)).size > rows.length * 0.8
  )
  const areSmall =
    emails === undefined || emails.counts.every((count) => count === undefined || count <= maxEmailsToContact)
  const others = columns.filter(({ use }) => use !== undefined && use !== "name" && use !== "emails_sent")
  const areFew = others.every(({ counts }) => counts.every((count) => count === undefined || count <= 5))
  const isMany = rows.length >= 5
  if (areSmall && areFew && ((distinct && rows.length > 1) || isOfPeople || (emails !== undefined && isMany)))
    return "contact"
  if (named !== undefined && (ofCampaigns || named.kind !== "count")) return "campaign"
  if (rows.length < 2) return "campaign"
  if (columns.some(({ name }) => isOfSteps(name))) return "step"
  if (columns.some(({ kind, name }) => kind === "date" || (kind === "count" && isOfDates(name)))) return "day"
  return addresses.length > 0 ? "mailbox" : "campaign"
}

/** The order of the dates of rows: by the column of dates whose name says most about when a campaign was. */
export const dateOrder = ({ rows }: Table, columns: ReadonlyArray<ReadColumn>): ReadonlyArray<number> | undefined => {
  const dated = columns.filter(
    ({ kind, name, use }) => use === undefined && (kind === "date" || (kind === "count" && isOfDates(name)))
  )
  for (const { index } of dated.toSorted((a, b) => Number(isOfDates(b.name)) - Number(isOfDates(a.name)))) {
    const orders = datesIn(rows.flatMap(({ cells }) => cells[index] ?? []))
    if (orders !== undefined) return orders
  }
  return undefined
}
