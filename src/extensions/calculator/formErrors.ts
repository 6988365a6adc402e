import type { FieldError } from "../../input/InvalidInput.ts"
import { figure, integer } from "../../text/Figures.ts"
import { chanceField, type FormNumber, openFields, spreadField } from "./FormFields.ts"
import { historyField } from "../tables/Fragment.ts"
import { type HistoryReading, historyFault } from "../tables/PastRows.ts"
import { readField } from "./formRequest.ts"
import { messageWithLabels } from "./withLabels.ts"
import type { FormValues } from "../../site/form.ts"

/** A message of the API in the words of the page. */
const inWords = (message: string): string =>
  messageWithLabels(message)
    .replace(/^is required$/, "is missing")
    .replace(/at most (?=[a-z])/, "at most the number of ")
    .replaceAll(/(?<![\d.])\d{4,}/g, (digits) => integer(Number(digits)))

const messageAt = ({ code, message, pointer }: FieldError, field: FormNumber, values: FormValues): string => {
  const reading = readField(field, values)
  // A text that is not a number is sent as it is.
  if (code === "wrong_type" && "fault" in reading) return reading.fault
  // In a request, it is a fraction.
  if (pointer === chanceField.pointer) return rangeOf(chanceField)
  if (code !== "required") return inWords(message)
  const hint = pointer.startsWith("/so_far/") ? "0 if there are none yet" : `a number like ${field.example}`
  return `${inWords(message)}; write ${hint}`
}

const rangeOf = ({ bounds: { maximum, minimum } }: FormNumber) =>
  `must be from ${figure(minimum)} to ${figure(maximum)}`

/** Creates a function from the errors of a request to those of the form that it was made of. */
export const formErrors =
  (values: FormValues, fields: ReadonlyArray<FormNumber>, history: HistoryReading) =>
  (error: FieldError): FieldError => {
    const { code, pointer } = error
    const field = fields.find((each) => each.pointer === pointer)
    if (field !== undefined) return { pointer: `/${field.name}`, code, message: messageAt(error, field, values) }
    const [, name, row, column] = pointer.split("/")
    const [firstOpen] = openFields
    if (name === "open" && firstOpen !== undefined) {
      const most = figure(firstOpen.bounds.maximum)
      return {
        pointer: `/${firstOpen.name}`,
        code,
        message: `must be at most ${most} together with the other open cases`
      }
    }
    if (name === spreadField.name) return { pointer, code, message: "must be chosen from the list" }
    if (name === historyField && code === "wrong_type")
      return { pointer, code, message: historyFault(history, row, column) }
    const message = inWords(error.message)
    return { pointer, code, message: row === undefined ? message.replace(/^has /, "have ") : message }
  }
