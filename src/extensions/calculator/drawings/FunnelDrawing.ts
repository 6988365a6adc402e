import { brief, people, range } from "../../../text/Figures.ts"
import type { Html } from "../../../text/html.ts"
import { ofHundred } from "../../../forecast/Words.ts"
import type { Forecast } from "../../../forecast/ForecastAnswer.ts"
import type { FunnelStage } from "../Stages.ts"
import { bar, dot, down, label, legend, logarithmic, logTicks, smallTicks } from "./Svg.ts"
import { type Point, pointedDrawing, tipHeight } from "../../../site/pointedDrawing.ts"

type Scale = (count: number) => number

/** A stage in a funnel: its name and number, its bars, the texts below them, and what a pointer shows. */
interface StageRow {
  readonly name: string
  readonly value: string
  readonly bars: (top: number, x: Scale) => ReadonlyArray<Html>
  readonly below: readonly [start: string, end: string]
  readonly lines: Point["lines"]
}

/** The height of the bar of a stage, below its dot. */
export const barHeight = 18

/** The height of the axis of a funnel whose bars are apart. */
export const axisHeight = 16

/** The height of a row, with or without a line of text below its bars. */
const heightOf = ({ below }: StageRow): number => (below.every((text) => text === "") ? 44 : 58)

const pointOf = (row: StageRow, top: number, x: Scale): Point => ({
  area: { from: 0, to: 100, top, height: heightOf(row) - 2 },
  content: [
    label("strong over", 0, top + 14, row.name, "start"),
    label("strong over", 100, top + 14, row.value, "end"),
    ...row.bars(top + 20, x),
    ...row.below.flatMap((text, index) =>
      text === "" ? [] : [label("soft over", index * 100, top + 52, text, index === 0 ? "start" : "end")]
    )
  ],
  lines: row.lines
})

/** A funnel up to `most` on a logarithmic scale with its lines labelled. */
const drawing = (title: string, rows: ReadonlyArray<StageRow>, most: number): Html => {
  const x = logarithmic(most)
  const bottom = rows.reduce((sum, row) => sum + heightOf(row), 0)
  const { labels, lines } = logTicks(most, x, bottom)
  let top = 0
  const points = rows.map((row) => {
    const point = pointOf(row, top, x)
    top += heightOf(row)
    return point
  })
  return pointedDrawing(bottom + 4 + tipHeight, title, { below: [...lines, ...labels], points, tipTop: bottom + 4 })
}

const linesOf = ({ count, name, outlook, rate }: FunnelStage): Point["lines"] => {
  if (outlook === undefined) return [`${name}: ${people(count)}`, ...(rate === "" ? [] : [rate])]
  return [
    `${name}: ${range(outlook.low, outlook.high, brief)} in ${ofHundred(outlook.chance_within)}`,
    `${people(count)} on average`
  ]
}

/** The bar of a stage up to the expected count, with the range over its end. */
export const barOf = ({ count, outlook }: FunnelStage, top: number, x: Scale): ReadonlyArray<Html> => [
  bar("outside", 0, x(count), top, barHeight),
  ...(outlook === undefined ? [] : [bar("gain", x(outlook.low), x(outlook.high), top, barHeight)]),
  ...(outlook === undefined ? [] : [dot(x(count), top, 5)])
]

/** The legend of the funnel's colours and marks. */
export const funnelLegend = ({ basis }: Forecast["outlook"]): Html =>
  legend([
    ["dot", "average"],
    ["gain", basis === "as_given" ? "range, rates exactly as given" : "range"]
  ])

const mostOf = (stages: ReadonlyArray<FunnelStage>): number =>
  Math.max(...stages.map(({ count, outlook }) => Math.max(count, outlook?.high ?? 0)), 1)

/** The scale of a funnel whose bars are apart: the place of a count, the lines behind a bar, the axis above. */
export const funnelScale = (stages: ReadonlyArray<FunnelStage>) => {
  const most = mostOf(stages)
  const x = logarithmic(most)
  return {
    x,
    lines: logTicks(most, x, barHeight + 6).lines,
    axis: [...logTicks(most, x, -3).labels, ...smallTicks(most, x, 13, axisHeight)]
  }
}

const rowOf = (stage: FunnelStage): StageRow => {
  const { count, name, outlook, rate } = stage
  return {
    name,
    value: people(count),
    bars: (top, x) => barOf(stage, top, x),
    below: [rate, outlook === undefined ? "" : range(outlook.low, outlook.high, people)],
    lines: linesOf(stage)
  }
}

/** The funnel: a bar for each stage, and its range over its end. */
export const funnelDrawing = (stages: ReadonlyArray<FunnelStage>): Html =>
  drawing("Funnel on a logarithmic scale", stages.map(rowOf), mostOf(stages))

/** A stage of a campaign in flight: its current, expected and planned count. */
export interface FlightStage {
  readonly name: string
  readonly soFar: number
  readonly expected: number
  readonly planned: number
  /** The range at the end; emails have none. */
  readonly end?: { readonly low: number; readonly high: number; readonly chance_within: number }
}

const flightBars = ({ end, expected, planned, soFar }: FlightStage, top: number, x: Scale): ReadonlyArray<Html> => [
  bar("gain", 0, x(soFar), top + 1, 16),
  bar("hatched", x(soFar), x(expected), top + 1, 16),
  ...(end === undefined || x(end.high) - x(end.low) < 0.4
    ? []
    : [
        bar("range", x(end.low), x(end.high), top + 8, 2),
        down("range-end", x(end.low), top + 4, top + 14),
        down("range-end", x(end.high), top + 4, top + 14)
      ]),
  down("threshold", x(planned), top - 2, top + 20),
  ...(end === undefined ? [] : [dot(x(expected), top + 1, 4)])
]

const flightRow = (stage: FlightStage): StageRow => {
  const { end, expected, name, planned, soFar } = stage
  const within = end === undefined ? "" : `; ${range(end.low, end.high, brief)} in ${ofHundred(end.chance_within)}`
  return {
    name,
    value: `${people(soFar)} of ${people(expected)}`,
    bars: (top, x) => flightBars(stage, top, x),
    below: [`planned ${people(planned)}`, end === undefined ? "" : range(end.low, end.high, people)],
    lines: [`${name}: ${people(soFar)} so far, ${brief(planned)} planned`, `${people(expected)} at the end${within}`]
  }
}

/**
 * The funnel of a campaign in flight: each bar is filled to today's count and hatched to the expected end, with its
 * range over it and the plan as a dashed line.
 */
export const flightFunnelDrawing = (stages: ReadonlyArray<FlightStage>): Html => {
  const most = Math.max(...stages.flatMap(({ end, expected, planned }) => [expected, planned, end?.high ?? 0]), 1)
  return drawing("Funnel so far and at the end, on a logarithmic scale", stages.map(flightRow), most)
}
