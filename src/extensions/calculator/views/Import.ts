import { Struct } from "effect"
import { countNames, rates } from "../../../campaign/Rates.ts"
import { counted, integer } from "../../../text/Figures.ts"
import { type Html, html } from "../../../text/html.ts"
import { listed } from "../../../forecast/Words.ts"
import { columns, labelOf } from "../../tables/Columns.ts"
import type { Choices, PastTable } from "../../tables/PastTable.ts"

/** A table as it is understood, with the answers that led there. */
export interface ImportState {
  readonly table: PastTable
  readonly choices: Choices
  /** The typed number of emails per contact. */
  readonly perContact: string
  /** Remarks from when the file was read. */
  readonly note: string | undefined
}

const option = (value: string, label: string, isSelected: boolean): Html =>
  html`<option value="${value}"${isSelected ? html` selected` : html``}>${label}</option>`

const columnItem = ({ example, index, name, use, why }: PastTable["columns"][number]): Html => {
  const described = why === undefined ? html`` : html` aria-describedby="column-${index}-why"`
  return html`<li><label for="column-${index}">${name === "" ? `Column ${index + 1}` : name} <span class="optional">${example}</span></label><select id="column-${index}" data-index="${index}"${described}>${option("none", "not used", use === undefined)}${columns.map(
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

/** The questions about a table; those that are answered stay, so that the answers can be changed. */
const questionsOf = ({ choices, perContact, table }: ImportState): ReadonlyArray<Html> => {
  const sentenceOf = (choice: string) => table.questions.find((question) => question.choice === choice)?.sentence
  const contacts = sentenceOf("emailsPerContact")
  return [
    ...(table.hasHeader || choices.hasHeader === false
      ? [checkbox("import-header", "The first row has the names of the columns", choices.hasHeader !== false)]
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

/** The rates that will be learned, each with the number of its campaigns. */
const learned = ({ learns }: PastTable): string =>
  `Will be learned: ${listed(learns.map(({ campaigns, name }) => `${rates[name].form.label.toLowerCase()} from ${counted(campaigns, "campaign")}`))}.`

/** The campaigns as they will be added. */
const campaignsTable = ({ campaigns, questions }: PastTable): Html => {
  const areContacts = questions.some(({ choice }) => choice === "emailsPerContact")
  const used = countNames.filter((name) => campaigns.some((campaign) => campaign[name] !== undefined))
  return html`<div class="scroll preview" tabindex="0" role="region" aria-label="The campaigns as they will be added"><table class="sides">
<thead><tr><th scope="col">Campaign</th>${used.map((name) => html`<th scope="col">${areContacts && name === "emails_sent" ? "Contacts" : labelOf(name)}</th>`)}</tr></thead>
<tbody>${campaigns.map(
    (campaign, index) =>
      html`<tr><th scope="row">${campaign.name ?? `Campaign ${index + 1}`}</th>${used.map((name) => {
        const count = campaign[name]
        return html`<td>${count === undefined ? "" : integer(count)}</td>`
      })}</tr>`
  )}</tbody></table></div>`
}

/** The result of a table with these answers, and the buttons. */
export const importOutcome = ({ note, table }: ImportState): Html => {
  const { campaigns, leftOut, notes, obstacle } = table
  const unused = table.columns.filter(({ name, use, why }) => use === undefined && why === undefined && name !== "")
  const left = [
    ...leftOut,
    ...(unused.length === 0 ? [] : [`Columns: ${unused.map(({ name }) => `“${name}”`).join(", ")}.`])
  ]
  const said = [...(note === undefined ? [] : [note]), ...notes]
  return html`${said.length === 0 ? html`` : sentences(said)}
${left.length === 0 ? html`` : html`<h3>Left out</h3>${sentences(left)}`}
${campaigns.length === 0 ? html`` : html`<h3>${counted(campaigns.length, "campaign")}</h3>${campaignsTable(table)}`}
<div class="import-end"><p id="import-verdict"${obstacle === undefined ? html`` : html` class="error"`}>${obstacle ?? learned(table)}</p>
<p class="actions"><button type="button" id="import-add" aria-describedby="import-verdict"${obstacle === undefined ? html`` : html` disabled`}>${campaigns.length === 0 ? "Add" : `Add ${counted(campaigns.length, "campaign")}`}</button> <button type="button" class="quiet" id="import-cancel">Cancel</button></p></div>`
}

/** The preview of a table: what each column is taken for, which can be changed, what is asked, and what comes of it. */
export const importView = (state: ImportState): Html => html`<h2 id="import-title">Past campaigns to add</h2>
<h3>What does each column count?</h3>
<ul class="columns">${state.table.columns.map(columnItem)}</ul>
${questionsOf(state)}
<div id="import-outcome">${importOutcome(state)}</div>`

/** The state of a preview in a sentence, to be read out. */
export const importStatus = ({ campaigns, obstacle }: PastTable): string =>
  obstacle ?? `${counted(campaigns.length, "campaign")} can be added.`
