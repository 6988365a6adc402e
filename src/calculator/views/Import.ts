import { counted } from "../../text/Figures.ts"
import { type Html, html } from "../../text/html.ts"
import { columns } from "../history/Columns.ts"
import type { PastTable } from "../history/PastTable.ts"

const hint = (sentences: ReadonlyArray<string>) => sentences.map((sentence) => html`<p class="hint">${sentence}</p>`)

/** The preview of a table: what each column is taken for, which can be changed, what is left out, and what is asked. */
export const importView = (table: PastTable, emailsPerContact: string): Html => {
  const { campaigns, leftOut, notes, obstacle, questions } = table
  const asks = (choice: string) => questions.find((question) => question.choice === choice)
  const unused = table.columns.filter(({ name, use, why }) => use === undefined && why === undefined && name !== "")
  const contacts = asks("emailsPerContact") !== undefined || emailsPerContact !== ""
  return html`<h3>What does each column count?</h3>
<ul class="columns">${table.columns.map(
    ({ example, index, name, use }) =>
      html`<li><label for="column-${index}">${name === "" ? `Column ${index + 1}` : name} <span class="optional">${example}</span></label><select id="column-${index}" data-index="${index}"><option value="none">not used</option>${columns.map(
        (column) =>
          html`<option value="${column.name}"${column.name === use ? html` selected` : html``}>${column.label}</option>`
      )}</select></li>`
  )}</ul>
${hint([...notes, ...table.columns.flatMap(({ why }) => why ?? []), ...leftOut.map(({ sentence }) => sentence)])}
${unused.length === 0 ? html`` : html`<p class="hint">Not used: ${unused.map(({ name }) => `“${name}”`).join(", ")}.</p>`}
${asks("rowsAre") === undefined ? html`` : html`<p>${asks("rowsAre")?.sentence ?? ""} <button type="button" class="quiet" data-rows="parts">Add them up</button> <button type="button" class="quiet" data-rows="campaigns">Each row is a campaign</button></p>`}
${contacts ? html`<p><label for="emails-per-contact">Emails per contact</label> <input id="emails-per-contact" type="text" inputmode="decimal" value="${emailsPerContact}"></p>` : html``}
${table.hasSameNames ? html`<p><label><input type="checkbox" id="import-add-up"${notes.some((note) => note.includes("added up")) ? html` checked` : html``}> Add up rows of one name</label></p>` : html``}
${obstacle === undefined ? html`` : html`<p class="error">${obstacle}</p>`}
<p class="actions"><button type="button" id="import-add"${obstacle === undefined ? html`` : html` disabled`}>Add ${counted(campaigns.length, "campaign")}</button> <button type="button" class="quiet" id="import-cancel">Cancel</button></p>`
}
