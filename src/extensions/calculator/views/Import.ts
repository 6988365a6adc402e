import { BigDecimal, Struct } from "effect"
import { talliesOf } from "../../../campaign/PastCampaigns.ts"
import { countNames, rates } from "../../../campaign/Rates.ts"
import { learnRate } from "../../../forecast/outlook/LearnedRate.ts"
import { counted, integer, shortPercent } from "../../../text/Figures.ts"
import { type Html, html } from "../../../text/html.ts"
import type { FormValues } from "../../../site/form.ts"
import { listed } from "../../../forecast/Words.ts"
import type { Offer } from "../../tables/CampaignRows.ts"
import { columns, labelOf } from "../../tables/Columns.ts"
import type { Choices, PastTable, PreviewRow, Surroundings } from "../../tables/PastTable.ts"

/** A table as it is understood, with the answers that led there. */
export interface ImportState {
  readonly table: PastTable
  readonly choices: Choices
  readonly surroundings: Surroundings
  /** The typed number of emails per contact. */
  readonly perContact: string
  /** Remarks from when the file was read. */
  readonly note: string | undefined
  /** The amounts in the plan, by field; undefined if it takes none. */
  readonly amounts: FormValues | undefined
  /** The fields whose proposed amounts the user does not take. */
  readonly declined: ReadonlySet<string>
  /** The sheets of a workbook that have tables, and the one that is shown; undefined if there is no choice. */
  readonly sheets: { readonly names: ReadonlyArray<string>; readonly shown: string } | undefined
}

const option = (value: string, label: string, isSelected: boolean): Html =>
  html`<option value="${value}"${isSelected ? html` selected` : html``}>${label}</option>`

const columnItem = ({ example, index, isChosen, name, takenFor, use, why }: PastTable["columns"][number]): Html => {
  const described = why === undefined ? html`` : html` aria-describedby="column-${index}-why"`
  return html`<li><label for="column-${index}">${name === "" ? `Column ${index + 1}` : name} <span class="optional">${example}</span></label><select id="column-${index}" data-index="${index}"${described}>${takenFor === undefined && !isChosen ? html`` : option("", takenFor ?? "as its name says", takenFor !== undefined)}${option("none", "not used", use === undefined && takenFor === undefined)}${columns.map(
    (column) => option(column, labelOf(column), column === use)
  )}</select>${why === undefined ? html`` : html`<p class="hint" id="column-${index}-why">${why}</p>`}</li>`
}

/** The questions that have two answers: their words once they are answered, and the answers. */
export const alternatives = {
  rowsAre: { legend: "What is a row?", answers: { parts: "Add the rows up", campaigns: "Each row is a campaign" } },
  automaticReplies: {
    legend: "Are automatic replies among the replies?",
    answers: { included: "Yes: subtract them", apart: "No: they are counted apart" }
  },
  emptyCells: { legend: "What does an empty cell mean?", answers: { zero: "It means 0", unknown: "It is unknown" } },
  laterRows: {
    legend: "Does each row include the earlier ones?",
    answers: { include: "Yes: use the latest row", add: "No: add the rows up" }
  }
} as const

const radios = (choice: keyof typeof alternatives, sentence: string | undefined, choices: Choices): Html => {
  const { answers, legend } = alternatives[choice]
  return sentence === undefined && choices[choice] === undefined
    ? html``
    : html`<fieldset><legend>${sentence ?? legend}</legend>
${Object.entries(answers).map(
  ([value, label]) =>
    html`<label class="choice"><input type="radio" name="${choice}" id="${choice}-${value}" value="${value}"${choices[choice] === value ? html` checked` : html``}> ${label}</label>`
)}</fieldset>`
}

const checkbox = (id: string, label: string, isChecked: boolean): Html =>
  html`<p><label class="choice"><input type="checkbox" id="${id}"${isChecked ? html` checked` : html``}> ${label}</label></p>`

/** All answers that one tap gives, in the order of the page. */
export const offersOf = ({ questions, suggestions }: PastTable): ReadonlyArray<Offer> =>
  [...suggestions, ...questions].flatMap(({ offers = [] }) => offers)

const offerButtons = (offers: ReadonlyArray<Offer>, table: PastTable): ReadonlyArray<Html> => {
  const all = offersOf(table)
  return offers.map(
    (offer) =>
      html`<button type="button" class="quiet slim" data-offer="${all.indexOf(offer)}">${offer.label}</button> `
  )
}

const suggestionViews = ({ table }: ImportState): ReadonlyArray<Html> =>
  table.suggestions.map(
    ({ offers, sentence }) => html`<div class="offers"><p>${sentence}</p>${offerButtons(offers, table)}</div>`
  )

/** The choice of a sheet. */
const sheetView = ({ sheets }: ImportState): Html =>
  sheets === undefined
    ? html``
    : html`<p class="sheet"><label for="import-sheet">Sheet</label><select id="import-sheet">${sheets.names.map((name) => option(name, name, name === sheets.shown))}</select></p>`

/** The questions about a table; those that are answered stay, so that the answers can be changed. */
const questionsOf = ({ choices, perContact, table }: ImportState): ReadonlyArray<Html> => {
  const sentenceOf = (choice: string) => table.questions.find((question) => question.choice === choice)?.sentence
  const contacts = sentenceOf("emailsPerContact")
  return [
    ...(table.hasHeader || choices.hasHeader === false
      ? [checkbox("import-has-header", "The first row has the names of the columns", choices.hasHeader !== false)]
      : []),
    ...Struct.keys(alternatives).map((choice) => radios(choice, sentenceOf(choice), choices)),
    ...(table.hasSameNames
      ? [checkbox("import-add-up", "Add up rows of the same name", choices.areAddedUp !== false)]
      : []),
    ...(contacts === undefined && perContact === ""
      ? []
      : [
          html`<p class="per-contact"><label for="emails-per-contact">How many emails per contact?</label>
<input id="emails-per-contact" type="text" inputmode="decimal" autocomplete="off" maxlength="6" value="${perContact}" aria-describedby="emails-per-contact-help">
<span class="hint" id="emails-per-contact-help">On average, follow-ups included. Emails sent are the contacts times this number.</span></p>`
        ])
  ]
}

const sentences = (list: ReadonlyArray<string>): Html =>
  list.length === 1 ? html`<p>${list[0] ?? ""}</p>` : html`<ul>${list.map((each) => html`<li>${each}</li>`)}</ul>`

/** The rates that will be learned, what they show, and the number of campaigns, once if it is the same for all. */
const learned = ({ surroundings: { campaign, existing }, table: { campaigns, learns } }: ImportState): string => {
  const history = [...existing, ...campaigns]
  const isSame = new Set(learns.map((rate) => rate.campaigns)).size === 1
  const from = (count: number) => ` from ${counted(count, "campaign")}`
  const each = learns.map(({ campaigns: learnedFrom, name }) => {
    const planned = BigDecimal.toNumberUnsafe(campaign[name] ?? BigDecimal.make(0n, 0)) / 100
    const { alpha, beta } = learnRate(planned, talliesOf(campaign, name, history)).all
    return `${rates[name].form.label.toLowerCase()}${isSame ? "" : from(learnedFrom)} (${shortPercent((100 * alpha) / (alpha + beta))})`
  })
  return `Will be learned${isSame ? from(learns[0]?.campaigns ?? 0) : ""}: ${listed(each)}.`
}

/** The counts that any row has, as columns. */
const countsIn = ({ rows }: PastTable) => countNames.filter((name) => rows.some(({ counts }) => name in counts))

/** Remarks on a row: why it is not ticked or cannot be, and how counts were made that the table does not have. */
const remarks = ({ derived, reason, refusal }: PreviewRow): string => {
  const why = refusal ?? reason
  const made = countNames.flatMap((name) =>
    derived[name] === undefined ? [] : [`${labelOf(name).toLowerCase()}: ${derived[name]}`]
  )
  return [...(why === undefined ? [] : [why]), ...made].join("; ")
}

const titleOf = ({ campaign, shown }: PreviewRow): string =>
  campaign.name ?? shown.replace(/^./, (letter) => letter.toUpperCase())

/** A row of the preview. A tick that cannot be set can be focused, so that the reason is read out. */
const rowView = (row: PreviewRow, names: ReturnType<typeof countsIn>): Html => {
  const { counts, id, isTicked, refusal } = row
  return html`<tr data-row="${id}"><th scope="row"><label class="choice"><input type="checkbox" id="tick-${id}" aria-describedby="tick-${id}-why"${isTicked ? html` checked` : html``}${refusal === undefined ? html`` : html` aria-disabled="true"`}> ${titleOf(row)}</label></th>${names.map(
    (name) => {
      const count = counts[name]
      return html`<td data-title="${labelOf(name)}">${count === undefined ? "" : integer(count)}</td>`
    }
  )}<td class="why" id="tick-${id}-why">${remarks(row)}</td></tr>`
}

/** The rows of the preview: those of the same key have the same cells, whose content may differ. */
export const previewRows = ({ table }: ImportState): ReadonlyArray<{ readonly key: string; readonly text: string }> => {
  const names = countsIn(table)
  return table.rows.map((row) => ({ key: [row.id, titleOf(row), ...names].join(), text: rowView(row, names).text }))
}

/** The names of the columns of the preview. */
const previewHeader = ({ table }: ImportState): Html => {
  const areContacts = table.questions.some(({ choice }) => choice === "emailsPerContact")
  return html`<tr><th scope="col">Campaign</th>${countsIn(table).map((name) => html`<th scope="col">${areContacts && name === "emails_sent" ? "Contacts" : labelOf(name)}</th>`)}<th scope="col">Remarks</th></tr>`
}

/** From this number of rows on, there is a way past their ticks with the keyboard. */
const manyRows = 10

const saidView = ({ note, table }: ImportState): Html => {
  const { leftOut, notes } = table
  const offered = new Set(
    table.suggestions.flatMap(({ offers }) => offers.flatMap((offer) => Object.keys(offer.columns ?? {})))
  )
  const unused = table.columns.filter(
    ({ index, name, takenFor, use, why }) =>
      [takenFor, use, why].every((each) => each === undefined) && name !== "" && !offered.has(String(index))
  )
  const left = [
    ...leftOut,
    ...(unused.length === 0 ? [] : [`Columns: ${unused.map(({ name }) => `“${name}”`).join(", ")}.`])
  ]
  const said = [...(note === undefined ? [] : [note]), ...notes]
  return html`${said.length === 0 ? html`` : sentences(said)}
${left.length === 0 ? html`` : html`<h3>Left out</h3>${sentences(left)}`}`
}

const ticksView = ({ choices, table: { rows } }: ImportState): Html => {
  const isChanged = Object.keys(choices.ticks ?? {}).length > 0
  const ticked = rows.filter(({ isTicked }) => isTicked).length
  const all = isChanged
    ? html`<button type="button" class="linklike" id="ticks-reset">Tick as suggested</button>`
    : html`<button type="button" class="linklike" id="ticks-none">Untick all</button>`
  return html`<p class="hint">${integer(ticked)} of ${counted(rows.length, "row")} ticked. ${isChanged || ticked > 1 ? all : html``}${
    rows.length > manyRows
      ? html` <button type="button" class="linklike skip" id="import-skip">Skip the rows</button>`
      : html``
  }</p>`
}

/** The amounts that are proposed for a plan that takes some. */
export const proposalsIn = ({ amounts, table }: ImportState): PastTable["proposals"] =>
  amounts === undefined ? [] : table.proposals

const proposalsView = (state: ImportState): Html => {
  const proposals = proposalsIn(state)
  return proposals.length === 0
    ? html``
    : html`<fieldset><legend>Amounts for the plan</legend>${proposals.map(({ field, sentence }) => {
        const before = state.amounts?.[field] ?? ""
        return html`<label class="choice"><input type="checkbox" id="propose-${field}" data-propose="${field}"${state.declined.has(field) ? html`` : html` checked`}> ${sentence}${before === "" ? "" : ` It replaces ${before}.`}</label>`
      })}</fieldset>`
}

const endView = (state: ImportState): Html => {
  const { campaigns, obstacle, questions } = state.table
  const offers = questions.find(({ sentence }) => sentence === obstacle)?.offers ?? []
  return html`<div class="import-end"><div class="offers"><p id="import-verdict"${obstacle === undefined ? html`` : html` class="error"`}>${obstacle ?? learned(state)}</p>${offerButtons(offers, state.table)}</div>
<p class="actions"><button type="button" id="import-add" aria-describedby="import-verdict"${obstacle === undefined ? html`` : html` disabled`}>${campaigns.length === 0 ? "Add" : `Add ${counted(campaigns.length, "campaign")}`}</button> <button type="button" class="quiet" id="import-cancel">Cancel</button></p></div>`
}

/** The parts of a preview that follow from its answers and ticks, by the ID of their place. */
export const outcomeViews = (state: ImportState): { readonly [place: string]: Html } => ({
  "import-said": saidView(state),
  "import-ticks": ticksView(state),
  "import-header": previewHeader(state),
  "import-proposals": proposalsView(state),
  "import-end": endView(state)
})

/** The dialog with the preview of a table, which its script fills. */
export const importDialog = html`<dialog id="import-dialog" aria-labelledby="import-title"><div id="import-content"></div><p class="visually-hidden" role="status" id="import-status"></p></dialog>`

/** The preview of a table: what each column is taken for, which can be changed, what is asked, and its rows. */
export const importView = (state: ImportState): Html => {
  const views = outcomeViews(state)
  const show = (place: string) => views[place] ?? html``
  return html`<h2 id="import-title">Past campaigns to add</h2>
${sheetView(state)}
<h3>What does each column count?</h3>
<ul class="columns">${state.table.columns.map(columnItem)}</ul>
${suggestionViews(state)}${questionsOf(state)}
<div id="import-said">${show("import-said")}</div>
<h3 id="import-rows-title">Which rows are campaigns to learn from?</h3>
<div id="import-ticks">${show("import-ticks")}</div>
<div class="scroll preview" id="import-scroll"><table aria-labelledby="import-rows-title"><thead id="import-header">${show("import-header")}</thead>
<tbody id="import-rows"></tbody></table></div>
<div id="import-proposals">${show("import-proposals")}</div>
<div id="import-end">${show("import-end")}</div>`
}

/** The state of a preview in a sentence, to be read out. */
export const importStatus = (state: ImportState): string => {
  const { campaigns, obstacle } = state.table
  return obstacle ?? `${counted(campaigns.length, "campaign")} can be added. ${learned(state)}`
}
