import { scaleLinear } from "d3-scale"
import type { Outlook } from "../../forecast/outlook/Outlook.ts"
import { type Html, html } from "../../text/html.ts"
import type { Bin } from "../ClientDistribution.ts"
import { figure, people } from "../../text/Figures.ts"
import { brief, clients, range } from "../pageFigures.ts"
import { across, down, drawing, label, linear, widthOf } from "./Svg.ts"

const top = 40
const bottom = 180

/** How many of 100 campaigns, to as many digits as there is something to see. */
const ofHundred = (chance: number): string => {
  const count = chance * 100
  return figure(count >= 10 ? Math.round(count) : Math.round(count * 10) / 10)
}

/** Each how many bars the axis names one: few enough not to touch each other on a phone. */
const namedEvery = (bins: ReadonlyArray<Bin>): number => {
  const widest = Math.max(...bins.map(({ from }) => widthOf(`${brief(from)} `)), 1)
  return Math.ceil(bins.length / Math.floor(100 / widest))
}

const kindOf = ({ from, to }: Bin, { clients: { high, low }, clients_to_break_even: needed }: Outlook): string => {
  const middle = (from + to) / 2
  const result = needed !== null && middle < needed ? "loss" : "gain"
  return `${result}${middle >= low && middle <= high ? "" : " outside"}`
}

const described = (bins: ReadonlyArray<Bin>, outlook: Outlook): string => {
  const { clients: stage, clients_to_break_even: needed } = outlook
  const often = bins
    .filter(({ chance }) => chance >= 0.005)
    .map(({ chance, from, to }) => `${range(from, to, people)}: ${ofHundred(chance)} of 100`)
  return [
    "How many clients such campaigns bring",
    `80 % range: ${range(stage.low, stage.high, people)}`,
    ...(needed === null ? [] : [`the cost is covered from ${clients(needed)} on`]),
    often.join(", ")
  ].join(". ")
}

/**
 * How often such campaigns bring how many clients: a bar for each number, or for as many numbers as its label says, on
 * linear scales from 0. What does not cover the cost has another colour, what is outside of the 80 % range is paler.
 */
export const distributionDrawing = (bins: ReadonlyArray<Bin>, outlook: Outlook): Html => {
  const { clients_to_break_even: needed, clients: stage } = outlook
  const first = bins[0]?.from ?? 0
  const width = bins[0] === undefined ? 1 : bins[0].to - bins[0].from + 1
  const end = first + bins.length * width
  // A number of clients has the room from half below it to half above it.
  const x = linear(first - 0.5, end - 0.5)
  const most = Math.max(...bins.map(({ chance }) => chance), 1e-9)
  const y = scaleLinear([0, most * 100], [bottom, top]).nice(3)
  // The share of its room that a bar leaves free: few bars do not get wider than a quarter of the drawing.
  const gap = Math.max(bins.length > 24 ? 0.12 : 0.3, 1 - bins.length / 4)
  const threshold = needed === null ? undefined : x(needed - 0.5)
  const isThresholdShown = threshold !== undefined && threshold > 0 && threshold <= 100
  const nameOf = ({ from, to }: Bin) => (width === 1 ? brief(from) : range(from, to, brief))
  const step = width === 1 ? 1 : width
  const every = namedEvery(bins)
  return drawing(bottom + 46, described(bins, outlook), [
    ...y.ticks(3).map((count) => html`<line class="grid" x1="0" x2="100%" y1="${y(count)}" y2="${y(count)}"/>`),
    ...bins.map((bin) => {
      const from = x(bin.from - 0.5)
      const to = x(bin.to + 0.5)
      const height = Math.max(bottom - y(bin.chance * 100), bin.chance > 0.0005 ? 1 : 0)
      const inset = ((to - from) * gap) / 2
      return html`<rect class="${kindOf(bin, outlook)}" x="${across(from + inset)}" y="${Math.round((bottom - height) * 10) / 10}" width="${across(to - from - 2 * inset)}" height="${Math.round(height * 10) / 10}"><title>${nameOf(bin)}: ${ofHundred(bin.chance)} of 100</title></rect>`
    }),
    ...y
      .ticks(3)
      .flatMap((count) =>
        count === 0
          ? []
          : [
              html`<text class="tick over" x="100%" y="${y(count) - 4}" text-anchor="end">${`${figure(count)} of 100`}</text>`
            ]
      ),
    html`<rect class="bracket" x="${across(x(Math.max(stage.low, first) - 0.5))}" y="${bottom + 2}" width="${across(x(Math.min(stage.high, end - 1) + 0.5) - x(Math.max(stage.low, first) - 0.5))}" height="5"/>`,
    ...(isThresholdShown
      ? [down("threshold", threshold, 16, bottom), label("strong", threshold, 11, "break-even")]
      : []),
    ...bins.flatMap(({ from }, index) =>
      index % every === 0
        ? [
            label(
              "tick",
              x(width === 1 ? from : from - 0.5),
              bottom + 24,
              brief(from),
              width === 1 ? "middle" : index === 0 ? "start" : "middle"
            )
          ]
        : []
    ),
    label("tick", 50, bottom + 42, step === 1 ? "number of clients" : `number of clients, ${people(step)} to a bar`)
  ])
}
