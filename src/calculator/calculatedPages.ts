import { Record, Result, Schema } from "effect"
import type { Html } from "../text/html.ts"
import { computation } from "../workers/Computation.ts"
import { calculate, calculateAlone } from "./Calculation.ts"
import { type CalculatorInput, readForm } from "./readForm.ts"
import { viewsOf } from "./Views.ts"
import { embed } from "./views/Embed.ts"
import { report } from "./views/Report.ts"

const PageRequest = Schema.Struct({
  path: Schema.Literals(["/", "/report", "/embed"]),
  values: Schema.Record(Schema.String, Schema.String),
  address: Schema.Struct({ baseUrl: Schema.String, hasDemoKey: Schema.Boolean }),
  /** The address of the calculator with these values. */
  back: Schema.String,
  /** The date on a report. */
  day: Schema.String
})
type PageRequest = typeof PageRequest.Type

const htmlOf = (
  input: CalculatorInput,
  { address, back, day, path }: PageRequest
): { readonly [place: string]: Html } => {
  if (path === "/") return viewsOf(calculate(input), address, back)
  return path === "/report"
    ? {
        main: report(calculate({ ...input, goal: undefined, second: undefined }), {
          baseUrl: address.baseUrl,
          back,
          day
        })
      }
    : { main: embed(calculateAlone(input), `${address.baseUrl}${back}`) }
}

/** The HTML of each place of the calculator, or of the whole of another page, for a form without errors. */
export const calculatedPages = computation(
  "calculate",
  { input: PageRequest, success: Schema.Record(Schema.String, Schema.String) },
  (request) => {
    const { input } = readForm(request.values)
    if (input === undefined) throw new Error("A form with errors cannot be calculated")
    return Result.succeed(Record.map(htmlOf(input, request), ({ text }) => text))
  }
)
