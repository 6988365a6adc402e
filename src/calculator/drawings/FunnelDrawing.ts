import { scaleSymlog } from "d3-scale"
import { type Html, html } from "../../text/html.ts"
import { ofHundred } from "../../forecast/Words.ts"
import { people } from "../../text/Figures.ts"
import { range } from "../pageFigures.ts"
import type { Stage } from "../Stages.ts"
import { logTicks } from "./LogTicks.ts"
import { bar, down, drawing, label } from "./Svg.ts"

const rowHeight = 62
const barHeight = 16

/** A stage that comes from no other has a line of text less. */
const heightOf = ({ outlook, rate }: Stage): number => (rate === "" && outlook === undefined ? 46 : rowHeight)

const described = ({ count, name, outlook }: Stage): string =>
  outlook === undefined
    ? `${name}: ${people(count)}`
    : `${name}: ${people(count)}, ${range(outlook.low, outlook.high, people)} in ${ofHundred(outlook.chance_within)}`

/** A stage from `top` down: its name and number, its bar with the range over its end, and where it comes from. */
const row = (stage: Stage, top: number, x: (count: number) => number): ReadonlyArray<Html> => {
  const { count, name, outlook, rate } = stage
  const isNarrow = outlook === undefined || x(outlook.high) - x(outlook.low) < 0.4
  const whiskers =
    outlook === undefined || isNarrow
      ? []
      : [
          bar("range", x(outlook.low), x(outlook.high), top + 29, 2),
          down("range-end", x(outlook.low), top + 25, top + 35),
          down("range-end", x(outlook.high), top + 25, top + 35)
        ]
  const isSure = outlook === undefined ? "" : range(outlook.low, outlook.high, people)
  return [
    html`<rect class="behind" x="0" y="${top}" width="100%" height="20"/>`,
    label("strong", 0, top + 15, name, "start"),
    label("strong", 100, top + 15, people(count), "end"),
    bar("bar", 0, x(count), top + 22, barHeight),
    ...whiskers,
    ...(heightOf(stage) === rowHeight
      ? [
          html`<rect class="behind" x="0" y="${top + 40}" width="100%" height="17"/>`,
          label("soft", 0, top + 53, rate, "start"),
          label("soft", 100, top + 53, isSure, "end")
        ]
      : [])
  ]
}

/**
 * The funnel: a bar for each stage on a logarithmic scale with its lines labelled, and its range over its end. The
 * scale is log(1 + count), so that 0 has a place.
 */
export const funnelDrawing = (stages: ReadonlyArray<Stage>): Html => {
  const most = Math.max(...stages.map(({ count, outlook }) => Math.max(count, outlook?.high ?? 0)))
  const x = scaleSymlog([0, Math.max(most, 1)], [0, 100])
  const bottom = stages.reduce((sum, stage) => sum + heightOf(stage), 0)
  const { labels, lines } = logTicks(most, x, bottom)
  let top = 0
  const rows: Array<Html> = []
  for (const stage of stages) {
    rows.push(...row(stage, top, x))
    top += heightOf(stage)
  }
  return drawing(bottom + 20, `Funnel on a logarithmic scale. ${stages.map(described).join(". ")}.`, [
    ...lines,
    ...rows,
    ...labels
  ])
}
