import { type Html, html } from "../text/html.ts"

/** A horizontal position in a drawing, from 0 to 100. Drawings fill the width, and their text stays the same size. */
export const across = (value: number): string => `${Math.round(Math.min(Math.max(value, 0), 100) * 100) / 100}%`

/** The height of the area where a drawing shows the numbers of one of its points, in this many lines. */
export const tipHeightOf = (lines: number): number => 10 + 18 * lines

/** The same for the two lines of most points. */
export const tipHeight = tipHeightOf(2)

/** A bar or a row of a drawing that shows its numbers under the pointer and on focus. */
export interface Point {
  /** Its area for the pointer: its ends in percent, its top and its height in pixels. */
  readonly area: { readonly from: number; readonly to: number; readonly top: number; readonly height: number }
  readonly content: ReadonlyArray<Html>
  /** Its numbers, one per line. */
  readonly lines: ReadonlyArray<string>
}

/** The content below the points, and above them. */
interface Layers {
  readonly below: ReadonlyArray<Html>
  readonly points: ReadonlyArray<Point>
  readonly above?: ReadonlyArray<Html>
  /** The point where the Tab key stops; the arrow keys move to the others. */
  readonly stop?: number
  /** The top of the area where a point shows its numbers; without it, the content of the point has them. */
  readonly tipTop?: number
}

/**
 * A drawing whose points respond to pointer, touch and keyboard. Screen readers read the numbers of each; everything
 * else in the drawing only repeats them.
 */
export const pointedDrawing = (
  height: number,
  described: string,
  { above = [], below, points, stop = 0, tipTop }: Layers
): Html => {
  const tip = (lines: Point["lines"]) =>
    tipTop === undefined
      ? html``
      : html`<g class="tip"><rect width="100%" y="${tipTop}" height="${Math.max(tipHeight, tipHeightOf(lines.length))}" rx="6"/>${lines.map((line, index) => html`<text${index === 0 ? html` class="strong"` : html``} x="10" y="${tipTop + 19 + index * 18}">${line}</text>`)}</g>`
  const hit = ({ from, height: tall, to, top }: Point["area"]) =>
    html`<rect class="hit" x="${across(from)}" y="${top}" width="${across(to - from)}" height="${tall}"/>`
  return html`<svg class="drawing" role="group" width="100%" height="${height}" aria-label="${described}"><g aria-hidden="true">${below}</g>${points.map(
    ({ area, content, lines }, index) =>
      html`<g class="point" role="img" tabindex="${index === stop ? 0 : -1}" aria-label="${lines.join("; ")}">${hit(area)}${content}${tip(lines)}</g>`
  )}<g class="above" aria-hidden="true">${above}</g></svg>`
}
