import { Record, Result, Schema } from "effect"
import { headline } from "./views/Outcome.ts"
import { type Html, html } from "../../text/html.ts"
import { FieldError } from "../../input/InvalidInput.ts"
import { computation } from "../../workers/Computation.ts"
import { calculateAlone, calculateInSteps } from "./Calculation.ts"
import { readPastedForm } from "./readPastedForm.ts"
import { linkOf } from "./Link.ts"
import type { CalculatorInput } from "./readForm.ts"
import { viewsOf } from "./Views.ts"
import { embed } from "./views/Embed.ts"
import { readList } from "./list/readList.ts"
import { listView } from "./views/List.ts"
import { report } from "./views/Report.ts"

const Values = Schema.Record(Schema.String, Schema.String)

const Request = Schema.Struct({
  path: Schema.Literals(["/", "/report", "/embed", "/list"]),
  values: Values,
  address: Schema.Struct({ baseUrl: Schema.String, hasDemoKey: Schema.Boolean }),
  /** The date on a report. */
  day: Schema.String
})
export type PageRequest = typeof Request.Type

/** The HTML of each place of the calculator, or of the whole of another page, if the form has no errors. */
const places = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))

/** A form as its page shows it, and sentences about how its table of past campaigns was understood. */
const CalculatedForm = Schema.Struct({
  values: Values,
  errors: Schema.Array(FieldError),
  said: Schema.Array(Schema.String),
  /** The values with past campaigns in their short form, if there are no errors. */
  shown: Values,
  places
})
export type CalculatedForm = typeof CalculatedForm.Type

/** A pasted list as its page shows it. */
const CalculatedList = Schema.Struct({ values: Values, errors: Schema.Array(Schema.String), places })
export type CalculatedList = typeof CalculatedList.Type

const textsOf = (views: { readonly [place: string]: Html }) => ({ places: Record.map(views, ({ text }) => text) })

const htmlOf = function* (
  { address, day, path, values }: PageRequest,
  input: CalculatorInput
): Generator<void, { readonly [place: string]: Html }, void> {
  const back = linkOf(values)
  if (path === "/") return viewsOf(yield* calculateInSteps(input), address, back)
  if (path === "/embed") return { main: embed(yield* calculateAlone(input), `${address.baseUrl}${back}`) }
  const calculation = yield* calculateInSteps(input)
  return {
    main: report(calculation, { baseUrl: address.baseUrl, back, day }),
    headline: html`${headline(calculation)}`
  }
}

/** Reads a form, which may have a pasted table, and calculates a page about it. */
export const formCalculation = computation(
  "calculate a form",
  { input: Request, success: CalculatedForm },
  function* (request) {
    const { errors, input, said, values } = readPastedForm(request.values)
    const read = { values, errors, said, shown: input?.values ?? values }
    if (input === undefined) return Result.succeed(read)
    yield
    return Result.succeed({ ...read, ...textsOf(yield* htmlOf({ ...request, values }, input)) })
  }
)

/** Reads a pasted list, and ranks it. */
export const listCalculation = computation(
  "calculate a list",
  { input: Request, success: CalculatedList },
  function* (request) {
    const { errors, input, values } = readList(request.values)
    const read = { values, errors }
    if (input === undefined) return Result.succeed(read)
    yield
    return Result.succeed({ ...read, ...textsOf({ main: yield* listView(input) }) })
  }
)
