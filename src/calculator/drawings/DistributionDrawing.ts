import { scaleLinear } from "d3-scale"
import type { Outlook } from "../../forecast/outlook/Outlook.ts"
import { type Html, html } from "../../text/html.ts"
import type { Bin } from "../ClientDistribution.ts"
import { ofHundred as inWords } from "../../forecast/Words.ts"
import { figure, people } from "../../text/Figures.ts"
import { brief, clients, range } from "../pageFigures.ts"
import { across, bar, down, drawing, label, linear, widthOf } from "./Svg.ts"

const top = 40
const bottom = 180
/** The top of the strip that shows the range. */
const strip = bottom + 28

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

/** The range of the number of clients, and how often such campaigns end within it. */
const rangeOf = ({ clients: { chance_within: chance, high, low } }: Outlook): string =>
  `${range(low, high, people)} client${high === 1 ? "" : "s"} in ${inWords(chance)} campaigns`

const aloneOf = ({ high, low }: NonNullable<Outlook["chance_alone"]>["clients"]): string => range(low, high, brief)

const described = (bins: ReadonlyArray<Bin>, outlook: Outlook): string => {
  const { chance_alone: alone, clients_to_break_even: needed } = outlook
  const often = bins
    .filter(({ chance }) => chance >= 0.005)
    .map(({ chance, from, to }) => `${range(from, to, people)}: ${ofHundred(chance)} of 100`)
  return [
    "How many clients such campaigns bring",
    rangeOf(outlook),
    ...(alone === null ? [] : [`by chance alone ${aloneOf(alone.clients)}`]),
    ...(needed === null ? [] : [`the cost is covered from ${clients(needed)} on`]),
    often.join(", ")
  ].join(". ")
}

/** The colours of a distribution, as far as it has them. */
export const distributionLegend = (bins: ReadonlyArray<Bin>, outlook: Outlook): Html => {
  const { chance_alone: alone, clients_to_break_even: needed } = outlook
  const isLossShown = needed !== null && bins.some(({ from, to }) => (from + to) / 2 < needed)
  return html`<p class="legend"><span><span class="swatch gain"></span> ${alone === null ? "rates exactly as given" : "as campaigns vary"}</span>${
    alone === null ? html`` : html` <span><span class="swatch alone"></span> chance alone</span>`
  }${isLossShown ? html` <span><span class="swatch loss"></span> does not cover its cost</span>` : html``}</p>`
}

/**
 * How often such campaigns bring how many clients: a bar for each number, or for as many numbers as its label says, on
 * linear scales from 0. What does not cover the cost has another colour, what is outside of the range is paler; the dark
 * line inside a bar is what would be left of it if every rate were exactly as expected. The range itself lies below.
 */
export const distributionDrawing = (bins: ReadonlyArray<Bin>, outlook: Outlook): Html => {
  const { chance_alone: chanceAlone, clients: stage, clients_to_break_even: needed } = outlook
  const first = bins[0]?.from ?? 0
  const width = bins[0] === undefined ? 1 : bins[0].to - bins[0].from + 1
  const end = first + bins.length * width
  // A number of clients has the room from half below it to half above it.
  const x = linear(first - 0.5, end - 0.5)
  const most = Math.max(...bins.flatMap(({ alone = 0, chance }) => [alone, chance]), 1e-9)
  const y = scaleLinear([0, most * 100], [bottom, top]).nice(3)
  // The share of its room that a bar leaves free: few bars do not get wider than a quarter of the drawing.
  const gap = Math.max(bins.length > 24 ? 0.12 : 0.3, 1 - bins.length / 4)
  const threshold = needed === null ? undefined : x(needed - 0.5)
  const isThresholdShown = threshold !== undefined && threshold > 0 && threshold <= 100
  const nameOf = ({ from, to }: Bin) => (width === 1 ? brief(from) : range(from, to, brief))
  const every = namedEvery(bins)
  const column = (kind: string, bin: Bin, chance: number, share: number): Html => {
    const room = x(bin.to + 0.5) - x(bin.from - 0.5)
    const height = Math.max(bottom - y(chance * 100), chance > 0.0005 ? 1 : 0)
    return html`<rect class="${kind}" x="${across(x(bin.from - 0.5) + (room * (1 - share)) / 2)}" y="${Math.round((bottom - height) * 10) / 10}" width="${across(room * share)}" height="${Math.round(height * 10) / 10}"><title>${nameOf(bin)}: ${ofHundred(bin.chance)} of 100${bin.alone === undefined ? "" : `, by chance alone ${ofHundred(bin.alone)}`}</title></rect>`
  }
  const span = (kind: string, { high, low }: { readonly low: number; readonly high: number }, inset: number): Html =>
    bar(kind, x(Math.max(low, first) - 0.5), x(Math.min(high, end - 1) + 0.5), strip + inset, 20 - 2 * inset)
  const alone = chanceAlone?.clients
  const middle = alone === undefined ? 0 : x((Math.max(alone.low, first) + Math.min(alone.high, end - 1)) / 2)
  const hasRoom = alone !== undefined && x(alone.high + 0.5) - x(alone.low - 0.5) > widthOf(aloneOf(alone))
  return drawing(strip + 40, described(bins, outlook), [
    ...y.ticks(3).map((count) => html`<line class="grid" x1="0" x2="100%" y1="${y(count)}" y2="${y(count)}"/>`),
    ...bins.map((bin) => column(kindOf(bin, outlook), bin, bin.chance, 1 - gap)),
    ...bins.flatMap((bin) =>
      bin.alone === undefined
        ? []
        : [column(kindOf(bin, outlook).startsWith("loss") ? "alone deep" : "alone", bin, bin.alone, (1 - gap) / 4)]
    ),
    ...y
      .ticks(3)
      .flatMap((count) =>
        count === 0
          ? []
          : [
              html`<text class="tick over" x="100%" y="${y(count) - 4}" text-anchor="end">${`${figure(count)} of 100`}</text>`
            ]
      ),
    ...(isThresholdShown
      ? [down("threshold", threshold, 16, bottom), label("strong", threshold, 11, "break-even")]
      : []),
    ...bins.flatMap(({ from }, index) =>
      index % every === 0
        ? [
            label(
              "tick",
              x(width === 1 ? from : from - 0.5),
              bottom + 18,
              brief(from),
              width === 1 ? "middle" : index === 0 ? "start" : "middle"
            )
          ]
        : []
    ),
    span("strip gain", stage, 0),
    ...(alone === undefined ? [] : [span("strip alone", alone, 3)]),
    ...(hasRoom ? [label("on", middle, strip + 15, aloneOf(alone), "middle")] : []),
    label("strong", 0, strip + 36, rangeOf(outlook), "start"),
    ...(width === 1 ? [] : [label("tick", 100, bottom + 18, "clients", "end")])
  ])
}
