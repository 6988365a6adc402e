import { brief, clientRange, clients, figure, people, range, shortPeople } from "../../../text/Figures.ts"
import { ticks as ticksOf } from "d3-array"
import { amountsOf } from "../Amounts.ts"
import type { Calculation } from "../Calculation.ts"
import { type Bin, widthOfBins } from "../ClientDistribution.ts"
import { ofHundred as inWords, shortOfHundred } from "../../../forecast/Words.ts"
import { moneyOf } from "../../../forecast/outlook/CampaignOutlook.ts"
import type { Outlook } from "../../../forecast/outlook/Outlook.ts"
import { type Html, html } from "../../../text/html.ts"
import { bar, dot, down, label, legend, linear, widthOf } from "./Svg.ts"
import { across, type Point, pointedDrawing, tipHeight } from "../../../site/pointedDrawing.ts"

/** The data of a distribution drawing. */
type Drawn = Pick<Calculation, "distribution" | "forecast" | "input">

const top = 26
/** The height below the bars: two rows of numbers, the strip of the range, and its text. */
const below = 82
/** The relative width of the small digits below the bars on a phone. */
const small = 0.92

/** The number of 100, without its unit. */
const countOf = (chance: number): string => shortOfHundred(chance).replace(" of 100", "").replace(" ", "")

const isLoss = ({ from, to = from }: Bin, { clients_to_break_even: needed }: Outlook): boolean =>
  needed !== null && (from + to) / 2 < needed

const isOutside = ({ from, to = from }: Bin, { clients: { high, low } }: Outlook): boolean =>
  (from + to) / 2 < low || (from + to) / 2 > high

/** From this number on, clients are written in short form, so that a phone has room for their range. */
const manyClients = 100_000

/** The range of the number of clients, and the chance to end within it. */
const rangeText = ({ clients }: Outlook): string =>
  `${clientRange(clients, clients.high < manyClients ? undefined : brief)} in ${inWords(clients.chance_within)} campaigns`

const described = (outlook: Outlook): string => {
  const { clients_to_break_even: needed } = outlook
  return [
    "How many clients such campaigns bring",
    rangeText(outlook),
    ...(needed === null ? [] : [`Break-even: ${clients(needed)}`]),
    `Average: ${people(outlook.clients.expected)}`
  ].join(". ")
}

/** The legend of the colours in a distribution. */
export const distributionLegend = ({ distribution, forecast: { outlook } }: Drawn): Html =>
  legend([
    ...(outlook.chance_alone === null ? ([["gain", "rates exactly as given"]] as const) : []),
    ...(distribution.some((bin) => isLoss(bin, outlook)) ? ([["loss", "below break-even"]] as const) : []),
    ["dot", `average, ${shortPeople(outlook.clients.expected)}`]
  ])

/** The text of a bar: its chance and its profit. */
const linesOf = (bin: Bin, { first: { assumptions }, values }: Calculation["input"]): Point["lines"] => {
  const { chance, from, to } = bin
  const many =
    to === undefined
      ? `${people(from)} or more clients`
      : from === to
        ? clients(from)
        : `${range(from, to, people)} clients`
  const { profit } = moneyOf(assumptions, { low: from, median: from, high: to ?? from })
  const earned =
    profit === null
      ? []
      : [`profit ${range(profit.low, profit.high, amountsOf(values).briefMoney)}${to === undefined ? " or more" : ""}`]
  return [`${many}: ${shortOfHundred(chance)}`, ...earned]
}

/** The least width of a drawing in a two-column layout, relative to that on a phone. */
const wider = 1.7

/** The numbers below the bars: in full if they fit, otherwise the first of each, at as many bars as possible. */
const namesOf = (bins: ReadonlyArray<Bin>) => {
  const room = 100 / bins.length
  const fits = (names: ReadonlyArray<string>, width: number) =>
    Math.max(...names.map((name) => widthOf(name) * small)) <= width
  const last = ({ from }: Bin) => `${brief(from)}+`
  const labels = (end: (to: number) => string) =>
    bins.map((bin) =>
      bin.to === undefined ? last(bin) : bin.from === bin.to ? brief(bin.from) : `${brief(bin.from)}${end(bin.to)}`
    )
  const full = labels((to) => `–${brief(to)}`)
  const lowerBounds = labels(() => "…")
  const every = [1, 2, 3, 4, 5].find((each) => fits(lowerBounds, room * each)) ?? 6
  const few = lowerBounds.map((name, index) => (index % every === 0 ? name : ""))
  return { narrow: fits(full, room) ? full : few, wide: fits(full, room * wider) ? full : few }
}

/** The label below a bar; one for all screens if it is the same on all. */
const nameOf = (at: number, y: number, narrow: string, wide: string): ReadonlyArray<Html> =>
  narrow === wide
    ? [label("strong small", at, y, wide, "middle")]
    : [
        label("strong small narrow-only", at, y, narrow, "middle"),
        label("strong small wide-only", at, y, wide, "middle")
      ]

/**
 * The distribution of the number of clients: a bar for each number, or for the numbers below it, with its number of 100
 * campaigns. Bars that do not cover the cost are hatched, those outside the range are hollow. The range is below the
 * bars.
 */
export const distributionDrawing = (
  { distribution: bins, forecast: { outlook }, input }: Drawn,
  height = 336
): Html => {
  const { clients: stage, clients_to_break_even: needed } = outlook
  const bottom = height - below
  const strip = bottom + 46
  const width = widthOfBins(bins)
  const first = bins[0]?.from ?? 0
  // A first bin of fewer numbers has the room of the others.
  const start = (bins[1]?.from ?? first + width) - width
  const end = start + bins.length * width
  // A number of clients takes the room from half below it to half above it.
  const x = linear(start - 0.5, end - 0.5)
  const room = 100 / bins.length
  const most = Math.max(...bins.map(({ chance }) => chance), 1e-9)
  const y = linear(0, most * 103, bottom, top)
  const ticks = ticksOf(0, most * 103, bottom - top < 80 ? 1 : 3).filter((count) => count > 0)
  // A bar is never wider than a quarter of the drawing.
  const share = Math.min(0.8, bins.length / 4)
  const names = namesOf(bins)
  const column = (kind: string, index: number, chance: number, part: number): Html => {
    const tall = Math.max(bottom - y(chance * 100), chance > 0.0005 ? 1 : 0)
    return html`<rect class="${kind}" x="${across(index * room + (room * (1 - part)) / 2)}" y="${Math.round((bottom - tall) * 10) / 10}" width="${across(room * part)}" height="${Math.round(tall * 10) / 10}" rx="2"/>`
  }
  const point = (bin: Bin, index: number): Point => {
    const kind = isLoss(bin, outlook) ? "loss" : isOutside(bin, outlook) ? "outside" : "gain"
    const middle = (index + 0.5) * room
    return {
      area: { from: index * room, to: (index + 1) * room, top: 0, height: bottom + 40 },
      content: [
        column(kind, index, bin.chance, share),
        ...nameOf(middle, bottom + 19, names.narrow[index] ?? "", names.wide[index] ?? ""),
        label("soft small", middle, bottom + 35, countOf(bin.chance), "middle")
      ],
      lines: linesOf(bin, input)
    }
  }
  const { high, low } = stage
  const threshold = needed === null ? undefined : x(needed - 0.5)
  const isThresholdShown = threshold !== undefined && threshold > 0 && threshold <= 100
  const isLeft = threshold !== undefined && threshold < 50
  return pointedDrawing(height, described(outlook), {
    below: [
      ...ticks.map((count) => html`<line class="grid" x1="0" x2="100%" y1="${y(count)}" y2="${y(count)}"/>`),
      bar("strip gain", low <= first ? 0 : x(low - 0.5), x(Math.min(high, end - 1) + 0.5), strip, 8),
      label("strong", 0, strip + 26, rangeText(outlook), "start")
    ],
    points: bins.map(point),
    stop: Math.max(
      bins.findLastIndex(({ from }) => from <= stage.median),
      0
    ),
    above: [
      html`<line class="axis" x1="0" x2="100%" y1="${bottom}" y2="${bottom}"/>`,
      ...ticks.map(
        (count, index) =>
          html`<text class="tick over" x="100%" y="${y(count) - 4}" text-anchor="end">${`${figure(count)}${index === ticks.length - 1 ? " of 100" : ""}`}</text>`
      ),
      ...(isThresholdShown
        ? [
            down("threshold", threshold, 0, bottom + 40),
            label(
              "strong over",
              threshold + (isLeft ? 1 : -1),
              12,
              `break-even: ${clients(needed ?? 0)}`,
              isLeft ? "start" : "end"
            )
          ]
        : []),
      ...(stage.expected > start - 0.5 ? [dot(x(stage.expected), bottom)] : [])
    ],
    tipTop: height - tipHeight
  })
}
