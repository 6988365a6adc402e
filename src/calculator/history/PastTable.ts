import { learnsFrom, maxPastCampaigns, type PastCampaign } from "../../campaign/PastCampaigns.ts"
import { type CountName, countNames, type RateName } from "../../campaign/Rates.ts"
import { type Table, withoutHeader } from "../../input/table/Layout.ts"
import { counted, integer } from "../../text/Figures.ts"
import {
  addedUp,
  type CampaignRow,
  type Counts,
  dateOrder,
  type LeftOut,
  listed,
  rowKindOf,
  type RowKind,
  sumOf,
  withoutTotals
} from "./CampaignRows.ts"
import { type ChosenColumns, type ReadColumn, readColumns } from "./ColumnUses.ts"
import { labelOf } from "./Columns.ts"

/** The user's answers about a table; whatever is left out is as the table shows it. */
export interface Choices {
  /** False if the first row is a campaign, not the names of the columns. */
  readonly hasHeader?: boolean
  /** What columns are for, by index; the others are taken by name. */
  readonly columns?: ChosenColumns
  /** The rows are campaigns, or parts of one: contacts, days, mailboxes, steps. */
  readonly rowsAre?: "campaigns" | "parts"
  /** False keeps rows of one name apart, which are added up otherwise. */
  readonly areAddedUp?: boolean
  /** How many emails each contact got, if the emails are counted in contacts. */
  readonly emailsPerContact?: number
  /** True adds campaigns again that are already there. */
  readonly areRepeatsAdded?: boolean
}

/** What is asked before the campaigns can be added, in words, with the choice that answers it. */
export interface Question {
  readonly choice: "columns" | "rowsAre" | "emailsPerContact"
  readonly sentence: string
}

/** What stands around a table on the page. */
export interface Surroundings {
  /** The campaigns that are there already. */
  readonly existing: ReadonlyArray<PastCampaign>
  /** The campaign that learns: its rates say which counts are needed. */
  readonly campaign: Parameters<typeof learnsFrom>[0]
}

/** A table of past campaigns as it is understood. */
export interface PastTable {
  readonly columns: ReadonlyArray<ReadColumn>
  readonly hasHeader: boolean
  readonly rowKind: RowKind
  /** The campaigns to add, as they are understood so far. */
  readonly campaigns: ReadonlyArray<PastCampaign>
  /** Rows and counts that are left out, with a sentence for each reason. */
  readonly leftOut: ReadonlyArray<LeftOut>
  /** What was done with the rows: sentences. `areAddedUp` is true if rows of one name were added up, which can be switched off. */
  readonly notes: ReadonlyArray<string>
  readonly hasSameNames: boolean
  /** Open questions: nothing can be added before they are answered. */
  readonly questions: ReadonlyArray<Question>
  /** The rates that will be learned from these campaigns together with those that are there. */
  readonly learns: ReadonlyArray<{ readonly name: RateName; readonly campaigns: number }>
  /** Why the campaigns cannot be added; undefined if they can. */
  readonly obstacle: string | undefined
}

const maxName = 100

const counts = ["emails_sent", ...countNames] as const

/** The counts of a campaign that contradict others: the ones to leave out, each with the one that it is above. */
const contradictions = (row: Counts): ReadonlyArray<{ readonly name: CountName; readonly above: CountName }> => {
  const found: Array<{ readonly name: CountName; readonly above: CountName }> = []
  let before: CountName = "emails_sent"
  for (const name of countNames) {
    const value = row[name]
    const limit = row[before]
    if (value === undefined || limit === undefined) {
      if (value !== undefined) before = name
      continue
    }
    if (value <= limit) before = name
    // More replies than delivered emails: they may still be fewer than those that were sent.
    else if (before === "delivered" && value <= (row.emails_sent ?? 0)) {
      found.push({ name: "delivered", above: name })
      before = name
    } else found.push({ name, above: before })
  }
  return found
}

const without = (row: Counts, names: ReadonlySet<CountName>): Counts =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !counts.some((count) => count === name && names.has(count)))
  )

/** Leaves out counts that contradict others: a column if it does so in more than one of ten campaigns, else in those. */
const consistent = (
  rows: ReadonlyArray<CampaignRow>
): { readonly rows: ReadonlyArray<CampaignRow>; readonly leftOut: ReadonlyArray<LeftOut> } => {
  const leftOut: Array<LeftOut> = []
  // A column of nothing but 0 was not counted if a later one has more.
  const empty = new Set(
    countNames.filter((name, index) => {
      const known = rows.flatMap(({ counts }) => counts[name] ?? [])
      const later = countNames.slice(index + 1)
      return (
        known.length > 0 &&
        known.every((count) => count === 0) &&
        rows.some(({ counts }) => later.some((each) => (counts[each] ?? 0) > 0))
      )
    })
  )
  for (const name of empty) {
    leftOut.push({
      rows: [],
      sentence: `${labelOf(name)} are not used: all of them are 0, although later counts are not.`
    })
  }
  let left = rows.map((row) => ({ ...row, counts: without(row.counts, empty) }))
  for (;;) {
    const found = left.flatMap((row) =>
      contradictions(row.counts)
        .slice(0, 1)
        .map((each) => ({ row, ...each }))
    )
    const [first] = found
    if (first === undefined) return { rows: left, leftOut }
    const { name } = first
    const wrong = new Set(found.filter((each) => each.name === name).map(({ row }) => row))
    const having = left.filter(({ counts }) => counts[name] !== undefined).length
    const isWhole = wrong.size > having / 10
    const label = labelOf(name)
    const above = labelOf(first.above).toLowerCase()
    const [shown, value, limit] = [first.row.shown, first.row.counts[name] ?? 0, first.row.counts[first.above] ?? 0]
    const how = value > limit ? `above the ${integer(limit)} ${above}` : `below the ${integer(limit)} ${above}`
    leftOut.push({
      rows: [...wrong].map((row) => row.shown),
      sentence: isWhole
        ? `${label} are not used: ${integer(value)} in ${shown} is ${how}.`
        : `${label} of ${listed([...wrong].map((row) => row.shown))} are left out: ${integer(value)} is ${how}.`
    })
    left = left.map((row) =>
      isWhole || wrong.has(row) ? { ...row, counts: without(row.counts, new Set([name])) } : row
    )
  }
}

const sameCampaign = (a: PastCampaign, b: PastCampaign) =>
  (a.name ?? "").toLowerCase() === (b.name ?? "").toLowerCase() && counts.every((name) => a[name] === b[name])

/** True if every row of a table occurs equally often, and more than once: it was pasted or exported twice. */
const timesRepeated = (texts: ReadonlyArray<string>): number => {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  const [first = 1, ...others] = new Set(times.values())
  return others.length === 0 ? first : 1
}

const partWords: { readonly [kind in Exclude<RowKind, "campaign">]: string } = {
  contact: "Each row looks like one contact, not one campaign. Add them up?",
  day: "The rows have dates, but no names of campaigns. Are they days of one campaign, to be added up?",
  mailbox: "Each row looks like one mailbox, not one campaign. Add them up to one campaign?",
  step: "Each row looks like one step or variant, not one campaign. Add them up to one campaign?"
}

/**
 * Understands a table of past campaigns: what its columns count, which rows are campaigns, which are left out, what has
 * to be asked, and what can be learned. A function of the table, the choices of the user and what is on the page already.
 */
export const readPastTable = (read: Table, choices: Choices, { campaign, existing }: Surroundings): PastTable => {
  const table = choices.hasHeader === false ? withoutHeader(read) : read
  const columns = readColumns(table, choices.columns ?? {})
  const rowKind = rowKindOf(table, columns)
  const leftOut: Array<LeftOut> = []
  const notes: Array<string> = table.isTurned
    ? ["The table was turned: its rows are counts, its columns campaigns."]
    : []
  const questions: Array<Question> = []
  const columnOf = (use: ReadColumn["use"]) => columns.find((column) => column.use === use)
  const emails = columnOf("emails_sent")
  const named = columnOf("name")
  const used = counts.filter((count) => columnOf(count) !== undefined)
  const dates = dateOrder(table, columns)

  const texts = table.rows.map(({ cells }) => cells.map(({ text }) => text).join("\t"))
  const times = timesRepeated(texts)
  if (times > 1) notes.push(`Every row is there ${times === 2 ? "twice" : `${times} times`}: each is used once.`)
  const once = new Set(
    times > 1 ? texts.flatMap((text, row) => (texts.indexOf(text) === row ? [row] : [])) : texts.keys()
  )

  const all = table.rows.flatMap(({ cells, line }, row) => {
    if (!once.has(row)) return []
    const name = (named === undefined ? "" : (cells[named.index]?.text ?? "")).slice(0, maxName)
    const shown = name === "" ? `the row on line ${line}` : `“${name}”`
    const read: { [count in CountName]?: number } = {}
    for (const count of used) {
      const value = columnOf(count)?.counts[row]
      if (value !== undefined) read[count] = value
    }
    const texts = cells.filter(({ kind }) => kind === "text").map(({ text }) => text)
    const date = dates?.[row]
    return [
      {
        row,
        name,
        shown,
        counts: read,
        labels: [...new Set([name, ...texts.slice(0, 2)])],
        ...(date === undefined ? {} : { date })
      }
    ]
  })
  const isParts = choices.rowsAre === "parts" || (rowKind !== "campaign" && choices.rowsAre === undefined)
  const totals = rowKind === "contact" ? { rows: all, leftOut: [] } : withoutTotals(all, used)
  leftOut.push(...totals.leftOut)

  for (const count of used) {
    const column = columnOf(count)
    const wrong = all.filter(({ row }) => {
      const cell = column === undefined ? undefined : table.rows[row]?.cells[column.index]
      return cell !== undefined && cell.kind !== "empty" && column?.counts[row] === undefined
    })
    const kept = wrong.filter(({ shown }) => totals.rows.some((row) => row.shown === shown))
    const [first] = kept
    if (first === undefined || column === undefined) continue
    const text = table.rows[first.row]?.cells[column.index]?.text ?? ""
    leftOut.push({
      rows: kept.map(({ shown }) => shown),
      sentence: `${labelOf(count)} of ${listed(kept.map(({ shown }) => shown))} are left out: “${text}” is not a count.`
    })
  }

  let rows: ReadonlyArray<CampaignRow> = totals.rows
  if (isParts && rowKind !== "campaign") {
    if (choices.rowsAre === undefined) questions.push({ choice: "rowsAre", sentence: partWords[rowKind] })
    const hasCampaigns = named !== undefined && /campaign|sequence|cadence/i.test(named.name)
    if (!hasCampaigns) rows = [{ name: "", shown: "the campaign", counts: sumOf(rows, used) }]
    notes.push(
      `${counted(totals.rows.length, "row")} are added up${hasCampaigns ? " by campaign" : " to one campaign"}.`
    )
  }
  const names = rows.map(({ name }) => name.toLowerCase()).filter((name) => name !== "")
  const hasSameNames = new Set(names).size < names.length
  if (hasSameNames && choices.areAddedUp !== false) {
    const sums = addedUp(rows, used)
    notes.push(
      `${integer(sums.added)} rows are added up, as they have the names of others: ${counted(sums.rows.length, "campaign")}.`
    )
    leftOut.push(...sums.leftOut)
    rows = sums.rows
  }

  const unsent = rows.filter(({ counts }) => (counts.emails_sent ?? 0) === 0)
  if (emails !== undefined && unsent.length > 0) {
    const shown = unsent.map((row) => row.shown)
    leftOut.push({
      rows: shown,
      sentence: `${listed(shown)} ${unsent.length === 1 ? "is" : "are"} left out: no emails were sent.`
    })
    rows = rows.filter((row) => !unsent.includes(row))
  }

  const delivered = columnOf("delivered")
  if (emails !== undefined && !emails.isOfContacts && delivered?.isOfContacts === true) {
    leftOut.push({ rows: [], sentence: `“${delivered.name}” is not used: it counts contacts, not emails.` })
    rows = rows.map((row) => ({ ...row, counts: without(row.counts, new Set(["delivered"])) }))
  }
  if (emails?.isOfContacts === true) {
    const perContact = choices.emailsPerContact
    const isAbove = ({ counts }: CampaignRow) => (counts.delivered ?? 0) > (counts.emails_sent ?? 0)
    if (rows.some(isAbove)) {
      const first = rows.find(isAbove)
      leftOut.push({
        rows: rows.filter(isAbove).map(({ shown }) => shown),
        sentence: `Delivered are not used: in ${first?.shown} more emails were delivered than contacts reached.`
      })
      rows = rows.map((row) => ({ ...row, counts: without(row.counts, new Set(["delivered"])) }))
    }
    if (perContact === undefined) {
      questions.push({
        choice: "emailsPerContact",
        sentence: `“${emails.name}” counts contacts, not emails. How many emails did each contact get?`
      })
    } else {
      notes.push(`Emails sent are the contacts in “${emails.name}” times ${perContact}.`)
      rows = rows.map(({ counts, ...row }) => ({
        ...row,
        counts: {
          ...counts,
          emails_sent: Math.round((counts.emails_sent ?? 0) * perContact),
          ...(counts.delivered === undefined ? {} : { delivered: Math.round(counts.delivered * perContact) })
        }
      }))
    }
  }
  const fitting = consistent(rows)
  leftOut.push(...fitting.leftOut)
  rows = fitting.rows

  const found = rows.map((row) => ({
    date: row.date,
    campaign: {
      ...(row.name === "" ? {} : { name: row.name }),
      ...row.counts,
      emails_sent: row.counts.emails_sent ?? 0
    } satisfies PastCampaign
  }))
  const isRepeat = ({ campaign: each }: (typeof found)[number]) =>
    choices.areRepeatsAdded !== true && existing.some((other) => sameCampaign(each, other))
  const repeated = found.filter(isRepeat)
  if (repeated.length > 0) {
    const shown = repeated.map(({ campaign: { name } }, place) =>
      name === undefined ? `campaign ${place + 1}` : `“${name}”`
    )
    leftOut.push({ rows: shown, sentence: `${listed(shown)} ${repeated.length === 1 ? "is" : "are"} already there.` })
  }
  const fresh = found.filter((each) => !isRepeat(each))
  const room = Math.max(0, maxPastCampaigns - existing.length)
  const isDated = fresh.every(({ date }) => date !== undefined)
  const newest = isDated ? fresh.toSorted((a, b) => (b.date ?? 0) - (a.date ?? 0)) : fresh.toReversed()
  const taken = new Set(newest.slice(0, room))
  const kept = emails === undefined ? [] : fresh.flatMap((each) => (taken.has(each) ? [each.campaign] : []))
  if (emails !== undefined && fresh.length > room) {
    notes.push(
      `${counted(fresh.length, "campaign")} found: the ${isDated ? "newest" : "last"} ${room} are taken, as there can be at most ${maxPastCampaigns}.`
    )
  }

  if (emails === undefined) {
    questions.push({ choice: "columns", sentence: "Choose the column that has the emails sent." })
  }
  const learns = learnsFrom(campaign, [...existing, ...kept])
  const learnsNew = learnsFrom(campaign, kept)
  return {
    columns,
    hasHeader: table.hasHeader,
    rowKind,
    campaigns: kept,
    leftOut,
    notes,
    hasSameNames,
    questions,
    learns,
    obstacle:
      questions[0]?.sentence ??
      (kept.length === 0
        ? repeated.length > 0
          ? "All of these campaigns are already there."
          : fresh.length > 0
            ? `There are ${maxPastCampaigns} campaigns already: remove some first.`
            : "There is no row with a campaign."
        : learnsNew.length === 0
          ? "Nothing can be learned yet: choose the columns of the counts, such as replies."
          : undefined)
  }
}
