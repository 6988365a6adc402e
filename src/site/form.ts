import { type Html, html } from "../text/html.ts"
import type { FieldError } from "../input/InvalidInput.ts"

/** The texts in the fields of a form, by name. */
export type FormValues = Readonly<Record<string, string>>

/** The typed values of a form, and their errors. */
export interface FormState {
  readonly values: FormValues
  readonly errors: ReadonlyArray<FieldError>
  /** An error of the form as a whole. */
  readonly message?: string
  /** The email address that was probably meant. */
  readonly suggestion?: string
}

/**
 * The field that repeats an address which looks mistyped: if the form is sent again with the same address, that one is
 * meant.
 */
export const addressAsTyped = "address_as_typed"

/** The field with the suggested address, if it was chosen. */
export const suggestedField = "suggested_address"

/** An empty form. */
export const emptyForm: FormState = { values: {}, errors: [] }

/** True if a form has errors. */
const isWrong = ({ errors, message }: FormState) => errors.length > 0 || message !== undefined

/** The title of a page with a form; it starts with "Error" if there is one, for tabs and screen readers. */
export const formTitle = (title: string, state: FormState): string => (isWrong(state) ? `Error: ${title}` : title)

/** The field that takes the focus: the first invalid one, unless the form as a whole has an error. */
const focusedField = ({ errors, message }: FormState): string | undefined =>
  message === undefined ? errors[0]?.pointer.slice(1) : undefined

/** The error message of a field, if any. */
const sentenceOf = (name: string, label: string, { errors }: FormState): string | undefined => {
  const messages = errors.filter(({ pointer }) => pointer === `/${name}`).map(({ message }) => message)
  if (messages.length === 0) return undefined
  const sentence = `${label} ${messages.join(", ")}`
  // A message may end with a sentence or question of its own.
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`
}

/**
 * The error of a field, in a paragraph that the field refers to, and the attributes by which it does so and takes the
 * focus: `focus` is for the first of a group of choices, and `ofGroup` for the group. `helpId` is the paragraph that
 * explains the field, if there is one.
 */
export const fieldErrors = (name: string, label: string, state: FormState, helpId?: string) => {
  const sentence = sentenceOf(name, label, state)
  const described = [sentence === undefined ? [] : `${name}-error`, helpId ?? []].flat().join(" ")
  const describedBy = described === "" ? html`` : html` aria-describedby="${described}"`
  if (sentence === undefined) return { attributes: describedBy, ofGroup: describedBy, focus: html``, text: html`` }
  const ofGroup = html` aria-invalid="true"${describedBy}`
  const focus = name === focusedField(state) ? html` autofocus` : html``
  const text = html`<p class="error" id="${name}-error">${sentence}</p>`
  return { attributes: html`${ofGroup}${focus}`, ofGroup, focus, text }
}

/**
 * All errors of a form, for the top of its page: each sentence links to its field, whose ID is its name. It
 * takes the focus if no field does. `labels` are those of the form's fields, in their order.
 */
export const errorSummary = (state: FormState, labels: Readonly<Record<string, string>>): Html => {
  if (!isWrong(state)) return html``
  const items = Object.entries(labels).flatMap(([name, label]) => {
    const sentence = sentenceOf(name, label, state)
    return sentence === undefined ? [] : html`<li><a href="#${name}">${sentence}</a></li>`
  })
  const focused = focusedField(state)
  // The cells of a table do not take the focus.
  const takesFocus = focused === undefined || focused.includes("/")
  return html`<div class="error-summary" role="alert" aria-labelledby="error-summary-title" tabindex="-1"${takesFocus ? html` autofocus` : html``}>
<h2 id="error-summary-title">There is a problem</h2>
${state.message === undefined ? html`` : html`<p>${state.message}</p>`}
${items.length === 0 ? html`` : html`<ul>${items}</ul>`}
</div>`
}

/** The labels of the sender's fields. */
export const ownerLabels = { name: "Name", email: "Email address", company: "Company" } as const
const autocomplete = { name: "name", email: "email", company: "organization" } as const

const field = (name: keyof typeof ownerLabels, state: FormState, help?: string): Html => {
  const helpId = help === undefined ? undefined : `${name}-help`
  const { attributes, text } = fieldErrors(name, ownerLabels[name], state, helpId)
  return html`<label for="${name}">${ownerLabels[name]}</label>
${help === undefined ? html`` : html`<p class="help" id="${name}-help">${help}</p>`}<input id="${name}" name="${name}" type="${name === "email" ? "email" : "text"}" autocomplete="${autocomplete[name]}" maxlength="254" required value="${state.values[name] ?? ""}"${attributes}>
${text}`
}

/**
 * Asks whether another address was meant. If the form is sent again without an answer, the address is used as typed.
 */
const suggestionOf = ({ suggestion, values: { email = "" } }: FormState): Html =>
  suggestion === undefined
    ? html``
    : html`<fieldset id="email-suggestion" role="radiogroup"><legend>Did you mean ${suggestion}?</legend>
<label class="choice"><input type="radio" name="${suggestedField}" value="${suggestion}" autofocus>
Yes, use ${suggestion}</label>
<label class="choice"><input type="radio" name="${suggestedField}" value="">
No, ${email} is right</label></fieldset>
<input type="hidden" name="${addressAsTyped}" value="${email}">`

/** The form fields about the sender, and a hidden one that only bots fill in. */
export const ownerFields = (state: FormState): Html => html`${field("name", state)}
${field("email", state)}
${suggestionOf(state)}
${field("company", state, "Your own name if you work alone.")}
<div class="trap" aria-hidden="true"><label for="website">Leave this empty</label>
<input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>`
