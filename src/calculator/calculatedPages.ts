import { Record, Result, Schema } from "effect"
import { headline } from "./views/Outcome.ts"
import { type Html, html } from "../text/html.ts"
import { computationInSteps } from "../workers/Computation.ts"
import { calculate, calculateAlone } from "./Calculation.ts"
import { readForm } from "./readForm.ts"
import { viewsOf } from "./Views.ts"
import { embed } from "./views/Embed.ts"
import { readList } from "./list/readList.ts"
import { listView } from "./views/List.ts"
import { report } from "./views/Report.ts"

const PageRequest = Schema.Struct({
  path: Schema.Literals(["/", "/report", "/embed", "/list"]),
  values: Schema.Record(Schema.String, Schema.String),
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
  if (path === "/") return viewsOf(calculate(input), address, back)
  if (path === "/embed") return { main: embed(calculateAlone(input), `${address.baseUrl}${back}`) }
  const calculation = calculate(input)
  return {
    main: report(calculation, { baseUrl: address.baseUrl, back, day }),
    headline: html`${headline(calculation)}`
  }
}

/** The HTML of each place of the calculator, or of the whole of another page, for a form without errors. */
export const calculatedPages = computationInSteps(
  "calculate",
  { input: PageRequest, step: Schema.Void, success: Schema.Record(Schema.String, Schema.String) },
  function* (request) {
    return Result.succeed(Record.map(yield* htmlOf(request), ({ text }) => text))
  }
)
