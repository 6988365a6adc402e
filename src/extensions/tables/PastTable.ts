import { learnsFrom, maxPastCampaigns, type PastCampaign } from "../../campaign/PastCampaigns.ts"
import { countNames, type RateName } from "../../campaign/Rates.ts"
import { type Table, tooLongSentence, withoutHeader } from "./Layout.ts"
import { counted } from "../../text/Figures.ts"
import {
  addedUp,
  type CampaignRow,
  type Counts,
  hasSameNames,
  leftOutRows,
  type Question,
  type StepResult,
  sumOf
} from "./CampaignRows.ts"
import { campaignsOfSteps, mentionsAutomatic } from "./ColumnNames.ts"
import { type ChosenColumns, type ReadColumn, readColumns } from "./ColumnUses.ts"
import { consistent } from "./Consistency.ts"
import { type Meanings, ofEmails, running, withEmptyCells, withoutAutomatic, withoutEarlier } from "./Meanings.ts"
import { campaignOf, newest, withoutExisting } from "./NewCampaigns.ts"
import { dateOrder, isOfCampaigns, rowKindOf, type RowKind } from "./RowKinds.ts"
import { namedFromAbove, type ReadRow, readRows, withUnreadable } from "./ReadRows.ts"
import { withoutTotals } from "./Totals.ts"
import { inEmails } from "./Units.ts"

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
}

/** The surroundings of a table on the page. */
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
  /** The campaigns to add, as they are understood so far. */
  readonly campaigns: ReadonlyArray<PastCampaign>
  /** Sentences about rows and counts that are left out, one for each reason. */
  readonly leftOut: ReadonlyArray<string>
  /** Sentences about what was done with the rows, such as adding up those of one name. */
  readonly notes: ReadonlyArray<string>
  readonly hasSameNames: boolean
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
  return {
    rows: [{ name: "", shown: "the campaign", counts: sumOf(rows, countNames) }],
    notes: [`${counted(rows.length, "row")} are added up to one campaign.`],
    questions
  }
}

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
  const columns = areContacts ? readColumns(table, chosen, true) : plain
  const hasEmails = columns.some(({ use }) => use === "emails_sent")

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
  if (!hasEmails && !areContacts) {
    const sentence = columns.some(({ use }) => use === "delivered")
      ? "Choose the column that has the emails sent, or the contacts. If only delivered emails are known, choose them."
      : "Choose the column that has the emails sent, or the contacts."
    questions.push({ choice: "columns", sentence })
  }
  const all = after(readRows(table, columns, dateOrder(table, columns)))
  const campaigns = rowKind === "contact" ? all : after(namedFromAbove(after(withoutTotals(all, columns)), columns))
  let readable = after(withUnreadable(campaigns, columns))
  if (rowKind !== "contact") {
    readable = after(ofEmails(readable, columns))
    readable = after(running(readable, columns))
    readable = after(withoutAutomatic(readable, columns, choices.automaticReplies))
    readable = after(withEmptyCells(readable, columns, choices.emptyCells))
    const areKept = choices.areAddedUp === false || (rowKind === "day" && choices.rowsAre === "campaigns")
    if (!areKept) readable = after(withoutEarlier(readable, columns, rowKind === "day", choices.laterRows))
  }
  const isOfParts = rowKind !== "campaign" && choices.rowsAre !== "campaigns" && readable.length > 1
  const counting = areContacts ? after(countContacts(readable, hasEmails)) : readable
  const whole = isOfParts ? after(partsAdded(counting, rowKind, columns, choices.rowsAre === undefined)) : counting
  const isSameNamed = hasSameNames(whole)
  const added = isSameNamed && choices.areAddedUp !== false ? after(addedUp(whole, countNames)) : whole
  const isSent = ({ counts }: CampaignRow) => (counts.emails_sent ?? 0) > 0
  const isUnknown = ({ counts }: CampaignRow) => hasEmails && counts.emails_sent === undefined
  const isUnsent = ({ counts }: CampaignRow) => hasEmails && counts.emails_sent === 0
  const sent = after({
    rows: added.filter(isSent),
    leftOut: [
      ...leftOutRows(added.filter(isUnsent), "no emails were sent"),
      ...leftOutRows(added.filter(isUnknown), "the number of emails is missing")
    ]
  })
  const fitting = after(consistent(after(inEmails(sent, columns, choices.emailsPerContact, areContacts))))
  const fresh = after(withoutExisting(fitting, existing))
  const kept = after(newest(fresh, existing)).map(campaignOf)

  const obstacle = (): string | undefined => {
    const [question] = questions
    if (question !== undefined) return question.sentence
    if (kept.length > 0) {
      return learnsFrom(campaign, kept).length > 0
        ? undefined
        : "Nothing can be learned yet: choose the columns of the counts, such as replies."
    }
    if (fresh.length > 0) return `There are ${maxPastCampaigns} campaigns already: remove some first.`
    return fitting.length > 0 ? "All of these campaigns are already there." : "There is no row with a campaign."
  }
  return {
    columns,
    hasHeader: table.hasHeader,
    campaigns: kept,
    leftOut,
    notes,
    hasSameNames: isSameNamed,
    questions,
    learns: learnsFrom(campaign, [...existing, ...kept]),
    obstacle: obstacle()
  }
}
