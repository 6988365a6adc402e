import { ofHundred } from "../../forecast/Words.ts"
import { people } from "../../text/Figures.ts"
import type { Html } from "../../text/html.ts"
import { bar, dot, down, label, logarithmic, logTicks, type Point, pointedDrawing, tipHeight } from "./Svg.ts"
import { brief, range } from "../pageFigures.ts"

/** A stage of a campaign in flight: its current, expected and planned count. */
export interface FlightStage {
  readonly name: string
  readonly soFar: number
  readonly expected: number
  readonly planned: number
  /** The range at the end; emails have none. */
  readonly end?: { readonly low: number; readonly high: number; readonly chance_within: number }
}

const rowHeight = 62

const row = (
  { end, expected, name, planned, soFar }: FlightStage,
  top: number,
  x: (count: number) => number
): Point => {
  const within = end === undefined ? "" : `; ${range(end.low, end.high, brief)} in ${ofHundred(end.chance_within)}`
  return {
    area: { from: 0, to: 100, top, height: rowHeight - 2 },
    content: [
      label("strong over", 0, top + 15, name, "start"),
      label("strong over", 100, top + 15, `${people(soFar)} of ${people(expected)}`, "end"),
      bar("gain", 0, x(soFar), top + 22, 16),
      bar("hatched", x(soFar), x(expected), top + 22, 16),
      ...(end === undefined || x(end.high) - x(end.low) < 0.4
        ? []
        : [
            bar("range", x(end.low), x(end.high), top + 29, 2),
            down("range-end", x(end.low), top + 25, top + 35),
            down("range-end", x(end.high), top + 25, top + 35)
          ]),
      down("threshold", x(planned), top + 19, top + 41),
      ...(end === undefined ? [] : [dot(x(expected), top + 22, 4)]),
      label("soft over", 0, top + 54, `planned ${people(planned)}`, "start"),
      ...(end === undefined ? [] : [label("soft over", 100, top + 54, range(end.low, end.high, people), "end")])
    ],
    lines: [`${name}: ${people(soFar)} so far, ${brief(planned)} planned`, `${people(expected)} at the end${within}`]
  }
}

/**
 * The funnel of a campaign in flight on a logarithmic scale: each bar is filled to today's count and hatched to the
 * expected end, with its range over it and the plan as a dashed line.
 */
export const flightFunnelDrawing = (stages: ReadonlyArray<FlightStage>): Html => {
  const most = Math.max(...stages.flatMap(({ end, expected, planned }) => [expected, planned, end?.high ?? 0]), 1)
  const x = logarithmic(most)
  const bottom = stages.length * rowHeight
  const { labels, lines } = logTicks(most, x, bottom)
  return pointedDrawing(bottom + 4 + tipHeight, "Funnel so far and at the end, on a logarithmic scale", {
    below: [...lines, ...labels],
    points: stages.map((stage, index) => row(stage, index * rowHeight, x)),
    tipTop: bottom + 4
  })
}
