import type { UsageByMonth, MonthlyRequests } from "../../credits/Balance.ts"
import { integer } from "../../text/Figures.ts"
import { html, type Html } from "../../text/html.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import type { Order } from "../../orders/Order.ts"
import type { CreditPack } from "../../settings/CreditPack.ts"
import type { Ordering } from "../../settings/Ordering.ts"
import { type KeyForms, keyLabels, emailsSection, endSection, packForm } from "./KeyFormPages.ts"
import { dailyDrawing, dailyPace, type DailyUsage } from "./dailyUsage.ts"
import { ledgerSection, type LedgerView } from "./keyLedger.ts"
import { emptyForm, errorSummary, fieldErrors, type FormState, formTitle } from "../../site/form.ts"
import { page } from "../../site/layout.ts"
import type { SubKey } from "../../keys/SubKey.ts"
import { subKeysSection } from "./SubKeyPages.ts"
import { stateName } from "../../orders/OrdersPages.ts"
import { forPrice, timeOfPayment } from "../../orders/paymentInstructions.ts"
import { dayLength, showShortDate } from "../../text/Times.ts"
import { DateTime } from "effect"

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

/** Forecasts by month as SVG: a bar for each month on a linear scale, with its number. The label says the same. */
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

/** The longest projection, in days, from the pace of a week. */
const longestProjection = 365

const dayName = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" })

const shownPace = (pace: number) => (pace < 10 ? String(Math.round(pace * 10) / 10) : integer(Math.round(pace)))

/** A sentence about the time that a balance lasts at a pace of forecasts per day. */
export const timeLeftSentence = (remaining: number, pace: number, now: number): string => {
  if (remaining === 0) return "Forecasts are refused until you add credits."
  if (pace === 0) return "There was no forecast in the last 7 days."
  const days = Math.floor(remaining / pace)
  const start = `At ${shownPace(pace)} a day, the pace of the last 7 days, they last`
  return days > longestProjection
    ? `${start} more than a year.`
    : `${start} ${days === 0 ? "less than a day" : `until ${dayName.format(now + days * dayLength)}`}.`
}

/** The remaining credits, and how long they last. */
const balanceCard = (options: {
  readonly usage: UsageByMonth
  readonly pace: number
  readonly now: number
  readonly prefix: string
  readonly isSold: boolean
}): Html => {
  const { isSold, now, pace, prefix, usage } = options
  const { granted, remaining } = usage.balance
  return html`<section class="card balance" aria-labelledby="balance">
<div><h2 id="balance">Credits left</h2>
<p class="amount">${integer(remaining)}</p>
<p>${timeLeftSentence(remaining, pace, now)}</p></div>
<div>${isSold ? html`<p><a class="button" href="#buy">Buy credits</a></p>` : html``}
<p class="soft">${integer(granted)} added so far. API key <code>${prefix}…</code></p></div>
</section>`
}

/** The most orders on the page of a key. */
export const maxOrders = 10

const orderRow = (order: Order, ordering: Ordering): Html => {
  const path = `/key/orders/${order.id}`
  return html`<tr><td data-title="When">${showShortDate(order.createdAt)}</td><td data-title="Order"><a href="${path}">${order.id}</a></td>
<td data-title="Credits" class="number">${integer(order.credits)}${forPrice(order, ordering)}</td>
<td data-title="State"><span>${stateName(order, ordering)}${order.state === "awaiting_payment" ? html`: <a href="${path}">what to do</a>` : timeOfPayment(order) === undefined ? html`` : html`: <a href="${path}">receipt</a>`}</span></td></tr>
`
}

/** The orders of a key, newest first; empty if there are none. */
const ordersSection = (orders: ReadonlyArray<Order>, ordering: Ordering): Html =>
  orders.length === 0
    ? html``
    : html`<section aria-labelledby="orders">
<h2 id="orders">Your orders</h2>
<table class="amounts" aria-labelledby="orders">
<thead><tr><th scope="col">When (UTC)</th><th scope="col">Order</th><th scope="col" class="number">Credits</th>
<th scope="col">State</th></tr></thead>
<tbody>${orders.slice(0, maxOrders).map((order) => orderRow(order, ordering))}</tbody></table>
${orders.length > maxOrders ? html`<p class="soft">The last ${maxOrders} are shown.</p>` : html``}
</section>`

const label = "The API key"

/** `/key` before signing in: the form for the API key. The typed key is never shown again. */
export const signInPage = (state: FormState = emptyForm, status = 200, url?: string) => {
  const { attributes, text } = fieldErrors("api_key", label, state, "api_key-help")
  return page(
    formTitle("Your key", state),
    html`${errorSummary(state, { api_key: label })}
<h1>Your key</h1>
<p class="lead">See the usage and the remaining credits of your API key, buy credits, replace the key, or revoke it.</p>
<form method="post" action="/key" novalidate>
<label for="api_key">API key</label>
<p class="help" id="api_key-help">It starts with <code>ofk_</code>. You stay signed in for 30 minutes, in this browser only.</p>
<input id="api_key" name="api_key" type="password" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" required${attributes}>
${text}
<button type="submit">Sign in</button>
</form>
<p>No key yet, or lost it? <a href="/#access">We email you one</a>.</p>`,
    status,
    {
      section: "/key",
      description: "Sign in with your API key to see its credits and usage, buy credits, or replace the key.",
      ...(url === undefined ? {} : { url })
    }
  )
}

/** The content of the page of a key. */
interface KeyView {
  readonly key: ApiKey
  readonly usage: UsageByMonth
  readonly days: DailyUsage
  readonly subKeys: ReadonlyArray<SubKey>
  readonly ledger: LedgerView
  /** The newest orders of the key, with one extra if there are more than are shown. */
  readonly orders: ReadonlyArray<Order>
  readonly packs: ReadonlyArray<CreditPack>
  readonly ordering: Ordering
  /** True if the owner gets emails about low credits. */
  readonly hasNotices: boolean
  /** Ensures that a form that is sent twice acts once. */
  readonly formKey: string
  /** In milliseconds UTC. */
  readonly now: number
}

/** `/key` when signed in, with the most frequent reasons for a visit first. */
export const keyPage = (
  { days, formKey, hasNotices, key, ledger, now, orders, packs, ordering, subKeys, usage }: KeyView,
  {
    state = emptyForm,
    status = 200,
    url
  }: { readonly state?: FormState; readonly status?: number; readonly url?: string } = {}
) => {
  const { month, months } = usage
  const recent = recentMonths(months, month)
  const forms: KeyForms = { formKey, packs, prefix: key.secretPrefix, ordering, state }
  return page(
    formTitle("Your key", state),
    html`${errorSummary(state, keyLabels)}
<div class="split"><h1>Your key</h1>
<form method="post" action="/key/sign-out"><button type="submit" class="quiet">Sign out</button></form></div>
${balanceCard({ usage, pace: dailyPace(days), now, prefix: key.secretPrefix, isSold: ordering.isOpen && !key.isDemo })}
<section aria-labelledby="usage">
<h2 id="usage">Forecasts by day</h2>
<p class="soft">${integer(usage.requests)} this month. Days and months are in UTC.</p>
${dailyDrawing(days)}
${
  months.length === 0
    ? html``
    : html`<details class="fold"><summary>By month</summary>
${usageDrawing(recent)}
${(months.at(-1)?.month ?? "") < (recent.at(-1)?.month ?? "") ? html`<p class="soft">The last 12 months are shown.</p>` : html``}</details>`
}
</section>
${
  key.isDemo
    ? html`<p class="card">This is the demo key, which everyone shares. It cannot buy credits, and cannot be replaced or revoked.</p>`
    : html`${subKeysSection(subKeys)}
${packForm(forms)}`
}
${ordersSection(orders, ordering)}
${ledgerSection(ledger)}
${key.isDemo ? html`` : html`${emailsSection(hasNotices)}${endSection(forms)}`}`,
    status,
    { section: "/key", ...(url === undefined ? {} : { url }) }
  )
}
