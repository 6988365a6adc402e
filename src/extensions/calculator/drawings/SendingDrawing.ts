import { brief, clients, counted, figure, people, range } from "../../../text/Figures.ts"
import { nice, ticks } from "d3-array"
import type { ProgressAnswer } from "../../progress/ProgressAnswer.ts"
import { type Html, html } from "../../../text/html.ts"
import { bar, dot, label, linear } from "./Svg.ts"
import { across, type Point, pointedDrawing, tipHeight } from "../../../site/pointedDrawing.ts"

const top = 40
const bottom = 180
/** Half the width of a bar, in percent of the drawing. */
const half = 5

const inBrief = (count: number): string => brief(count < 100 ? Math.round(count * 10) / 10 : Math.round(count))

const described = ({ end }: ProgressAnswer, planned: number): string =>
  `Clients at the end against emails still to send. ${clients(end.clients.so_far)} so far, ${people(planned)} planned`

/**
 * Clients at the end by the number of emails still to be sent, on linear scales, from stopping now at the left edge to
 * sending all of them: a bar is filled up to the current clients and hatched up to the expected end, with the range
 * over it.
 */
export const sendingDrawing = (answer: ProgressAnswer, planned: number): Html => {
  const { end, if_you_send: sendings } = answer
  const soFar = end.clients.so_far
  const last = sendings.at(-1)?.emails ?? 0
  // The bars have room for their half widths, and the numbers of the axis at the right.
  const x = linear(-0.08 * last, 1.22 * last)
  const most = Math.max(planned, ...sendings.map(({ high }) => high), 1)
  const [, highest] = nice(0, most, 3)
  const y = linear(0, highest, bottom, top)
  const counts = ticks(0, highest, 3)
  const column = ({ emails, expected, high, low }: (typeof sendings)[number]): Point => {
    const middle = x(emails)
    const part = (kind: string, from: number, to: number) =>
      bar(kind, middle - half, middle + half, y(to), y(from) - y(to))
    const mark = (count: number) => bar("range", middle - 1.8, middle + 1.8, y(count) - 1, 2)
    return {
      area: { from: middle - half * 1.5, to: middle + half * 1.5, top: 0, height: bottom + 24 },
      content: [
        part("gain", 0, soFar),
        part("hatched", soFar, expected),
        ...(low === high
          ? []
          : [
              html`<line class="range-end" x1="${across(middle)}" x2="${across(middle)}" y1="${y(high)}" y2="${y(low)}"/>`,
              mark(low),
              mark(high)
            ]),
        dot(middle, y(expected), 4),
        label("strong over", middle, y(Math.max(high, expected)) - 7, inBrief(expected), "middle"),
        label("tick", middle, bottom + 18, emails === 0 ? "stop" : brief(emails), "middle")
      ],
      lines: [
        emails === 0 ? "Stop now" : counted(emails, "more email"),
        `${people(expected)} clients on average; ${range(low, high, people)}`
      ]
    }
  }
  return pointedDrawing(bottom + 26 + tipHeight, described(answer, planned), {
    below: [
      ...counts.map((count) => html`<line class="grid" x1="0" x2="100%" y1="${y(count)}" y2="${y(count)}"/>`),
      label("tick", 50, bottom + 36, "more emails")
    ],
    points: sendings.map(column),
    above: [
      html`<line class="threshold" x1="0" x2="100%" y1="${y(planned)}" y2="${y(planned)}"/>`,
      ...counts.map(
        (count) => html`<text class="tick over" x="100%" y="${y(count) - 4}" text-anchor="end">${figure(count)}</text>`
      )
    ],
    tipTop: bottom + 26
  })
}
