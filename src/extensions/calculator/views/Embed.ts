import { html, type Html } from "../../../text/html.ts"
import type { Calculation } from "../Calculation.ts"
import { distributionDrawing, distributionLegend } from "../drawings/DistributionDrawing.ts"
import { patterns } from "../drawings/Svg.ts"
import { publishedSpread, sourceOf } from "../Sources.ts"
import { unreadView } from "./Message.ts"
import { expectation, resultTiles } from "./Outcome.ts"

/**
 * The markup that shows a forecast in another site's page; `link` is the address of the calculator with its numbers.
 * The padding makes a frame that is as high as its content at any width, without a script: percentages are of the
 * width.
 */
export const embedCode = (link: string, baseUrl: string): string =>
  html`<div style="position:relative;padding-bottom:max(480px,850px - 37%)">
<iframe src="${baseUrl}${link.replace("/", "/embed")}" title="Forecast of a cold-email campaign" loading="lazy"
width="100%" height="700" style="position:absolute;inset:0;height:100%;border:0"></iframe>
</div>`.text

/** A forecast for a frame in another site's page: all links open a page of their own. */
export const embed = (calculation: Calculation, back: string): Html => {
  const spread = publishedSpread(calculation)
  return html`<main><h1 class="says">${expectation(calculation.forecast.outlook)}</h1>
${unreadView(calculation.input.values)}${resultTiles(calculation)}
<figure>${distributionLegend(calculation)}${patterns}${distributionDrawing(calculation, 232)}</figure>
<p class="source"><a href="${back}" target="_blank" rel="noopener">Full forecast</a> by Outreach Forecast: an estimate, not a guarantee.${
    spread.length === 0 ? "" : ` ${spread.map(sourceOf).join(". ")}.`
  }</p></main>`
}
