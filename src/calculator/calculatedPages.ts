import { Record, Result, Schema } from "effect"
import { headline } from "./views/Outcome.ts"
import { type Html, html } from "../text/html.ts"
import { FieldError } from "../input/InvalidInput.ts"
import { computation } from "../workers/Computation.ts"
import { inOneStep } from "../workers/Steps.ts"
import { calculateAlone, calculateInSteps } from "./Calculation.ts"
import { readPastedForm } from "./history/readPastedForm.ts"
import { readForm } from "./readForm.ts"
import { viewsOf } from "./Views.ts"
import { embed } from "./views/Embed.ts"
import { readList } from "./list/readList.ts"
import { listView } from "./views/List.ts"
import { report } from "./views/Report.ts"

const Values = Schema.Record(Schema.String, Schema.String)

/** A form as its page shows it, and sentences about how its table of past campaigns was understood. */
const ShownForm = Schema.Struct({
  values: Values,
  errors: Schema.Array(FieldError),
  said: Schema.Array(Schema.String),
  /** The values with past campaigns in their short form, if there are no errors. */
  shown: Values
})
export type ShownForm = typeof ShownForm.Type

/** Reads a form, which may have a pasted table: some take longer than other requests could wait. */
export const formReading = computation(
  "read a form",
  { input: Values, success: ShownForm },
  inOneStep((form) => {
    const { errors, input, said, values } = readPastedForm(form)
    return Result.succeed({ values, errors, said, shown: input?.values ?? values })
  })
)

/** A pasted list as its page shows it. */
const ShownList = Schema.Struct({ values: Values, errors: Schema.Array(Schema.String) })
export type ShownList = typeof ShownList.Type

/** Reads a pasted list. */
export const listReading = computation(
  "read a list",
  { input: Values, success: ShownList },
  inOneStep((form) => {
    const { errors, values } = readList(form)
    return Result.succeed({ values, errors })
  })
)

const PageRequest = Schema.Struct({
  path: Schema.Literals(["/", "/report", "/embed", "/list"]),
  values: Values,
  address: Schema.Struct({ baseUrl: Schema.String, hasDemoKey: Schema.Boolean }),
  /** The address of the calculator with these values. */
  back: Schema.String,
  /** The date on a report. */
  day: Schema.String
})
type PageRequest = typeof PageRequest.Type

const withoutErrors = <I>({ input }: { readonly input: I | undefined }): I => {
  if (input === undefined) throw new Error("A form with errors cannot be calculated")
  return input
}

type Places = { readonly [place: string]: Html }

const htmlOf = function* ({ address, back, day, path, values }: PageRequest): Generator<void, Places, void> {
  if (path === "/list") return { main: yield* listView(withoutErrors(readList(values))) }
  const input = withoutErrors(readForm(values))
  if (path === "/") return viewsOf(yield* calculateInSteps(input), address, back)
  if (path === "/embed") return { main: embed(yield* calculateAlone(input), `${address.baseUrl}${back}`) }
  const calculation = yield* calculateInSteps(input)
  return {
    main: report(calculation, { baseUrl: address.baseUrl, back, day }),
    headline: html`${headline(calculation)}`
  }
}

/** The HTML of each place of the calculator, or of the whole of another page, for a form without errors. */
export const calculatedPages = computation(
  "calculate",
  { input: PageRequest, success: Schema.Record(Schema.String, Schema.String) },
  function* (request) {
    return Result.succeed(Record.map(yield* htmlOf(request), ({ text }) => text))
  }
)
