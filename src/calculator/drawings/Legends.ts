import { type Html, html } from "../../text/html.ts"

/** What colours, patterns and marks of a drawing mean. */
export const legend = (entries: ReadonlyArray<readonly [swatch: string, text: string]>): Html =>
  html`<p class="legend">${entries.map(([swatch, text]) => html`<span><span class="swatch ${swatch}"></span> ${text}</span> `)}</p>`

/** The legend of a drawing whose bars are filled until today and hatched to their expected end, where a dot is. */
export const flightLegend: Html = legend([
  ["gain", "so far"],
  ["hatched", "still to come"],
  ["dot", "expected"],
  ["planned", "the plan"]
])
