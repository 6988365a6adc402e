import { scaleLinear } from "d3-scale"
import { type Html, html } from "../../text/html.ts"

/** A place across a drawing, from 0 to 100. Drawings are as wide as there is room, and their text stays the same size. */
export const across = (value: number): string => `${Math.round(Math.min(Math.max(value, 0), 100) * 100) / 100}%`

/** A linear scale across a drawing. */
export const linear = (from: number, to: number) => scaleLinear([from, from === to ? to + 1 : to], [0, 100])

/** The pixels that a drawing has on a phone, and that a letter takes. */
const narrowest = 290
const letter = 8

/** The least of a drawing's width, in percent, that a text takes: on a phone it takes this much. */
export const widthOf = (text: string): number => ((text.length * letter) / narrowest) * 100

/** Which end of a text is at its place, so that it stays inside of the drawing. */
export const anchorAt = (value: number, text = ""): string => {
  const margin = Math.min(Math.max(8, widthOf(text) / 2), 50)
  return value < margin ? "start" : value > 100 - margin ? "end" : "middle"
}

/** A drawing of so many pixels of height, and what it shows for who cannot see it. */
export const drawing = (height: number, described: string, content: ReadonlyArray<Html>): Html =>
  html`<svg class="drawing" role="img" width="100%" height="${height}" aria-label="${described}">${content}</svg>`

/** A line down a drawing. */
export const down = (kind: string, x: number, top: number, bottom: number): Html =>
  html`<line class="${kind}" x1="${across(x)}" x2="${across(x)}" y1="${top}" y2="${bottom}"/>`

/** A bar between two places. */
export const bar = (kind: string, from: number, to: number, y: number, height: number): Html => {
  const start = Math.min(Math.max(from, 0), 100)
  const width = Math.max(Math.min(to, 100) - start, 0)
  return html`<rect class="${kind}" x="${across(start)}" y="${y}" width="${across(width)}" height="${height}"/>`
}

/** A text that is anchored at a place. */
export const label = (kind: string, x: number, y: number, text: string, anchor = anchorAt(x, text)): Html =>
  html`<text class="${kind}" x="${across(x)}" y="${y}" text-anchor="${anchor}">${text}</text>`
