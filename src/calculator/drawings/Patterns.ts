import { type Html, html } from "../../text/html.ts"

const pattern = (id: string): Html =>
  html`<pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" width="7" height="7"/><rect class="stripe" width="3" height="7"/></pattern>`

/**
 * The patterns of bars, by ID: for bars below break-even or less than now, and for results still to come. A page has
 * them only once, for all its drawings.
 */
export const patterns: Html = html`<svg class="visually-hidden" aria-hidden="true"><defs>${pattern("less")}${pattern("hatch")}</defs></svg>`
