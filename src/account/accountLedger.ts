import type { LedgerEntry, LedgerKind } from "../credits/Ledger.ts"
import { integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"
import { showShortDate } from "../text/Times.ts"

const signed = new Intl.NumberFormat("en-US", { signDisplay: "exceptZero" })

/** The names of the kinds of changes. */
export const kindNames: { readonly [kind in LedgerKind]: string } = {
  preview_grant: "Free credits",
  forecast: "Forecast",
  credit_pack: "Credit pack",
  adjustment: "Adjustment"
}

/** A page of the ledger. `older` is the path of the next page, if any. */
export interface LedgerView {
  readonly entries: ReadonlyArray<LedgerEntry>
  readonly isFirst: boolean
  readonly older: string | undefined
}

/** The reference of a change: a link to an order, the operator's own words, or the request of a forecast. */
const referenceOf = ({ kind, reference }: LedgerEntry): Html => {
  if (kind === "preview_grant") return html`came with the key`
  const [, about = "", name = reference] = /^(order|refund|adjustment):(.+)$/s.exec(reference) ?? []
  if (about === "" || about === "adjustment") return html`<code>${name}</code>`
  return html`<span>${about} <a href="/account/orders/${name}">${name}</a></span>`
}

const entryRow = (entry: LedgerEntry): Html =>
  html`<tr><td data-title="When">${showShortDate(entry.createdAt)}</td><td data-title="What">${kindNames[entry.kind]}</td>
<td data-title="Change" class="number">${signed.format(entry.delta)}</td><td data-title="Balance" class="number">${integer(entry.balanceAfter)}</td>
<td data-title="Reference">${referenceOf(entry)}</td></tr>
`

/** The ledger of a key, a page at a time. */
export const ledgerSection = ({ entries, isFirst, older }: LedgerView): Html => html`<section aria-labelledby="ledger">
<h2 id="ledger">Every change of your credits</h2>
${
  entries.length === 0
    ? html`<p>Nothing yet.</p>`
    : html`<table class="amounts" aria-labelledby="ledger">
<thead><tr><th scope="col">When (UTC)</th><th scope="col">What</th><th scope="col" class="number">Change</th>
<th scope="col" class="number">Balance</th><th scope="col">Reference</th></tr></thead>
<tbody>${entries.map(entryRow)}</tbody></table>`
}
<ul class="links">${isFirst ? html`` : html`<li><a href="/account#ledger">Newest entries</a></li>`}
${older === undefined ? html`` : html`<li><a href="${older}">Older entries</a></li>`}
<li><a href="/account/ledger.csv" download>Download all as CSV</a></li></ul>
</section>`
