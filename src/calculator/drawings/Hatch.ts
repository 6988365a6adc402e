import { type Html, html } from "../../text/html.ts"

/** The pattern of bars that are still to come: the page has it once, for all its drawings. */
export const hatchPattern: Html = html`<svg class="visually-hidden" aria-hidden="true"><defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" width="7" height="7"/><rect class="stripe" width="3.5" height="7"/></pattern></defs></svg>`

/** The legend of a drawing whose bars are filled until today and hatched to their expected end. */
export const hatchLegend: Html = html`<p class="legend"><span><span class="swatch gain"></span> until now</span> <span><span class="swatch hatched"></span> to the expected end</span> <span><span class="swatch planned"></span> the plan</span></p>`
