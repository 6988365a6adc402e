import { max, sum } from "d3-array"
import { type CountName, countNames } from "../../campaign/Rates.ts"
import { pastCountBounds } from "../../campaign/NumberBounds.ts"
import { type Cell, type CellKind, countIn, isYes } from "./Cells.ts"
import { type Notation, notationOf } from "./Notation.ts"
import type { Table } from "./Layout.ts"
import { isSummary } from "../../campaign/Summaries.ts"
import { people } from "../../text/Figures.ts"
import { excerpt } from "./CampaignRows.ts"
import {
  countsContacts,
  daysIn,
  isOfDates,
  isOfOwners,
  isOfPeopleOnly,
  otherChannel,
  recognize
} from "./ColumnNames.ts"
import { type ColumnName, columns, thingsOf } from "./Columns.ts"

/** The user's choices of what columns are for, by their index. */
export type ChosenColumns = { readonly [index: number]: ColumnName | "none" }

/** A column of a table: what it is by its cells, and what it is taken for. */
export interface ReadColumn {
  readonly index: number
  /** Its name; empty if it has none. */
  readonly name: string
  /** Its first cell of its kind. */
  readonly example: string
  /** The kind of most of its cells. */
  readonly kind: CellKind
  readonly use: ColumnName | undefined
  /** True if the user says what it is for, or that it is not used. */
  readonly isChosen: boolean
  /** The count that the user chose for it, used or not. */
  readonly chosen: CountName | undefined
  /** The meaning of its name, used or not. */
  readonly whatFor: ColumnName | undefined
  /** True if it counts contacts, who may get several emails each. */
  readonly isOfContacts: boolean
  /** The count that it is not used for, as another column has other counts and as good a name. */
  readonly tiedFor: CountName | undefined
  /** The reason why it is not used, although its name is that of a count or the user chose it: a sentence. */
  readonly why: string | undefined
  /** The counts in its cells, row by row; undefined where there is none. */
  readonly counts: ReadonlyArray<number | undefined>
}

const kindWords: { readonly [kind in CellKind]: string } = {
  empty: "is empty",
  count: "has counts",
  number: "has numbers that are negative or not whole",
  percentage: "has percentages",
  money: "has amounts of money",
  date: "has dates",
  yes_no: "has yes and no",
  address: "has addresses",
  text: "has text"
}

const quoted = (text: string) => `“${excerpt(text)}”`

/** Day numbers of Excel from 2017 to 2036. */
const dayNumbers = { from: 42_736, to: 50_000, within: 3000 }

/** True if whole numbers may be dates, as Excel stores them: they are near each other, and not all of them are round. */
const areDayNumbers = (counts: ReadonlyArray<number>) => {
  const [least = 0, ...others] = counts.toSorted((a, b) => a - b)
  const greatest = others.at(-1) ?? Infinity
  return (
    least >= dayNumbers.from &&
    greatest <= Math.min(dayNumbers.to, least + dayNumbers.within) &&
    counts.some((count) => count % 100 !== 0)
  )
}

/** The rows that may be campaigns: neither averages and the like, which have decimals, nor rows of nothing but rates. */
const rowsOfCampaigns = (rows: Table["rows"]): Table["rows"] => {
  const those = rows.filter(({ cells }) => {
    const label = cells.find(({ kind }) => kind !== "empty")?.text ?? ""
    return cells.some(({ kind }) => kind === "count") && !isSummary(label)
  })
  return those.length === 0 ? rows : those
}

interface Profile {
  readonly kind: CellKind
  readonly counts: ReadonlyArray<number | undefined>
  /** A cell that can be read in two ways. */
  readonly unclear: string | undefined
  readonly mayBeDays: boolean
}

/**
 * The kind of a column by its cells, as far as they are of rows that may be campaigns; percentages and money in it make
 * it no column of counts.
 */
const profileOf = (
  name: string,
  cells: ReadonlyArray<Cell>,
  mayBeCampaign: (row: number) => boolean,
  table: Notation,
  areContacts: boolean
): Profile => {
  const filled = cells.filter(({ kind }, row) => kind !== "empty" && mayBeCampaign(row))
  if (areContacts && filled.length > 0 && filled.every(({ kind }) => kind === "yes_no" || kind === "date")) {
    // A contact with a yes, or with the date of a reply.
    const counts = cells.map(({ kind, text }) => Number(kind === "date" || isYes(text)))
    return { kind: "count", counts, unclear: undefined, mayBeDays: false }
  }
  const notation = notationOf(filled)
  const read = cells.map((cell) => (areContacts && cell.kind === "empty" ? 0 : countIn(cell, notation, table)))
  const counts = read.map((count) =>
    typeof count === "number" && count <= pastCountBounds.maximum ? count : undefined
  )
  const known = counts.flatMap((count, row) => (count !== undefined && mayBeCampaign(row) ? [count] : []))
  const unclear = cells.find((_, index) => read[index] === "unclear")?.text
  const has = (kind: CellKind) => filled.filter((cell) => cell.kind === kind).length
  const share = (kind: CellKind) => has(kind) / Math.max(1, filled.length)
  const profile = (kind: CellKind): Profile => ({
    kind,
    counts,
    unclear,
    mayBeDays: kind === "count" && areDayNumbers(known)
  })
  if (filled.length === 0) return profile("empty")
  const spoiled = (["percentage", "money", "number"] as const).find(
    // One cell that is not whole may be a mistake, which only its own row pays for.
    (kind) => has(kind) > 0 && (share(kind) >= (kind === "number" ? 0.5 : 0.2) || known.every((count) => count <= 100))
  )
  if (spoiled !== undefined && share("text") < 0.5 && share("date") < 0.5) return profile(spoiled)
  if (known.length >= (filled.length * 2) / 3)
    return profile(isOfDates(name) && areDayNumbers(known) ? "date" : "count")
  const kinds = (["date", "address", "yes_no", "money", "percentage", "number", "text"] as const).map(
    (kind) => [kind, has(kind)] as const
  )
  const [most] = kinds.toSorted((a, b) => b[1] - a[1])
  return profile(most === undefined || most[1] < filled.length / 2 ? "text" : most[0])
}

/** The most emails that a sequence has for one contact. */
const maxSteps = 20

/** True if counts may be the steps of sequences: they are small, and others are much greater in each row. */
const areFewerThan = ({ counts }: Profile, { counts: others }: Profile): boolean => {
  const pairs = counts.flatMap((count, row) =>
    count === undefined || !others[row] ? [] : [[count, others[row]] as const]
  )
  return (
    pairs.length > 0 &&
    counts.every((count) => (count ?? 0) <= maxSteps) &&
    pairs.every(([count, other]) => other >= 5 * count)
  )
}

const isAfterReplies = (use: ColumnName) => columns.indexOf(use) > columns.indexOf("replies")

/** The reply rate if replies are counts, in words, where hardly anyone has so low a rate and they may be percentages. */
const tinyRate = (replies: Profile, emails: Profile): string | undefined => {
  const rows = replies.counts.flatMap((count, row) => {
    const sent = emails.counts[row]
    return count === undefined || !sent ? [] : [{ count, sent }]
  })
  const [got, sent] = [sum(rows, ({ count }) => count), sum(rows, (row) => row.sent)]
  const mayBeRates = got > 0 && rows.every((row) => row.count <= 50 && row.sent >= 500) && got < sent * 0.003
  return mayBeRates ? people((100 * got) / sent) : undefined
}

/** The reason why a column with these cells does not have counts; undefined if it has. */
const misfit = (name: string, use: ColumnName, { kind, unclear }: Profile, example: string): string | undefined => {
  if (use === "name") return undefined
  const things = thingsOf(use)
  if (unclear !== undefined) {
    return `${quoted(name)} is not used: ${quoted(unclear)} can be read in two ways, as other cells have decimals. Write it without separators.`
  }
  if (kind === "count") return undefined
  if (kind === "empty") return `${quoted(name)} is not used: it is empty.`
  if (kind === "percentage") return `${quoted(name)} is not used: ${example} is a rate. Give the number of ${things}.`
  return `${quoted(name)} is not used: it ${kindWords[kind]}, such as ${quoted(example)}, not the number of ${things}.`
}

/**
 * Takes the columns of a table for what they are, by their names, their cells and the choices of the user. If its rows
 * are contacts, those with a yes or a date are counted, and an empty cell is 0.
 */
export const readColumns = (
  { header, rows }: Table,
  chosen: ChosenColumns,
  areContacts: boolean
): ReadonlyArray<ReadColumn> => {
  const cellsOf = (index: number) => rows.flatMap(({ cells }) => cells[index] ?? [])
  const telling = rowsOfCampaigns(rows)
  const lines = new Set(telling.map(({ line }) => line))
  const mayBeCampaign = (row: number) => lines.has(rows[row]?.line ?? 0)
  const table = notationOf(telling.flatMap(({ cells }) => cells))
  const found = header.map((name, index) => {
    const cells = cellsOf(index)
    const profile = profileOf(name, cells, mayBeCampaign, table, areContacts)
    const example = excerpt(
      (cells.find(({ kind }) => kind === profile.kind) ?? cells.find(({ kind }) => kind !== "empty"))?.text ?? ""
    )
    const shown = name === "" ? `Column ${index + 1}` : name
    return {
      index,
      name,
      shown,
      example,
      profile,
      known: recognize(name),
      distinct: new Set(cells.map(({ text }) => text)).size
    }
  })
  type Found = (typeof found)[number]
  const choice = (use: ColumnName) => found.find(({ index }) => chosen[index] === use)
  const isFree = ({ index }: Found) => chosen[index] === undefined
  /** A reply rate is people per email: some of those who reply write several times. */
  const isInOtherUnit = ({ known }: Found, use: ColumnName) => Number(known?.isOfContacts === (use !== "replies"))
  const used = new Map<number, ColumnName>()
  const ofPeople = found.filter(
    ({ known, name }) => countsContacts(name) || (known !== undefined && known.column !== "name")
  )
  /** True if a column has replies to messages that are no emails. */
  const isOfSeveralChannels = found.some(
    ({ name, profile }) =>
      otherChannel.test(name) &&
      recognize(name.replace(otherChannel, " "))?.column === "replies" &&
      sum(profile.counts) > 0
  )
  const doubt = (each: Found, use: ColumnName) => {
    if (use === "name" || areContacts) return undefined
    if (each.profile.mayBeDays) return `${each.example} looks like a date as Excel stores it`
    if (isOfSeveralChannels && isAfterReplies(use) && !/mail/i.test(each.name)) {
      return "it counts those of all channels, as others than emails have replies too"
    }
    if (use === "emails_sent") {
      return ofPeople.some(({ profile }) => areFewerThan(each.profile, profile))
        ? `${each.example} is far below the number of people, so it may count the steps of a sequence`
        : undefined
    }
    const emails = use === "replies" ? found.find(({ index }) => used.get(index) === "emails_sent") : undefined
    const rate = emails === undefined ? undefined : tinyRate(each.profile, emails.profile)
    return rate === undefined
      ? undefined
      : `as counts, these make a reply rate of only ${rate}%, so they may be percentages`
  }
  /** True if a column may say how many campaigns a month or a client had; numbers in a first column are names. */
  const isOfNumbers = ({ index, name, profile }: Found) =>
    index > 0 && profile.kind === "count" && /^(?:campaigns|sequences|cadences)$/i.test(name)
  const fits = (each: Found, use: ColumnName) =>
    !(use === "name" && isOfNumbers(each)) &&
    misfit(each.shown, use, each.profile, each.example) === undefined &&
    doubt(each, use) === undefined
  const tied = new Map<number, CountName>()
  /** The qualifier of the emails, which other counts have if they are of the same period. */
  const qualifierOfEmails = () => found.find(({ index }) => used.get(index) === "emails_sent")?.known?.qualifier
  /** The order of columns that may be used; those at 0 differ in their place only. */
  const compare = (use: ColumnName) => (a: Found, b: Found) =>
    isInOtherUnit(a, use) - isInOtherUnit(b, use) ||
    Number(a.known?.qualifier !== "") - Number(b.known?.qualifier !== "") ||
    Number(!isOfPeopleOnly(a.name)) - Number(!isOfPeopleOnly(b.name)) ||
    (a.known?.rank ?? 0) - (b.known?.rank ?? 0)
  const hasOtherCounts = ({ profile }: Found, other: Found) =>
    profile.counts.some((count, row) => {
      const its = other.profile.counts[row]
      return count !== undefined && its !== undefined && count !== its
    })
  /** The one of equally good columns: of the period of the emails, else of the longest one; undefined if that leaves several. */
  const oneOf = (equals: ReadonlyArray<Found>): Found | undefined => {
    const same = equals.filter(({ known }) => known?.qualifier === qualifierOfEmails())
    if (same.length === 1) return same[0]
    const lengths = equals.flatMap(({ known }) => daysIn(known?.qualifier ?? "") ?? [])
    const longest = lengths.length < equals.length ? undefined : max(lengths)
    const those = equals.filter(({ known }) => longest !== undefined && daysIn(known?.qualifier ?? "") === longest)
    return those.length === 1 ? those[0] : undefined
  }
  for (const use of columns) {
    const byHand = choice(use)
    const ordered = found.filter((each) => isFree(each) && each.known?.column === use).toSorted(compare(use))
    // Only until one fits: the check compares a column with all others.
    const first = byHand === undefined ? ordered.find((each) => fits(each, use)) : undefined
    const equals =
      first === undefined || use === "name"
        ? []
        : ordered.filter((each) => compare(use)(each, first) === 0 && fits(each, use))
    const isTied = first !== undefined && equals.some((each) => hasOtherCounts(each, first))
    const byName = isTied ? oneOf(equals) : first
    if (isTied && byName === undefined && use !== "name") for (const { index } of equals) tied.set(index, use)
    const taken = byHand ?? byName
    if (
      taken !== undefined &&
      (byHand === undefined || misfit(taken.shown, use, taken.profile, taken.example) === undefined)
    ) {
      used.set(taken.index, use)
    }
  }
  // A first column of texts that are all different names the campaigns, whatever its own name is.
  const [first] = found
  if (
    first !== undefined &&
    isFree(first) &&
    ![...used.values()].includes("name") &&
    !used.has(0) &&
    first.profile.kind === "text" &&
    !isOfDates(first.name) &&
    first.distinct === rows.length
  ) {
    used.set(0, "name")
  }
  const whyNot = (each: Found): string | undefined => {
    const { index, known, profile, shown } = each
    const asked = chosen[index] ?? known?.column
    if (asked === undefined || asked === "none" || used.get(index) === asked || tied.has(index)) return undefined
    // A second name, a column of email addresses, or clients whose campaigns these are surprise nobody.
    const isOther = profile.kind === "address" || (profile.kind === "text" && isOfOwners(each.name))
    if (chosen[index] === undefined && (asked === "name" || isOther)) return undefined
    const wrong = misfit(shown, asked, profile, each.example)
    if (wrong !== undefined) return wrong
    const other = found.find(({ index }) => used.get(index) === asked)
    if (other !== undefined) {
      return other.shown === shown
        ? `${quoted(shown)} in column ${index + 1} is not used: the one in column ${other.index + 1} is used for ${thingsOf(asked)}.`
        : `${quoted(shown)} is not used: ${quoted(other.shown)} is used for ${thingsOf(asked)}.`
    }
    const why = doubt(each, asked)
    return why === undefined
      ? undefined
      : `${quoted(shown)} is not used: ${why}. If it is the number of ${thingsOf(asked)}, choose it.`
  }
  return found.map((each) => {
    const { example, index, known, name, profile } = each
    return {
      index,
      name,
      example,
      kind: profile.kind,
      use: used.get(index),
      isChosen: chosen[index] !== undefined,
      chosen: countNames.find((count) => count === chosen[index]),
      whatFor: known?.column,
      isOfContacts: known?.isOfContacts ?? countsContacts(name),
      counts: profile.counts,
      tiedFor: tied.get(index),
      why: whyNot(each)
    }
  })
}
