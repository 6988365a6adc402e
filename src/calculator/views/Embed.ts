import { html, type Html } from "../../text/html.ts"
import type { Calculation } from "../Calculation.ts"
import { distributionDrawing, distributionLegend } from "../drawings/DistributionDrawing.ts"
import { patterns } from "../drawings/Svg.ts"
import { publishedSpread, sourceOf } from "../Sources.ts"
import { expectation, resultTiles } from "./Outcome.ts"

/** A forecast for a frame in another site's page: all links open a page of their own. */
export const embed = (calculation: Calculation, back: string): Html => {
  const spread = publishedSpread(calculation)
  return html`<main><h1 class="says">${expectation(calculation.forecast.outlook)}</h1>
${resultTiles(calculation)}
<figure>${distributionLegend(calculation)}${patterns}${distributionDrawing(calculation, 232)}</figure>
<p class="source"><a href="${back}" target="_blank" rel="noopener">Full forecast</a> by Outreach Forecast: an estimate, not a guarantee.${
    spread.length === 0 ? "" : ` ${spread.map(sourceOf).join(". ")}.`
  }</p></main>`
}
