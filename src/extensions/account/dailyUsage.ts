import type { DailyRequests } from "../../credits/LedgerEntry.ts"
import type { SubKeyId } from "../../KeyStatus.ts"
import { across, pointedDrawing, tipHeight, tipHeightOf } from "../../site/pointedDrawing.ts"
import { counted, integer } from "../../text/Figures.ts"
import { html, type Html } from "../../text/html.ts"
import { dayLength, dayOf } from "../../text/Times.ts"

/** The number of days in the drawing. */
const drawnDays = 30

/** The number of sub-keys drawn separately; the others are added up. */
const separateSeries = 3

/** 1 January 1970 was a Thursday. */
const isMonday = (day: number) => (day / dayLength + 4) % 7 === 1

const dayName = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" })
const shortDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })

/** The forecasts of one series on each of the days, oldest first. */
interface Series {
  readonly name: string
  readonly requests: ReadonlyArray<number>
}

/** The usage of a key by day: the sub-keys with the most forecasts, then the others added up, then the key itself. */
export interface DailyUsage {
  /** The start of each day in milliseconds UTC, oldest first. */
  readonly days: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

/** The usage of the days up to `now`. */
export const dailyUsage = (rows: ReadonlyArray<DailyRequests>, now: number): DailyUsage => {
  const today = Math.floor(now / dayLength) * dayLength
  const days = Array.from({ length: drawnDays }, (_, index) => today - (drawnDays - 1 - index) * dayLength)
  const position = new Map(days.map((day, index) => [dayOf(day), index]))
  const byId = new Map<SubKeyId | undefined, { readonly name: string | undefined; readonly requests: Array<number> }>()
  for (const { day, requests, subKey: name, subKeyId } of rows) {
    const index = position.get(day)
    if (index === undefined) continue
    const found = byId.get(subKeyId) ?? { name, requests: days.map(() => 0) }
    found.requests[index] = (found.requests[index] ?? 0) + requests
    byId.set(subKeyId, found)
  }
  const itself = byId.get(undefined)
  const subKeys = [...byId.values()]
    .flatMap(({ name, requests }) => (name === undefined ? [] : [{ name, requests }]))
    .toSorted((a, b) => sum(b.requests) - sum(a.requests))
  const others = subKeys.slice(separateSeries)
  return {
    days,
    series: [
      ...subKeys.slice(0, separateSeries),
      ...(others.length === 0
        ? []
        : [
            {
              name: counted(others.length, "other sub-key"),
              requests: days.map((_, index) => sum(others.map(({ requests }) => requests[index] ?? 0)))
            }
          ]),
      ...(itself === undefined ? [] : [{ name: "The key itself", requests: itself.requests }])
    ]
  }
}

/** The average number of forecasts per day in the last seven days. */
export const dailyPace = ({ series }: DailyUsage): number =>
  sum(series.flatMap(({ requests }) => requests.slice(-7))) / 7

const chartHeight = 180

/** The top of the scale: the smallest round number, easily halved, that is not below the given one. */
const roundUp = (most: number): number => {
  const power = 10 ** Math.max(Math.floor(Math.log10(most)) - 1, 0)
  return [4, 6, 8, 10, 12, 16, 20, 30, 40, 60, 80, 100].map((step) => step * power).find((step) => step >= most) ?? most
}

/** The stripes of every second series. */
const stripes = (series: number, angle: number) =>
  html`<pattern id="series-${series}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})"><rect class="ground" width="6" height="6"/><rect class="stripe" width="2" height="6"/></pattern>`

/** The most characters of a sub-key's name that are shown below the bars. */
const maxOfName = 28

const shortened = (name: string) => (name.length > maxOfName ? `${name.slice(0, maxOfName - 1)}…` : name)

/**
 * The usage by day as bars on a linear scale from 0, stacked by sub-key. Below them are the numbers of the last day, or
 * of the one under the pointer or in focus. Empty if there is none.
 */
export const dailyDrawing = ({ days, series }: DailyUsage): Html => {
  const totals = days.map((_, index) => sum(series.map(({ requests }) => requests[index] ?? 0)))
  const most = Math.max(...totals)
  if (most === 0) return html`<p>None in the last ${drawnDays} days.</p>`
  const top = roundUp(most)
  const legend =
    series.length === 1
      ? html``
      : html`<figcaption class="legend">${series.map(
          ({ name }, index) => html`<span><i class="other-${index + 1}"></i>${name}</span>`
        )}</figcaption>`
  const width = 100 / days.length
  const points = days.map((day, index) => {
    let y = chartHeight
    const content = series.map(({ requests }, at) => {
      const height = ((requests[index] ?? 0) / top) * (chartHeight - 10)
      y -= height
      return height === 0
        ? html``
        : html`<rect class="other-${at + 1}" x="${across(index * width + 0.3)}" y="${y.toFixed(1)}" width="${across(width - 0.6)}" height="${Math.max(1, height - 1).toFixed(1)}"/>`
    })
    const shares = series.flatMap(({ name, requests }) => {
      const count = requests[index] ?? 0
      return count > 0 ? [`${shortened(name)} ${integer(count)}`] : []
    })
    const total = `${dayName.format(day)}: ${counted(totals[index] ?? 0, "forecast")}`
    return {
      area: { from: index * width, to: (index + 1) * width, top: 0, height: chartHeight },
      content,
      lines: [total, ...(series.length > 1 ? shares : [])]
    }
  })
  const scale = [
    [10, top],
    [(chartHeight + 10) / 2, top / 2]
  ] as const
  const labels = days.flatMap((day, index) =>
    isMonday(day) && index < days.length - 3
      ? html`<text x="${across(index * width)}" y="${chartHeight + 18}">${shortDay.format(day)}</text>`
      : []
  )
  const tipTop = chartHeight + 28
  const height = tipTop + Math.max(tipHeight, ...points.map(({ lines }) => tipHeightOf(lines.length)))
  const first = dayName.format(days[0] ?? 0)
  const last = dayName.format(days.at(-1) ?? 0)
  const described = `Forecasts by day, ${first} to ${last}: ${integer(sum(totals))}, at most ${integer(most)} on a day`
  return html`<figure class="days">${legend}
${pointedDrawing(height, described, {
  below: [
    html`<defs>${stripes(2, -45)}${stripes(4, 45)}</defs>`,
    ...scale.map(
      ([y, value]) =>
        html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text x="100%" dx="6" y="${y + 4}">${integer(value)}</text>`
    ),
    ...labels
  ],
  points,
  above: [html`<line class="axis" x1="0" x2="100%" y1="${chartHeight}" y2="${chartHeight}"/>`],
  stop: days.length - 1,
  tipTop
})}</figure>`
}
