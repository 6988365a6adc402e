import {
  aimLabels,
  campaignFields,
  chanceField,
  currencyField,
  emailsLeftField,
  type FlightField,
  goalField,
  longestName,
  moreFields,
  nameFields,
  type FormNumber,
  openFields,
  preparedFields,
  optionalFields,
  secondFields,
  soFarFields,
  spreadField
} from "./FormFields.ts"
import { aims } from "../goals/GoalTarget.ts"
import { type Html, html } from "../../text/html.ts"
import { fieldErrors, type FormState } from "../../site/form.ts"
import type { Place } from "./Views.ts"
import { suggestionsView } from "./views/Suggestions.ts"
import { signBefore } from "./Amounts.ts"
import { costParts } from "./CostParts.ts"
import { slideView, standingView } from "./views/Slide.ts"
import { formatted } from "../tables/readNumber.ts"

/** The input of a number with its error; `more` are further attributes of the input. */
const input = (
  field: FormNumber,
  state: FormState,
  { helpId, more = html`` }: { readonly helpId?: string; readonly more?: Html } = {}
) => {
  const { attributes, text } = fieldErrors(field.name, field.label, state, helpId)
  return {
    box: html`<span class="box">${field.unit === "money" || field.name === "goal" ? html`<span class="sign" data-sign="${field.name}">${signBefore(field.name, state.values)}</span>` : html``}<input id="${field.name}" name="${field.name}" form="calculator" type="text" inputmode="decimal" autocomplete="off" maxlength="60" value="${state.values[field.name] ?? ""}"${more}${attributes}>${field.unit === "%" ? html`<span class="unit" aria-hidden="true">%</span>` : html``}</span>`,
    text: html`<div class="field-error" id="${field.name}-place">${text}${suggestionsView(field.name, state.values)}</div>`
  }
}

const row = (field: FormNumber, state: FormState, isRequired: boolean, show: (place: Place) => Html): Html => {
  const { box, text } = input(field, state, {
    helpId: `${field.name}-help`,
    more: isRequired ? html` required` : html``
  })
  return html`<div class="field"><div><label for="${field.name}">${field.label}</label>
<p class="help"><span id="${field.name}-help">${field.help}${isRequired ? "" : ", optional"}</span>${field.name === "positive_reply_rate" ? html` <span id="positive-standing">${show("positive-standing")}</span>` : html``}</p></div>${box}${slideView(field, state.values[field.name] ?? "")}${standingView(field, show)}${text}</div>`
}

/** The parts of the cost, which the script adds up; they have no names, so the form does not send them. */
const costBuilder = html`<details class="scripted" id="cost-parts"><summary>Add up the cost</summary>
${costParts.map(
  ({ label, name }) =>
    html`<div class="field"><label for="cost-${name}">${label}</label><span class="box"><input id="cost-${name}" type="text" inputmode="decimal" autocomplete="off" maxlength="60" aria-describedby="cost-error"></span></div>`
)}<p class="error" id="cost-error" role="alert"></p><p class="hint">Hours × hourly rate, plus tools, data and mailboxes for the whole campaign. The sum goes into the field above.</p></details>`

/** The seven fields, the currency of all amounts, and the names on the report. */
export const campaignInputs = (state: FormState, show: (place: Place) => Html): Html =>
  html`${campaignFields.map((field) => row(field, state, !optionalFields.has(field.name), show))}
${costBuilder}
${[currencyField, ...preparedFields.map(({ name }) => name)].map((name) => html`<input type="hidden" id="${name}" name="${name}" value="${state.values[name] ?? ""}">`)}`
/** The choice of how much the rates vary. */
export const spreadInput = (state: FormState): Html => {
  const { label, name, options } = spreadField
  const { attributes, text } = fieldErrors(name, label, state, `${name}-help`)
  const chosen = state.values[name] ?? ""
  return html`<div class="field wide"><label for="${name}">${label}</label>
<select id="${name}" name="${name}" form="calculator"${attributes}>${Object.entries(options).map(
    ([value, words]) => html`<option value="${value}"${value === chosen ? html` selected` : html``}>${words}</option>`
  )}</select>
<p class="help" id="${name}-help">As published: the reply rate varies like that of 556 campaigns (<a href="https://clientium.it/osservatorio/">Clientium</a>, CC BY 4.0).</p><div class="field-error" id="${name}-place">${text}</div></div>`
}

/** The refinements, which may be left empty. */
export const moreInputs = (state: FormState, show: (place: Place) => Html): ReadonlyArray<Html> =>
  moreFields.map((field) => row(field, state, false, show))

/** A count of the campaign in flight. It is hidden while the plan lacks its rate, unless it has a value. */
const flightInput = (kind: string, field: FlightField, state: FormState): Html => {
  const { heading, help, name, neededRate } = field
  const helpId = `${name}-help`
  const { box, text } = input(field, state, help === "" ? {} : { helpId })
  const isHidden = [neededRate ?? name, name].every((each) => (state.values[each] ?? "") === "")
  return html`<div class="field"${neededRate === undefined ? html`` : html` data-needs="${neededRate}"`}${neededRate !== undefined && isHidden ? html` hidden` : html``}><div><label for="${name}"><span class="visually-hidden">${kind}</span>${heading}</label>${
    help === "" ? html`` : html`<p class="help" id="${helpId}">${help}</p>`
  }</div>${box}${text}</div>`
}

/** The campaign in flight: its results so far, and its open cases. */
export const flightInputs = (state: FormState): Html => html`<div class="pair flight">
<fieldset><legend>What has happened so far</legend><p class="help">Everything, including what is still undecided.</p>${soFarFields.map((field) => flightInput("So far: ", field, state))}</fieldset>
<fieldset><legend>What is still undecided</legend><p class="help">How many of these have no outcome yet: 0 if empty.</p>${openFields.map((field) => flightInput("Open: ", field, state))}${flightInput("", emailsLeftField, state)}</fieldset>
</div>`

/** The goal, as a sentence. */
export const goalInputs = (state: FormState): Html => {
  const chosen = state.values["goal_aim"] ?? "clients"
  const goal = input(goalField(chosen), state)
  const chance = input({ ...chanceField, unit: "" }, state)
  const { attributes, text } = fieldErrors("goal_aim", "Goal", state)
  return html`<p class="sentence"><label for="goal">I want</label> ${goal.box}
<label for="goal_aim" class="visually-hidden">of what</label><select id="goal_aim" name="goal_aim" form="calculator"${attributes}>${aims
    .toSorted((a, b) => Number(b === "clients") - Number(a === "clients"))
    .map(
      (aim) => html`<option value="${aim}"${aim === chosen ? html` selected` : html``}>${aimLabels[aim]}</option>`
    )}</select>
<label for="goal_chance">in</label> ${chance.box} <span>of 100 campaigns</span></p>${goal.text}${text}${chance.text}`
}

/** The second campaign: a column next to the first one. */
export const secondInputs = (state: FormState): Html =>
  html`${nameFields.map(
    ({ fallback, label, name }) =>
      html`<div class="field name"><label for="${name}">${label}</label><input id="${name}" name="${name}" form="calculator" type="text" autocomplete="off" maxlength="${longestName}" placeholder="${fallback}" value="${state.values[name] ?? ""}"></div>`
  )}
${secondFields.map((field) => {
  const { box, text } = input(field, state, {
    more: html` placeholder="${formatted(state.values[field.of] ?? "", field.bounds, field.example)}"`
  })
  return html`<div class="field"><label for="${field.name}"><span class="visually-hidden">Second campaign: </span>${field.label.replace("Second campaign: ", "").replace(/^./, (letter) => letter.toUpperCase())}</label>${box}${text}</div>`
})}`
