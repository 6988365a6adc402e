import { Record, Result, Schema } from "effect"
import { headline } from "./views/Outcome.ts"
import { type Html, html } from "../../text/html.ts"
import { FieldError, InvalidInput } from "../../input/InvalidInput.ts"
import { readFields } from "../../input/readFields.ts"
import type { FormValues } from "../../site/form.ts"
import { computation } from "../../workers/Computation.ts"
import { calculateAlone, calculateInSteps } from "./Calculation.ts"
import { fieldNames } from "./FormFields.ts"
import { historyField } from "../tables/Fragment.ts"
import { readPastedForm } from "./readPastedForm.ts"
import { linkOf } from "./Link.ts"
import { type NumbersPath, openingValues, presets, valuesOf, withPreset } from "./Presets.ts"
import type { CalculatorInput } from "./readForm.ts"
import { computeProgress } from "../progress/Progress.ts"
import { viewsOf } from "./Views.ts"
import { embed } from "./views/Embed.ts"
import { listField, listFields, readList, rowsField } from "./list/readList.ts"
import { listView } from "./views/List.ts"
import { report } from "./views/Report.ts"

const Values = Schema.Record(Schema.String, Schema.String)

/** A form as a browser sent it, and the index of the preset to fill it with. */
const SentForm = Schema.Struct({ text: Schema.String, preset: Schema.optionalKey(Schema.Int) })
export type SentForm = typeof SentForm.Type

const Request = Schema.Struct({
  path: Schema.Literals(["/", "/report", "/embed", "/list"]),
  /** A long form is read where it is calculated. */
  form: Schema.Union([Schema.Struct({ values: Values }), SentForm]),
  address: Schema.Struct({ baseUrl: Schema.String, hasDemoKey: Schema.Boolean }),
  /** The date on a report. */
  day: Schema.String
})
export type PageRequest = typeof Request.Type

/** The HTML of each place of the calculator, or of the whole of another page, if the form has no errors. */
const texts = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))

/** A form as its page shows it, and sentences about how its table of past campaigns was understood. */
const CalculatedForm = Schema.Struct({
  values: Values,
  errors: Schema.Array(FieldError),
  said: Schema.Array(Schema.String),
  /** The values with past campaigns in their short form, if there are no errors. */
  shown: Values,
  texts
})
export type CalculatedForm = typeof CalculatedForm.Type

/** A pasted list as its page shows it. */
const CalculatedList = Schema.Struct({
  values: Values,
  errors: Schema.Array(Schema.Struct({ field: Schema.String, sentence: Schema.String })),
  rows: Schema.Array(
    Schema.Struct({
      line: Schema.Int,
      place: Schema.String,
      name: Schema.String,
      numbers: Values,
      reason: Schema.optional(Schema.String),
      refusal: Schema.optional(Schema.String),
      isIn: Schema.Boolean
    })
  ),
  question: Schema.optionalKey(
    Schema.Struct({
      sentence: Schema.String,
      answers: Schema.Array(Schema.Literals(["percent", "counts"])),
      isOfContacts: Schema.Boolean
    })
  ),
  texts
})
export type CalculatedList = typeof CalculatedList.Type

/** The values of a page before it has any. */
export const openingOf = (path: NumbersPath): FormValues => (path === "/list" ? noValues : openingValues)

const noValues: FormValues = {}

/** The values of a page in the parameters of an address or of a form, which has a box for each row of a list. */
export const valuesAt = (path: NumbersPath, parameters: URLSearchParams): FormValues => {
  if (path !== "/list") return valuesOf(parameters, fieldNames, openingOf(path))
  const values = valuesOf(parameters, listFields, openingOf(path))
  const rows = parameters.getAll(rowsField)
  return rows.length > 1 ? { ...values, [rowsField]: rows.join(".") } : values
}

/** The values of a form, without empty fields. Fails with InvalidInput as `readFields`. */
export const sentValues = (path: NumbersPath, { preset, text }: SentForm): Result.Result<FormValues, InvalidInput> =>
  Result.map(readFields(text, [historyField, listField]), (fields) => {
    const sent = Record.filter(valuesAt(path, fields), (value) => value !== "")
    const filling = presets[preset ?? -1]
    return filling === undefined ? sent : withPreset(sent, filling.values)
  })

const valuesIn = ({ form, path }: PageRequest) =>
  "values" in form ? Result.succeed(form.values) : sentValues(path, form)

const textsOf = (views: { readonly [place: string]: Html }) => ({ texts: Record.map(views, ({ text }) => text) })

const htmlOf = function* (
  { address, day, path }: PageRequest,
  values: FormValues,
  input: CalculatorInput
): Generator<void, { readonly [place: string]: Html }, void> {
  const back = linkOf(values)
  if (path === "/") return viewsOf(yield* calculateInSteps(input, computeProgress), address, back)
  if (path === "/embed") return { main: embed(yield* calculateAlone(input), `${address.baseUrl}${back}`) }
  const calculation = yield* calculateInSteps(input, computeProgress)
  return {
    main: report(calculation, { baseUrl: address.baseUrl, back, day }),
    headline: html`${headline(calculation)}`
  }
}

/** Reads a form, which may have a pasted table, and calculates a page about it. Fails with InvalidInput as `readFields`. */
export const formCalculation = computation(
  "calculate a form",
  { input: Request, success: CalculatedForm, error: InvalidInput },
  function* (request) {
    const sent = valuesIn(request)
    if (Result.isFailure(sent)) return Result.fail(sent.failure)
    const { errors, input, said, values } = readPastedForm(sent.success)
    const read = { values, errors, said, shown: input?.values ?? values }
    if (input === undefined) return Result.succeed(read)
    yield
    return Result.succeed({ ...read, ...textsOf(yield* htmlOf(request, values, input)) })
  }
)

/** Reads a pasted list, and ranks it. Fails with InvalidInput as `readFields`. */
export const listCalculation = computation(
  "calculate a list",
  { input: Request, success: CalculatedList, error: InvalidInput },
  function* (request) {
    const sent = valuesIn(request)
    if (Result.isFailure(sent)) return Result.fail(sent.failure)
    const { input, ...read } = readList(sent.success)
    if (input === undefined) return Result.succeed(read)
    yield
    return Result.succeed({ ...read, ...textsOf({ main: yield* listView(input) }) })
  }
)
