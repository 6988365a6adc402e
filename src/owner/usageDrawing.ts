import { DateTime } from "effect"
import type { MonthlyRequests } from "../credits/Balance.ts"
import { integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"

/** The most months in the drawing. */
const maxMonths = 12

const shortMonth = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" })

/** The month before a UTC month, like 2026-11. */
const before = (month: string): string => {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, "0")}`
}

/** A month for people: `Nov 2026`. */
const nameOf = (month: string) => shortMonth.format(DateTime.makeUnsafe(`${month}-01T00:00:00Z`).epochMilliseconds)

/**
 * The forecasts of each month from the current one back to the first with any, without a gap: at most 12, newest first.
 * `months` are those with forecasts, newest first.
 */
export const recentMonths = (
  months: ReadonlyArray<MonthlyRequests>,
  current: string
): ReadonlyArray<MonthlyRequests> => {
  const counted = new Map(months.map(({ month, requests }) => [month, requests]))
  const first = months.at(-1)?.month ?? current
  const recent: Array<MonthlyRequests> = []
  for (
    let month = current;
    recent.length < maxMonths && (month >= first || recent.length === 0);
    month = before(month)
  ) {
    recent.push({ month, requests: counted.get(month) ?? 0 })
  }
  return recent
}

const rowHeight = 30
const barStart = 88
const barWidth = 150

/** Forecasts by month as SVG: a bar for each month on a linear scale from 0, with its number. The label says the same. */
export const usageDrawing = (months: ReadonlyArray<MonthlyRequests>): Html => {
  const most = Math.max(1, ...months.map(({ requests }) => requests))
  const described = months.map(({ month, requests }) => `${nameOf(month)}: ${integer(requests)}`).join(", ")
  return html`<svg class="months" viewBox="0 0 320 ${months.length * rowHeight}" role="img" aria-label="Forecasts by month. ${described}">
${months.map(({ month, requests }, row) => {
  const width = Math.max(requests === 0 ? 0 : 1, (requests / most) * barWidth)
  return html`<text x="0" y="${row * rowHeight + 20}">${nameOf(month)}</text>
<rect x="${barStart}" y="${row * rowHeight + 5}" width="${width.toFixed(1)}" height="20" rx="4"/>
<text x="${(barStart + (width === 0 ? 0 : width + 8)).toFixed(1)}" y="${row * rowHeight + 20}">${integer(requests)}</text>
`
})}</svg>`
}
