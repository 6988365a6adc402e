import { keptUsageDays, type LedgerKind, type LedgerEntry } from "../../credits/LedgerEntry.ts"
import { type DayForecasts, type LedgerDay, type LedgerDays } from "../../credits/LedgerDays.ts"
import { counted, integer } from "../../text/Figures.ts"
import { html, type Html } from "../../text/html.ts"
import { showDay, showTime, startOfDay } from "../../text/Times.ts"

const signs = new Intl.NumberFormat("en-US", { signDisplay: "exceptZero" })

/** A change of credits with its sign. */
const signed = (change: number): string => signs.format(change).replace("-", "−")

/** The names of the kinds of changes. */
export const kindNames: { readonly [kind in LedgerKind]: string } = {
  preview_grant: "Free credits",
  forecast: "Forecast",
  credit_pack: "Credit pack",
  adjustment: "Adjustment"
}

/** Some days of the ledger. */
export interface LedgerView extends LedgerDays {
  readonly isFirst: boolean
}

/** The reference of a change other than a forecast: a link to an order, or the operator's own words. */
const referenceOf = ({ kind, reference }: LedgerEntry): Html => {
  if (kind === "preview_grant") return html``
  const [, about = "", name = reference] = /^(order|refund|adjustment):(.+)$/s.exec(reference) ?? []
  if (about === "" || about === "adjustment") return html` <code>${name}</code>`
  return html` ${about} <a href="/key/orders/${name}">${name}</a>`
}

const changeLine = (entry: LedgerEntry): Html =>
  html`<p class="fold split"><span>${kindNames[entry.kind]}${referenceOf(entry)}</span><span class="number">${signed(entry.delta)}</span></p>
`

const entryRow = ({ balanceAfter, createdAt, delta, reference }: LedgerEntry): Html =>
  html`<tr><td>${showTime(createdAt)}</td><td class="number">${signed(delta)}</td><td data-title="balance" class="number">${integer(balanceAfter)}</td><td><code>${reference}</code></td></tr>
`

const inCsv = html`<a href="/key/ledger.csv" download>the CSV file</a>`

/** States where the rest is if not all entries of a line are shown. */
const restOf = ({ entries, requests }: DayForecasts): Html => {
  const shown = entries.reduce((sum, { delta }) => sum - delta, 0)
  if (shown >= requests) return html``
  return entries.length === 0
    ? html`<p>Each of them is in ${inCsv}.</p>`
    : html`<p>The newest ${integer(entries.length)} are shown; all of them are in ${inCsv}.</p>`
}

/** The forecasts of a key or sub-key on a day, as a line that unfolds. */
const forecastsLine = (line: DayForecasts): Html =>
  html`<details class="fold"><summary><span class="split"><span>${line.subKey ?? "The key itself"}</span>
<span class="number"><span class="soft">${counted(line.requests, "forecast")}</span> ${signed(-line.requests)}</span></span></summary>
${
  line.entries.length === 0
    ? html``
    : html`<table class="entries">
<thead><tr><th scope="col">Time</th><th scope="col" class="number">Change</th><th scope="col" class="number">Balance</th><th scope="col">Reference</th></tr></thead>
<tbody>${line.entries.map(entryRow)}</tbody></table>`
}
${restOf(line)}</details>
`

const daySection = ({ changes, day, forecasts }: LedgerDay): Html => {
  const entries = [...changes, ...forecasts.flatMap(({ entries }) => entries)]
  const sum =
    changes.reduce((total, { delta }) => total + delta, 0) -
    forecasts.reduce((total, { requests }) => total + requests, 0)
  const last = entries.reduce<LedgerEntry | undefined>(
    (latest, entry) => (latest === undefined || entry.id > latest.id ? entry : latest),
    undefined
  )
  return html`<h3 class="split"><span>${showDay(startOfDay(day))}</span>
<span class="number">${signed(sum)}${last === undefined ? "" : ` · balance ${integer(last.balanceAfter)}`}</span></h3>
${changes.map(changeLine)}${forecasts
    .toSorted((a, b) => (a.subKey ?? "").localeCompare(b.subKey ?? "", "en"))
    .map(forecastsLine)}`
}

/** The ledger of a key by day and sub-key, some days at a time. */
export const ledgerSection = ({ days, isFirst, isMore }: LedgerView): Html => {
  const oldest = days.at(-1)
  return html`<section aria-labelledby="ledger" class="ledger">
<h2 id="ledger">Every change to your credits</h2>
<p class="soft">The last ${keptUsageDays} days by day and sub-key, in UTC. The CSV file has every single change.</p>
${days.length === 0 ? html`<p>Nothing${isFirst ? " yet" : " before that"}.</p>` : days.map(daySection)}
<ul class="links">${isFirst ? html`` : html`<li><a href="/key#ledger">Newest days</a></li>`}
${isMore && oldest !== undefined ? html`<li><a href="/key?before=${oldest.day}#ledger">Older days</a></li>` : html``}
<li><a href="/key/ledger.csv" download>Download all as CSV</a></li></ul>
</section>`
}
