import { Predicate } from "effect"
import { lookLikeFractions } from "../../../forecast/benchmarks/RiskFlags.ts"
import type { PastCampaign } from "../../../campaign/PastCampaigns.ts"
import { maxErrors } from "../../../input/InvalidInput.ts"
import type { FormValues } from "../../../site/form.ts"
import { counted, figure } from "../../../text/Figures.ts"
import type { ListedCampaign } from "../../lists/Campaigns.ts"
import { excerpt } from "../../tables/CampaignRows.ts"
import { cutLink, cutLinkMessage, historyField } from "../../tables/Fragment.ts"
import { findTable, gridOf, isTooLarge, maxPasted, maxPastedCells, tooLongSentence } from "../../tables/Layout.ts"
import { contactsQuestion, readEmailsPerContact } from "../../tables/Units.ts"
import { contactsField, currencyField } from "../FormFields.ts"
import { readForm } from "../readForm.ts"
import { readPastedForm } from "../readPastedForm.ts"
import { isListed, labelOf } from "./listColumns.ts"
import { type ListRow, listRows, type Meaning } from "./listRows.ts"

/** The field with a pasted list of campaigns. */
export const listField = "list"

/** The field with the lines of the rows that the user takes in; by default those without a reason to leave them out. */
export const rowsField = "rows"

/** The field with what the user says that the numbers are. */
export const meaningField = "numbers"

/** The field that says that campaigns are those of different clients; empty for one sender's. */
export const independentField = "independent"

/** The fields of the page. */
export const listFields = [listField, historyField, contactsField, meaningField, rowsField, independentField]

/** The most campaigns of a list on the page; the API takes more. */
export const maxListed = 20

/** A campaign of a list, and its numbers as a form of the calculator. */
interface PastedCampaign {
  readonly campaign: ListedCampaign & { readonly name: string }
  readonly values: FormValues
}

/** An error as a sentence, and the field to mend it in. */
interface ListError {
  readonly field: string
  readonly sentence: string
}

/** A list as read: all its rows, a question about it, all errors, or its campaigns. */
export interface ListReading {
  readonly values: FormValues
  readonly errors: ReadonlyArray<ListError>
  readonly rows: ReadonlyArray<ListRow>
  readonly question?: {
    readonly sentence: string
    readonly answers: ReadonlyArray<Meaning>
    readonly isOfContacts: boolean
  }
  readonly input:
    | {
        readonly campaigns: ReadonlyArray<PastedCampaign>
        /** The past campaigns that the rates of all are learned from. */
        readonly history: ReadonlyArray<PastCampaign> | undefined
        /** The form with the currency of all amounts. */
        readonly amounts: FormValues
        /** Sentences about how the list and the past campaigns were read. */
        readonly notes: ReadonlyArray<string>
        /** True for campaigns of different clients. */
        readonly independent: boolean
        readonly unused: ReadonlyArray<string>
      }
    | undefined
}

const meaningOf = (text: string | undefined): Meaning | undefined =>
  text === "percent" || text === "counts" ? text : undefined

/** Reads a pasted list of campaigns: any table with the numbers of the calculator's form, or with counts. */
export const readList = (values: FormValues): ListReading => {
  let shown: ReadonlyArray<ListRow> = []
  const failed = (...errors: ReadonlyArray<string | ListError>): ListReading => ({
    values,
    errors: errors
      .slice(0, maxErrors)
      .map((error) => (Predicate.isString(error) ? { field: listField, sentence: error } : error)),
    rows: shown,
    input: undefined
  })
  if (values[cutLink] !== undefined) return failed(cutLinkMessage)
  const text = values[listField] ?? ""
  if (text === "") return failed("Paste at least one campaign, below a line that names the columns.")
  const tooLarge = (most: number, things: string) =>
    failed(`The list has more than ${figure(most)} ${things}: leave out lines, or columns that are not used.`)
  if (text.length > maxPasted) return tooLarge(maxPasted, "characters")
  const grid = gridOf(text)
  if (isTooLarge(grid)) return tooLarge(maxPastedCells, "cells")
  const table = findTable(grid, isListed)
  if (table.hasHeader && table.rows.length === 0 && table.tooLong.length === 0) {
    return failed("There is no campaign below the names of the columns.")
  }
  const { [rowsField]: ofRows } = values
  const found = listRows(table, {
    meaning: meaningOf(values[meaningField]),
    emailsPerContact: readEmailsPerContact(values[contactsField] ?? ""),
    chosen: ofRows === undefined ? undefined : new Set(ofRows.split("."))
  })
  if ("refusals" in found) return failed(...found.refusals)
  if ("question" in found) {
    const { answers, isOfContacts = false, question } = found
    return { ...failed(), question: { sentence: question, answers, isOfContacts } }
  }
  if (table.tooLong.length > 0) return failed(tooLongSentence(table.tooLong))
  shown = found.rows
  const rows = shown.filter(({ isIn }) => isIn)
  if (rows.length === 0) return failed("Choose at least one row.")
  if (rows.length > maxListed) {
    const first = new Set(rows.slice(0, maxListed))
    shown = shown.map((row) => ({ ...row, isIn: first.has(row) }))
    return failed(
      `There are ${rows.length} campaigns; the page takes at most ${maxListed}, and the API 1,000. The first ${maxListed} are ticked below.`
    )
  }

  const past = readPastedForm({
    ...rows[0]?.numbers,
    [historyField]: values[historyField] ?? "",
    [contactsField]: values[contactsField] ?? ""
  })
  const ofPast = past.errors.filter(({ pointer }) => pointer.startsWith(`/${historyField}`))
  const errors: Array<string | ListError> = ofPast.map(({ message }) => ({
    field: message.includes(contactsQuestion) ? contactsField : historyField,
    sentence: `Past campaigns ${message}.`.replace(/([.?])\.$/, "$1")
  }))
  const { [historyField]: history = "" } = past.input?.values ?? {}
  const lines = new Map<string, ListRow>()
  const campaigns: Array<PastedCampaign> = []
  let amounts: FormValues = {}
  for (const [index, row] of rows.entries()) {
    const name = excerpt(row.name) || `Campaign ${index + 1}`
    const before = lines.get(name)
    if (before !== undefined) errors.push(`${row.place}: “${name}” is the name of ${before.place.toLowerCase()} too.`)
    lines.set(name, row)
    const reading = readForm({ ...amounts, ...row.numbers })
    errors.push(
      ...reading.errors.map(
        ({ message, pointer }) => `${row.place}, ${labelOf(pointer.slice(1)).toLowerCase()}: ${message}.`
      )
    )
    const { [currencyField]: currency } = reading.values
    const { [currencyField]: first } = amounts
    if (first !== undefined && currency !== first) {
      errors.push(`${row.place}: amounts must be in ${first}, as above it: none is converted.`)
    }
    if (first === undefined && currency !== undefined) amounts = { [currencyField]: currency }
    if (reading.input !== undefined) {
      campaigns.push({
        campaign: { ...reading.input.first.assumptions, name },
        values: { ...reading.input.values, ...(history !== "" && { [historyField]: history }) }
      })
    }
  }
  if (errors.length > 0) return failed(...found.notes, ...errors)
  const ofFractions = found.isPercent ? undefined : campaigns.find(({ campaign }) => lookLikeFractions(campaign))
  if (ofFractions !== undefined) {
    return failed(
      `The rates of “${ofFractions.campaign.name}” look like fractions. Write all rates in percent: 5% if 0.05 means 5 of 100, otherwise 0.05%.`
    )
  }
  const left = shown.length - rows.length
  const notes = [
    ...(left === 0
      ? []
      : [
          `${counted(left, "row")} ${left === 1 ? "is" : "are"} left out, for the ${left === 1 ? "reason" : "reasons"} below.`
        ]),
    ...found.notes,
    ...past.said.map((sentence) => `Past campaigns: ${sentence}`)
  ]
  const pastCampaigns = past.input?.first.assumptions.history
  const independent = values[independentField] === "yes"
  if (independent && pastCampaigns !== undefined) {
    return failed({
      field: independentField,
      sentence:
        "Campaigns that learn from the same past campaigns are one sender's: untick different clients, or remove the past campaigns."
    })
  }
  return {
    values,
    errors: [],
    rows: shown,
    input: { campaigns, history: pastCampaigns, amounts, independent, notes, unused: found.unused }
  }
}
