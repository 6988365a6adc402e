import { Result, Schema } from "effect"
import { html, type Html } from "../../text/html.ts"
import { computation } from "../../workers/Computation.ts"
import { type Calculation, calculateAlone } from "../Calculation.ts"
import { distributionDrawing, distributionLegend } from "../drawings/DistributionDrawing.ts"
import { patterns } from "../drawings/Svg.ts"
import { publishedSpread, sourceOf } from "../Sources.ts"
import { readForm } from "../readForm.ts"
import { expectation, resultTiles } from "./Outcome.ts"

/** A forecast for a frame in another site's page: all links open a page of their own. */
const embed = (calculation: Calculation, back: string): Html => {
  const spread = publishedSpread(calculation)
  return html`<main><h1 class="says">${expectation(calculation.forecast.outlook)}</h1>
${resultTiles(calculation)}
<figure>${distributionLegend(calculation)}${patterns}${distributionDrawing(calculation, 232)}</figure>
<p class="source"><a href="${back}" target="_blank" rel="noopener">Full forecast</a> by Outreach Forecast: an estimate, not a guarantee.${
    spread.length === 0 ? "" : ` ${spread.map(sourceOf).join(". ")}.`
  }</p></main>`
}

/** The content of a frame for a form without errors, as HTML; `back` is the URL of the calculator with its values. */
export const embedView = computation(
  "embed",
  {
    input: Schema.Struct({ values: Schema.Record(Schema.String, Schema.String), back: Schema.String }),
    success: Schema.String
  },
  ({ back, values }) => {
    const { input } = readForm(values)
    if (input === undefined) throw new Error("A form with errors cannot be shown in a frame")
    return Result.succeed(embed(calculateAlone(input), back).text)
  }
)
