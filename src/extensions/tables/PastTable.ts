import type { BigDecimal } from "effect"
import { toDouble } from "../../forecast/Decimal.ts"
import { type Proposal, proposalsOf, withAmounts } from "./AmountColumns.ts"
import { learnsFrom, maxPastCampaigns, type PastCampaign } from "../../campaign/PastCampaigns.ts"
import { countNames, type RateName } from "../../campaign/Rates.ts"
import { type Table, tooLongSentence, withoutHeader } from "./Layout.ts"
import { listed } from "../../forecast/Words.ts"
import { counted } from "../../text/Figures.ts"
import { thingsOf } from "./Columns.ts"
import {
  addedUp,
  amongTicked,
  type CampaignRow,
  type Counts,
  type Derived,
  excerpt,
  hasSameNames,
  type Offer,
  type Question,
  type StepResult,
  type Suggestion
} from "./CampaignRows.ts"
import { type AmountName, campaignsOfSteps, isOfPeople, mayCount, mentionsAutomatic } from "./ColumnNames.ts"
import { type ChosenColumns, type ReadColumn, readColumns } from "./ColumnUses.ts"
import { consistent } from "./Consistency.ts"
import { type Meanings, withEmptyCells, withoutAutomatic, withoutEarlier } from "./Meanings.ts"
import { alreadyThere, idOf, select, type Ticks } from "./Selection.ts"
import { dateOrder, isOfCampaigns, rowKindOf, type RowKind } from "./RowKinds.ts"
import { type RateBases, withRates } from "./RateColumns.ts"
import { namedFromAbove, type ReadRow, readRows, withUnreadable } from "./ReadRows.ts"
import { withRules } from "./RowRules.ts"
import { inEmails } from "./Units.ts"

/** A row of a table, as a campaign that can be added. */
export interface PreviewRow {
  /** The same whatever is chosen: the line it comes from; of rows that were added up, the first. */
  readonly id: string
  /** Its name and counts, as they would be learned from; of a row without a number of emails, that is 0. */
  readonly campaign: PastCampaign
  /** Its counts as far as they are known. */
  readonly counts: Counts
  /** Its name on the page: “Alpha”, or line 7. */
  readonly shown: string
  readonly isTicked: boolean
  /** The reason why it is not ticked by itself, or a remark; short, to stand beside the row. */
  readonly reason: string | undefined
  /** The reason why it cannot be ticked; undefined if it can. */
  readonly refusal: string | undefined
  /** The origins of counts that the table does not have: “31 from 2.6% of 1,200”. */
  readonly derived: Derived
}

/** The user's answers about a table; whatever is left out is as the table shows it. */
export interface Choices extends Meanings {
  /** False if the first row is a campaign, not the names of the columns. */
  readonly hasHeader?: boolean
  /** The uses of columns, by index; the others are taken by name. */
  readonly columns?: ChosenColumns
  /** The rows are campaigns, or parts of one: contacts, days, groups, mailboxes, steps. */
  readonly rowsAre?: "campaigns" | "parts"
  /** False keeps rows of one name apart, which are added up otherwise. */
  readonly areAddedUp?: boolean
  /** The number of emails that each contact got, if the emails are counted in contacts. */
  readonly emailsPerContact?: number
  /** The user's own ticks of rows, by id. */
  readonly ticks?: Ticks
  /** The columns that rates are of, where neither name nor numbers say it. */
  readonly rateBases?: RateBases
}

/** Words for what columns of amounts are taken for. */
const amountWords: { readonly [name in AmountName]: string } = {
  revenue: "revenue, for the deal value",
  deal_value: "deal value",
  spend: "costs, for the campaign cost"
}

/** The surroundings of a table on the page. */
export interface Surroundings {
  /** The campaigns that are there already. */
  readonly existing: ReadonlyArray<PastCampaign>
  /** The campaign that learns: its rates say which counts are needed. */
  readonly campaign: Parameters<typeof learnsFrom>[0] & { readonly emails_sent?: BigDecimal.BigDecimal }
}

/** A table of past campaigns as it is understood. */
export interface PastTable {
  /** Its columns; those that are taken for rates or amounts say for which. */
  readonly columns: ReadonlyArray<ReadColumn & { readonly takenFor?: string }>
  readonly hasHeader: boolean
  /** All rows, in the order of the table. */
  readonly rows: ReadonlyArray<PreviewRow>
  /** The campaigns to add, as they are understood so far: those of the rows that are ticked. */
  readonly campaigns: ReadonlyArray<PastCampaign>
  /** Sentences about columns and cells that are left out, one for each reason. */
  readonly leftOut: ReadonlyArray<string>
  /** Sentences about what was done with the rows, such as adding up those of one name. */
  readonly notes: ReadonlyArray<string>
  readonly hasSameNames: boolean
  /** Amounts for the plan, from the campaigns to add. */
  readonly proposals: ReadonlyArray<Proposal>
  /** Other meanings that the table may have: nothing waits for an answer. */
  readonly suggestions: ReadonlyArray<Suggestion>
  /** Open questions: nothing can be added before they are answered. */
  readonly questions: ReadonlyArray<Question>
  /** The rates that will be learned from these campaigns together with those that are there. */
  readonly learns: ReadonlyArray<{ readonly name: RateName; readonly campaigns: number }>
  /** The reason why the campaigns cannot be added; undefined if they can. */
  readonly obstacle: string | undefined
}

const partWords: { readonly [kind in Exclude<RowKind, "campaign">]: string } = {
  contact: "Each row looks like one contact, not one campaign. Add them up?",
  day: "The rows have dates, but no names of campaigns. Are they days of one campaign, to be added up?",
  group: "Each row looks like one group of contacts, such as a country, not one campaign. Add them up?",
  mailbox: "Each row looks like one mailbox or sender, not one campaign. Add them up?",
  step: "Each row looks like one step or variant, not one campaign. Add them up?"
}

/** The counts of a contact: one person, however often they replied, who got one email if emails are not counted. */
const ofContact = (counts: Counts, hasEmails: boolean): Counts => ({
  ...Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [
      name,
      name === "emails_sent" || name === "delivered" ? count : Math.min(count, 1)
    ])
  ),
  ...(hasEmails ? {} : { emails_sent: 1 })
})

/** Counts contacts, without a reply that one of their cells calls automatic. */
const countContacts = (rows: ReadonlyArray<ReadRow>, hasEmails: boolean): StepResult<ReadRow> => {
  const isAutomatic = ({ cells, counts }: ReadRow) =>
    (counts.replies ?? 0) > 0 && cells.some(({ kind, text }) => kind === "text" && mentionsAutomatic(text))
  const automatic = new Set(rows.filter(isAutomatic))
  return {
    rows: rows.map((row) => ({
      ...row,
      counts: ofContact(automatic.has(row) ? { ...row.counts, replies: 0 } : row.counts, hasEmails)
    })),
    notes: automatic.size === 0 ? [] : [`Automatic replies of ${counted(automatic.size, "contact")} are not counted.`]
  }
}

/** Adds up rows that are parts of campaigns: contacts by campaign if its name is among the columns, else all to one. */
const partsAdded = (
  rows: ReadonlyArray<CampaignRow>,
  kind: Exclude<RowKind, "campaign">,
  columns: ReadonlyArray<ReadColumn>,
  isAsked: boolean
): StepResult => {
  const questions: ReadonlyArray<Question> = isAsked ? [{ choice: "rowsAre", sentence: partWords[kind] }] : []
  if (rows.length < 2) return { rows }
  const nameColumn = columns.find(({ use }) => use === "name")
  if (kind === "contact" && nameColumn !== undefined && isOfCampaigns(nameColumn))
    return { ...addedUp(rows, countNames), questions }
  const campaigns = kind === "step" ? campaignsOfSteps(rows.map(({ name }) => name)) : undefined
  if (campaigns?.every((name) => name !== "")) {
    const stepless = rows.map((row, place) => {
      const name = campaigns[place] ?? ""
      return { ...row, name, shown: `“${name}”` }
    })
    return { ...addedUp(stepless, countNames), questions }
  }
  const nameless = rows.map((row) => ({ ...row, name: "", shown: "the campaign" }))
  const notes = [`${counted(rows.length, "row")} are added up to one campaign.`]
  return { ...addedUp(nameless, countNames), notes, questions }
}

const nameOf = ({ index, name }: ReadColumn) => (name === "" ? `Column ${index + 1}` : `“${name}”`)

/** Questions about columns: which of several has a count, and which has the emails. */
const columnQuestions = (columns: ReadonlyArray<ReadColumn>, areContacts: boolean): ReadonlyArray<Question> => {
  const tied = columns.find(({ tiedFor }) => tiedFor !== undefined)?.tiedFor
  if (tied !== undefined) {
    const those = columns.filter(({ tiedFor }) => tiedFor === tied)
    const areNamesakes = new Set(those.map(({ name }) => name)).size < those.length
    const called = (column: ReadColumn) => nameOf(column) + (areNamesakes ? ` in column ${column.index + 1}` : "")
    const sentence = `${listed(those.map(called))} may ${those.length === 2 ? "both" : "all"} be the ${thingsOf(tied)}, and have different counts: choose one.`
    const offers = those.map((column) => ({
      label: `Use ${called(column)} as ${thingsOf(tied)}`,
      columns: { [column.index]: tied }
    }))
    return [{ choice: "columns", sentence, offers }]
  }
  if (areContacts || columns.some(({ use }) => use === "emails_sent")) return []
  const sentence = "Choose the column that has the emails sent, or the contacts."
  const delivered = columns.find(({ use }) => use === "delivered")
  const people = columns.find(({ kind, name, use }) => use === undefined && kind === "count" && isOfPeople(name))
  const offers: ReadonlyArray<Offer> = [
    ...(delivered === undefined
      ? []
      : [{ label: `Use ${nameOf(delivered)} as emails sent`, columns: { [delivered.index]: "emails_sent" as const } }]),
    ...(people === undefined
      ? []
      : [
          {
            label: `${nameOf(people)} × 3 emails`,
            columns: { [people.index]: "emails_sent" as const },
            emailsPerContact: 3
          }
        ])
  ]
  const advice = delivered === undefined ? "" : " If only delivered emails are known, choose them."
  return [{ choice: "columns", sentence: sentence + advice, ...(offers.length > 0 && { offers }) }]
}

/** Suggestions for columns whose names mean several things, where no other column has the count. */
const suggestionsOf = (columns: ReadonlyArray<ReadColumn>): ReadonlyArray<Suggestion> =>
  columns.flatMap((column) => {
    if (column.use !== undefined || column.kind !== "count" || column.isChosen) return []
    const free = mayCount(column.name).filter((count) => columns.every(({ use }) => use !== count))
    const sentence = `${nameOf(column)} is not used, as it can mean several things. Does it count ${free.map(thingsOf).join(", or ")}?`
    const offers = free.map((count) => ({
      label: `Use ${nameOf(column)} as ${thingsOf(count)}`,
      columns: { [column.index]: count }
    }))
    return offers.length === 0 ? [] : [{ sentence, offers }]
  })

/**
 * Understands a table of past campaigns: what its columns count, which rows are campaigns, which are left out, what has
 * to be asked, and what can be learned. A function of the table, the choices of the user and what is on the page already.
 */
export const readPastTable = (read: Table, choices: Choices, { campaign, existing }: Surroundings): PastTable => {
  const table = choices.hasHeader === false ? withoutHeader(read) : read
  const chosen = choices.columns ?? {}
  const plain = readColumns(table, chosen, false)
  const rowKind = rowKindOf(table, plain)
  const areContacts = rowKind === "contact" && choices.rowsAre !== "campaigns"
  const readAs = areContacts ? readColumns(table, chosen, true) : plain
  const hasEmails = readAs.some(({ use }) => use === "emails_sent")

  const leftOut: Array<string> = []
  const notes: Array<string> = []
  const questions: Array<Question> = []
  const after = <Row extends CampaignRow>(result: StepResult<Row>): ReadonlyArray<Row> => {
    leftOut.push(...(result.leftOut ?? []))
    notes.push(...(result.notes ?? []))
    questions.push(...(result.questions ?? []))
    return result.rows
  }

  if (table.isTurned) notes.push("The table was turned: its rows are counts, its columns campaigns.")
  if (table.endsBefore !== undefined) {
    notes.push(`Another table begins on line ${table.endsBefore}: only the one above is used.`)
  }
  if (table.tooLong.length > 0) leftOut.push(tooLongSentence(table.tooLong))
  questions.push(...columnQuestions(readAs, areContacts))
  const all = readRows(table, readAs, dateOrder(table, readAs))
  const rated = areContacts ? { rows: all } : withRates(all, readAs, choices.rateBases ?? {})
  const ratesUsed = "readColumns" in rated ? rated.readColumns : new Map<number, string>()
  const paid = withAmounts(after(rated), readAs)
  const ofAmounts = new Map(paid.columns.map(({ column, name }) => [column.index, amountWords[name]] as const))
  const columns = readAs.map((column) => {
    const takenFor = ofAmounts.get(column.index) ?? ratesUsed.get(column.index)
    return {
      ...column,
      ...(takenFor !== undefined && { takenFor }),
      ...(ratesUsed.has(column.index) && { why: undefined })
    }
  })
  let rows = after(paid)
  if (rowKind !== "contact") {
    rows = after(amongTicked(withRules(rows, columns), (ticked) => namedFromAbove(ticked, columns)))
  }
  rows = after(amongTicked(rows, (ticked) => withUnreadable(ticked, columns)))
  if (rowKind !== "contact") {
    rows = after(withoutAutomatic(rows, columns, choices.automaticReplies))
    rows = after(amongTicked(rows, (ticked) => withEmptyCells(ticked, columns, choices.emptyCells)))
    const areKept = choices.areAddedUp === false || (rowKind === "day" && choices.rowsAre === "campaigns")
    const areOfOne = rowKind === "day"
    if (!areKept)
      rows = after(amongTicked(rows, (ticked) => withoutEarlier(ticked, columns, areOfOne, choices.laterRows)))
  }
  const isOfParts = rowKind !== "campaign" && choices.rowsAre !== "campaigns" && rows.length > 1
  const counting = areContacts ? after(amongTicked(rows, (ticked) => countContacts(ticked, hasEmails))) : rows
  const isAsked = choices.rowsAre === undefined
  const whole = isOfParts
    ? after(amongTicked<CampaignRow>(counting, (ticked) => partsAdded(ticked, rowKind, columns, isAsked)))
    : counting
  const isSameNamed = hasSameNames(whole.filter(({ isTicked }) => isTicked))
  const added =
    isSameNamed && choices.areAddedUp !== false
      ? after(amongTicked(whole, (ticked) => addedUp(ticked, countNames)))
      : whole
  const inUnits = after(inEmails(added, columns, choices.emailsPerContact, areContacts))
  const isCounted = (row: CampaignRow) =>
    (choices.ticks?.[idOf(row)] ?? row.isTicked) && (row.counts.emails_sent ?? 0) > 0
  const fitting = after(consistent(inUnits.filter(isCounted)))
  const others = inUnits.filter((row) => !isCounted(row)).flatMap((row) => consistent([row]).rows)
  const selection = select(
    [...fitting, ...others].toSorted((a, b) => a.line - b.line),
    choices.ticks ?? {},
    existing
  )
  notes.push(...selection.notes)
  const preview = selection.rows.map(({ campaign, isTicked, refusal, row }): PreviewRow => ({
    id: idOf(row),
    campaign,
    counts: row.counts,
    shown: row.shown,
    isTicked,
    reason: row.reason,
    refusal,
    derived: Object.fromEntries(Object.entries(row.derived ?? {}).filter(([name]) => name in row.counts))
  }))
  for (const { label, line } of table.tooLong) {
    preview.push({
      id: String(line),
      campaign: { emails_sent: 0 },
      counts: {},
      shown: `line ${line}, “${excerpt(label)}”`,
      isTicked: false,
      reason: undefined,
      refusal: "more cells than the header",
      derived: {}
    })
  }
  preview.sort((a, b) => Number(a.id) - Number(b.id))
  const kept = preview.filter(({ isTicked }) => isTicked).map((each) => each.campaign)

  const obstacle = (): string | undefined => {
    const [question] = questions
    if (question !== undefined) return question.sentence
    if (selection.conflict !== undefined) return selection.conflict
    if (kept.length > 0) {
      return learnsFrom(campaign, kept).length > 0
        ? undefined
        : "Nothing can be learned yet: choose the columns of the counts, such as replies."
    }
    if (existing.length >= maxPastCampaigns)
      return `There are ${maxPastCampaigns} campaigns already: remove some first.`
    const possible = preview.filter(({ refusal }) => refusal === undefined)
    if (possible.length === 0) return "There is no row with a campaign."
    return possible.every(({ reason }) => reason === alreadyThere)
      ? "All of these campaigns are already there."
      : "No campaign is ticked: tick those to learn from."
  }
  return {
    columns,
    hasHeader: table.hasHeader,
    rows: preview,
    campaigns: kept,
    leftOut,
    notes,
    hasSameNames: isSameNamed,
    questions,
    proposals: proposalsOf(
      selection.rows.flatMap(({ isTicked, row }) => (isTicked ? [row] : [])),
      paid,
      campaign.emails_sent === undefined ? undefined : toDouble(campaign.emails_sent)
    ),
    suggestions: suggestionsOf(columns),
    learns: learnsFrom(campaign, [...existing, ...kept]),
    obstacle: obstacle()
  }
}
