import type { Html } from "../../text/html.ts"
import { ofHundred } from "../../forecast/Words.ts"
import { people } from "../../text/Figures.ts"
import { brief, range } from "../pageFigures.ts"
import type { Stage } from "../Stages.ts"
import { bar, dot, label, legend, logarithmic, logTicks, type Point, pointedDrawing, tipHeight } from "./Svg.ts"

const rowHeight = 58
/** The height of the bar of a stage, below its dot. */
export const barHeight = 18

/** The height of a row; the first stage has one line of text less. */
const heightOf = ({ outlook, rate }: Stage): number => (rate === "" && outlook === undefined ? 44 : rowHeight)

const linesOf = ({ alone, count, name, outlook, rate }: Stage): Point["lines"] => {
  if (outlook === undefined) return [`${name}: ${people(count)}`, ...(rate === "" ? [] : [rate])]
  const byChance = alone === undefined ? "" : `; by chance alone ${range(alone.low, alone.high, brief)}`
  return [
    `${name}: ${range(outlook.low, outlook.high, brief)} in ${ofHundred(outlook.chance_within)}`,
    `${people(count)} expected${byChance}`
  ]
}

/** The bar of a stage: up to the expected count, with the range over its end, and the range by chance alone inside it. */
export const barOf = (
  { alone, count, outlook }: Stage,
  top: number,
  x: (count: number) => number
): ReadonlyArray<Html> => [
  bar("outside", 0, x(count), top, barHeight),
  ...(outlook === undefined ? [] : [bar("gain", x(outlook.low), x(outlook.high), top, barHeight)]),
  ...(alone === undefined ? [] : [bar("alone", x(alone.low), x(alone.high), top + 5, barHeight - 10)]),
  ...(outlook === undefined ? [] : [dot(x(count), top, 5)])
]

/** A stage from `top` down: its name and number, its bar, its rate and its range. */
const row = (stage: Stage, top: number, x: (count: number) => number): Point => {
  const { count, name, outlook, rate } = stage
  const height = heightOf(stage)
  return {
    area: { from: 0, to: 100, top, height: height - 2 },
    content: [
      label("strong over", 0, top + 14, name, "start"),
      label("strong over", 100, top + 14, people(count), "end"),
      ...barOf(stage, top + 20, x),
      ...(height === rowHeight
        ? [
            label("soft over", 0, top + 52, rate, "start"),
            label(
              "soft over",
              100,
              top + 52,
              outlook === undefined ? "" : range(outlook.low, outlook.high, people),
              "end"
            )
          ]
        : [])
    ],
    lines: linesOf(stage)
  }
}

/** The legend of the funnel's colours and marks. */
export const funnelLegend = (stages: ReadonlyArray<Stage>): Html =>
  legend([
    ["dot", "expected"],
    ...(stages.some(({ alone }) => alone !== undefined)
      ? ([
          ["gain", "range, as campaigns vary"],
          ["alone", "chance alone"]
        ] as const)
      : ([["gain", "range, rates exactly as given"]] as const))
  ])

/** The scale of a funnel, and its maximum. */
export const funnelScale = (stages: ReadonlyArray<Stage>) => {
  const most = Math.max(...stages.map(({ count, outlook }) => Math.max(count, outlook?.high ?? 0)), 1)
  return { most, x: logarithmic(most) }
}

/**
 * The funnel: a bar for each stage on a logarithmic scale with its lines labelled, and its range over
 * its end.
 */
export const funnelDrawing = (stages: ReadonlyArray<Stage>): Html => {
  const { most, x } = funnelScale(stages)
  const bottom = stages.reduce((sum, stage) => sum + heightOf(stage), 0)
  const { labels, lines } = logTicks(most, x, bottom)
  let top = 0
  const points: Array<Point> = []
  for (const stage of stages) {
    points.push(row(stage, top, x))
    top += heightOf(stage)
  }
  return pointedDrawing(bottom + 4 + tipHeight, "Funnel on a logarithmic scale", {
    below: [...lines, ...labels],
    points,
    tipTop: bottom + 4
  })
}
