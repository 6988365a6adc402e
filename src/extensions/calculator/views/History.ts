import { counted, figure, integer, people, range, shortPercent } from "../../../text/Figures.ts"
import { historyField } from "../../tables/Fragment.ts"
import { learnsFrom } from "../../../campaign/PastCampaigns.ts"
import { type RateName, rateNames, rates } from "../../../campaign/Rates.ts"
import { showExact } from "../../../forecast/Decimal.ts"
import type { FieldError } from "../../../input/InvalidInput.ts"
import { type Html, html } from "../../../text/html.ts"
import type { Calculation } from "../Calculation.ts"
import { contactsField } from "../FormFields.ts"
import type { CalculatorInput } from "../readForm.ts"
import { type ColumnName, columns, labelOf } from "../../tables/Columns.ts"
import type { Cells } from "../../tables/PastRows.ts"
import { trackRecordView } from "./TrackRecord.ts"

/** A column of a campaign in error messages: `row` is its position from 0 on. */
export const cellLabel = ({ name = "" }: Cells, row: number, column: ColumnName): string =>
  `${name === "" ? `Past campaign ${row + 1}` : `“${name}”`}: ${labelOf(column).toLowerCase()}`

/** The errors in the cells of a row, one sentence each. */
export const rowErrors = (
  errors: ReadonlyArray<FieldError>,
  cells: Cells,
  row: number
): ReadonlyMap<ColumnName, string> =>
  new Map(
    columns.flatMap((name) => {
      const found = errors.find(({ pointer }) => pointer === `/${historyField}/${row}/${name}`)
      return found === undefined ? [] : [[name, `${cellLabel(cells, row, name)} ${found.message}.`] as const]
    })
  )

/** The same as paragraphs. */
export const errorLines = (errors: ReturnType<typeof rowErrors>): Html =>
  html`${[...errors.values()].map((sentence) => html`<p class="error">${sentence}</p>`)}`

const input = (column: ColumnName, row: number, value: string, hasError: boolean, isEditable: boolean): Html =>
  html`<td><input id="${historyField}/${row}/${column}" data-column="${column}" type="text"${column === "name" ? html` class="name"` : html` inputmode="numeric"`} autocomplete="off" maxlength="100" aria-label="${labelOf(column)}, campaign ${row + 1}" value="${value}"${isEditable ? html`` : html` readonly`}${hasError ? html` aria-invalid="true" aria-describedby="${historyField}/${row}-errors"` : html``}></td>`

/** The rows of past campaigns, each followed by its errors. */
export const historyRows = (
  rows: ReadonlyArray<Cells>,
  errors: ReadonlyArray<FieldError>,
  isEditable: boolean
): ReadonlyArray<Html> =>
  rows.map((cells, row) => {
    const wrong = rowErrors(errors, cells, row)
    const remove = isEditable
      ? html`<button type="button" class="quiet slim" data-remove="${row}" aria-label="Remove campaign ${row + 1}">×</button>`
      : html``
    return html`<tr data-row><th scope="row">${row + 1}</th>${columns.map((name) =>
      input(name, row, cells[name] ?? "", wrong.has(name), isEditable)
    )}<td>${remove}</td></tr>
<tr class="row-errors"><td colspan="${columns.length + 2}" id="${historyField}/${row}-errors">${errorLines(wrong)}</td></tr>`
  })

/** The row with the sums of the counts of past campaigns. */
export const historySums = ({ input: { first } }: Calculation): Html => {
  const { history = [] } = first.assumptions
  if (history.length < 2) return html``
  return html`<tr><td></td>${columns.map((name) => {
    if (name === "name") return html`<td>${`All ${history.length}`}</td>`
    const counts = history.flatMap((campaign) => campaign[name] ?? [])
    return html`<td>${counts.length === 0 ? "" : integer(counts.reduce((sum, count) => sum + count, 0))}</td>`
  })}<td></td></tr>`
}

const rateLabel = (name: RateName): string => rates[name].form.label

/** The learned rates, and those that could not be learned. */
const learnedRates = ({ forecast, input: { first } }: Calculation): ReadonlyArray<Html> => {
  const { assumptions } = first
  const learned = learnsFrom(assumptions, assumptions.history ?? [])
  return rateNames.flatMap((name) => {
    const given = assumptions[name]
    const rate = forecast.outlook.rates[name]
    if (given === undefined || rate === undefined) return []
    const from = learned.find((each) => each.name === name)
    const words =
      from === undefined
        ? `${showExact(given)}% as given: none of these campaigns has both of its counts`
        : `${shortPercent(rate.expected)} on average from ${counted(from.campaigns, "campaign")}, not ${showExact(given)}%; ${range(rate.low, rate.high, figure)}% in 80 of 100 campaigns`
    return [html`<li><strong>${rateLabel(name)}:</strong> ${words}</li>`]
  })
}

/** The base of past campaigns that were counted in contacts, as long as they are there; at most one sentence. */
export const ofContacts = ({ first, values }: CalculatorInput): ReadonlyArray<string> => {
  const each = Number(values[contactsField] ?? "")
  if (first.assumptions.history === undefined || !(each > 0 && each <= 100)) return []
  return [`Emails sent in past campaigns are contacts times ${figure(each)}, the emails per contact that you gave.`]
}

/** The forecast of the next campaign from past ones. */
export const historyView = (calculation: Calculation): Html => {
  const { forecast, input, withoutHistory } = calculation
  if (withoutHistory === undefined) return html``
  const { replies } = forecast.outlook
  const emails = showExact(input.first.assumptions.emails_sent)
  return html`<p class="says">Expect ${range(replies.low, replies.high, people)} replies to the next ${emails} emails, instead of ${range(withoutHistory.replies.low, withoutHistory.replies.high, people)} without these campaigns.</p>
${ofContacts(input).map((sentence) => html`<p class="hint">${sentence}</p>`)}
${trackRecordView(calculation)}
<ul>${learnedRates(calculation)}</ul>`
}
