import { Record, Result, Schema } from "effect"
import { computation } from "../workers/Computation.ts"
import { calculate } from "./Calculation.ts"
import { readForm } from "./readForm.ts"
import { places, viewsOf } from "./Views.ts"

/** The content of each place of the page, as HTML, for a form without errors. */
export const calculatedViews = computation(
  "calculate",
  {
    input: Schema.Struct({
      values: Schema.Record(Schema.String, Schema.String),
      address: Schema.Struct({ baseUrl: Schema.String, hasDemoKey: Schema.Boolean })
    }),
    success: Schema.Record(Schema.Literals(places), Schema.String)
  },
  ({ address, values }) => {
    const { input } = readForm(values)
    if (input === undefined) throw new Error("A form with errors cannot be calculated")
    return Result.succeed(Record.map(viewsOf(calculate(input), address), ({ text }) => text))
  }
)
