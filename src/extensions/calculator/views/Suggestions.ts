import { figure } from "../../../text/Figures.ts"
import { type Html, html } from "../../../text/html.ts"
import { numberField } from "../FormFields.ts"
import { addressOf } from "../Presets.ts"
import { readNumber, writtenPlainly } from "../../tables/readNumber.ts"
import type { FormValues } from "../../../site/form.ts"

/** Links that replace an ambiguous text in a field with a number that it may mean. */
export const suggestionsView = (name: string, values: FormValues): Html => {
  const field = numberField(name, values)
  if (field === undefined) return html``
  const reading = readNumber(values[name] ?? "", field.bounds, field.example, field.unit)
  if ("value" in reading) return html``
  return html`${reading.suggestions.map(
    (number) =>
      html`<a class="meant" href="${addressOf({ ...values, [name]: writtenPlainly(number) })}" data-fill="${name}">${figure(number)}?</a> `
  )}`
}
