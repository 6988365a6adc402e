import { brief } from "../../../text/Figures.ts"
import { across } from "../../../site/pointedDrawing.ts"
import { type Html, html } from "../../../text/html.ts"

/** A linear scale, across a drawing unless it has other ends. */
export const linear =
  (from: number, to: number, start = 0, end = 100) =>
  (value: number): number => {
    const part = (value - from) / (from === to ? 1 : to - from)
    return start * (1 - part) + end * part
  }

/** The scale log(1 + count) across a drawing, on which 0 has a place. */
export const logarithmic =
  (most: number) =>
  (count: number): number =>
    (100 * Math.log1p(count)) / Math.log1p(most)

/** The width of a drawing on a phone and of a letter, in pixels. */
const narrowest = 290
const letter = 8

/** The width of a text on a phone, in percent of the drawing. */
export const widthOf = (text: string): number => ((text.length * letter) / narrowest) * 100

/** The anchor of a text at a position, so that it stays inside the drawing. */
const anchorAt = (value: number, text: string): string => {
  const margin = Math.min(Math.max(8, widthOf(text) / 2), 50)
  return value < margin ? "start" : value > 100 - margin ? "end" : "middle"
}

/** A drawing of the given height, with a text alternative. */
export const drawing = (height: number, described: string, content: ReadonlyArray<Html>): Html =>
  html`<svg class="drawing" role="img" width="100%" height="${height}" aria-label="${described}">${content}</svg>`

/** A line down a drawing. */
export const down = (kind: string, x: number, top: number, bottom: number): Html =>
  html`<line class="${kind}" x1="${across(x)}" x2="${across(x)}" y1="${top}" y2="${bottom}"/>`

/** A bar between two places. */
export const bar = (kind: string, from: number, to: number, y: number, height: number): Html => {
  const start = Math.min(Math.max(from, 0), 100)
  const width = Math.max(Math.min(to, 100) - start, 0)
  return html`<rect class="${kind}" x="${across(start)}" y="${y}" width="${across(width)}" height="${height}" rx="3"/>`
}

/** The yellow dot at the expected value. */
export const dot = (x: number, y: number, radius = 6): Html =>
  html`<circle class="dot" cx="${across(x)}" cy="${y}" r="${radius}"/>`

/** A text that is anchored at a place. */
export const label = (kind: string, x: number, y: number, text: string, anchor = anchorAt(x, text)): Html =>
  html`<text class="${kind}" x="${across(x)}" y="${y}" text-anchor="${anchor}">${text}</text>`

const pattern = (id: string): Html =>
  html`<pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" width="7" height="7"/><rect class="stripe" width="3" height="7"/></pattern>`

/**
 * The patterns of bars, by ID: for bars below break-even or less than now, and for results still to come. A page has
 * them only once, for all its drawings.
 */
export const patterns: Html = html`<svg class="visually-hidden" aria-hidden="true"><defs>${pattern("less")}${pattern("hatch")}</defs></svg>`

/** The legend of the colours, patterns and marks of a drawing. */
export const legend = (entries: ReadonlyArray<readonly [swatch: string, text: string]>): Html =>
  html`<p class="legend">${entries.map(([swatch, text]) => html`<span><span class="swatch ${swatch}"></span> ${text}</span> `)}</p>`

/** The legend of a drawing whose bars are filled up to today and hatched up to their expected end, which has a dot. */
export const flightLegend: Html = legend([
  ["gain", "so far"],
  ["hatched", "still to come"],
  ["dot", "average"],
  ["planned", "the plan"]
])

/** The numbers with a line: 1, 10, 100 and so on. */
const decades = (most: number): ReadonlyArray<number> => {
  const last = Math.max(Math.floor(Math.log10(Math.max(most, 1)) + 1e-9), 0)
  return Array.from({ length: last + 1 }, (_, exponent) => 10 ** exponent)
}

/** The ticks of a logarithmic scale between its lines: at 2 to 9, 20 to 90 and so on. */
export const smallTicks = (
  most: number,
  x: (count: number) => number,
  top: number,
  bottom: number
): ReadonlyArray<Html> =>
  decades(most)
    .flatMap((decade) => [2, 3, 4, 5, 6, 7, 8, 9].map((each) => each * decade))
    .filter((count) => count <= most)
    .map((count) => down("axis", x(count), top, bottom))

/** The lines of a logarithmic scale down to `bottom`, and their numbers below it. */
export const logTicks = (
  most: number,
  x: (count: number) => number,
  bottom: number
): { readonly lines: ReadonlyArray<Html>; readonly labels: ReadonlyArray<Html> } => {
  const counts = decades(most)
  // If there are many lines, only every other one has its number.
  const isLabelled = (index: number) => counts.length <= 6 || index % 2 === 0
  return {
    lines: [0, ...counts].map((count) => down("grid", x(count), 0, bottom)),
    labels: [
      label("tick", 0, bottom + 14, "0", "start"),
      ...counts.flatMap((count, index) =>
        isLabelled(index) && x(count) > 4 ? [label("tick", x(count), bottom + 14, brief(count))] : []
      )
    ]
  }
}
