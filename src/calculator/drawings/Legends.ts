import { type Html, html } from "../../text/html.ts"

/** The legend of the colours, patterns and marks of a drawing. */
export const legend = (entries: ReadonlyArray<readonly [swatch: string, text: string]>): Html =>
  html`<p class="legend">${entries.map(([swatch, text]) => html`<span><span class="swatch ${swatch}"></span> ${text}</span> `)}</p>`

/** The legend of a drawing whose bars are filled up to today and hatched up to their expected end, which has a dot. */
export const flightLegend: Html = legend([
  ["gain", "so far"],
  ["hatched", "still to come"],
  ["dot", "expected"],
  ["planned", "the plan"]
])
