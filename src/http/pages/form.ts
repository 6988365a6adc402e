import { type Html, html } from "../../html.ts"
import type { FieldError } from "../../input/InvalidInput.ts"

/** What was typed into a form, and what is wrong with it. */
export interface FormState {
  readonly values: Readonly<Record<string, string>>
  readonly errors: ReadonlyArray<FieldError>
  /** What is wrong with the form as a whole. */
  readonly message?: string
}

/** A form that nobody has typed into. */
export const emptyForm: FormState = { values: {}, errors: [] }

/** What is wrong with a field, in a paragraph that the field names, and the attributes by which it does so. */
export const fieldErrors = (name: string, label: string, { errors }: FormState) => {
  const messages = errors.filter(({ pointer }) => pointer === `/${name}`).map(({ message }) => message)
  return messages.length === 0
    ? { attributes: html``, text: html`` }
    : {
        attributes: html` aria-invalid="true" aria-describedby="${name}-error"`,
        text: html`<p class="error" id="${name}-error">${label} ${messages.join(", ")}.</p>`
      }
}

const labels = { name: "Name", email: "Email address", company: "Company" } as const
const autocomplete = { name: "name", email: "email", company: "organization" } as const

const field = (name: keyof typeof labels, state: FormState): Html => {
  const { attributes, text } = fieldErrors(name, labels[name], state)
  return html`<label for="${name}">${labels[name]}</label>
<input id="${name}" name="${name}" type="${name === "email" ? "email" : "text"}" autocomplete="${autocomplete[name]}" maxlength="254" required value="${state.values[name] ?? ""}"${attributes}>
${text}`
}

/** The fields that say who sends a form, and one that people do not see. */
export const ownerFields = (state: FormState): Html => html`${field("name", state)}
${field("email", state)}
${field("company", state)}
<div class="trap" aria-hidden="true"><label for="website">Leave this empty</label>
<input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>`

/** What is wrong with a form as a whole. */
export const formMessage = ({ message }: FormState): Html =>
  message === undefined ? html`` : html`<p class="error" role="alert">${message}</p>`
