import type { CurrentAccount } from "../../credits/Credits.ts"
import type { LedgerEntry, LedgerKind } from "../../credits/Ledger.ts"
import { integer } from "../../Figures.ts"
import { html, type Html } from "../../html.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import type { CreditPack } from "../../settings/CreditPack.ts"
import type { Sale } from "../../settings/Sale.ts"
import { type AccountForms, accountLabels, keyForms, packForm } from "./accountForms.ts"
import { emptyForm, errorSummary, type FormState, formTitle } from "./form.ts"
import { page } from "./layout.ts"
import { showShortDate } from "./showDate.ts"
import { recentMonths, usageDrawing } from "./usageDrawing.ts"

const signed = new Intl.NumberFormat("en-US", { signDisplay: "exceptZero" })

const kindNames: { readonly [kind in LedgerKind]: string } = {
  preview_grant: "Free credits",
  forecast: "Forecast",
  credit_pack: "Credit pack",
  adjustment: "Adjustment"
}

/** A page of the ledger. `older` is the path of the page after it, if there is one. */
export interface LedgerView {
  readonly entries: ReadonlyArray<LedgerEntry>
  readonly isFirst: boolean
  readonly older: string | undefined
}

/** What the page of an account shows. */
export interface AccountView {
  readonly key: ApiKey
  readonly account: CurrentAccount
  readonly ledger: LedgerView
  readonly packs: ReadonlyArray<CreditPack>
  readonly sale: Sale
  /** Makes one action of a form that is sent twice. */
  readonly formKey: string
}

const entryRow = ({ balanceAfter, createdAt, delta, kind, reference }: LedgerEntry): Html =>
  html`<tr><td data-title="When">${showShortDate(createdAt)}</td><td data-title="What">${kindNames[kind]}</td>
<td data-title="Change" class="number">${signed.format(delta)}</td><td data-title="Balance" class="number">${integer(balanceAfter)}</td>
<td data-title="Reference"><code>${reference}</code></td></tr>
`

const ledgerSection = ({ entries, isFirst, older }: LedgerView): Html => html`<section aria-labelledby="ledger">
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

/** `/account` of somebody who is signed in: the key, its credits, its use and its ledger, and what can be done with it. */
export const accountPage = (
  { account, formKey, key, ledger, packs, sale }: AccountView,
  { state = emptyForm, status = 200 }: { readonly state?: FormState; readonly status?: number } = {}
) => {
  const { balance, months, month } = account
  const recent = recentMonths(months, month)
  const forms: AccountForms = { formKey, packs, sale, state }
  return page(
    formTitle("Your account", state),
    html`${errorSummary(state, accountLabels)}
<div class="split"><h1>Your account</h1>
<form method="post" action="/account/sign-out"><button type="submit" class="quiet">Sign out</button></form></div>
<dl class="card"><dt>API key</dt><dd><code>${key.secretPrefix}…</code></dd>
<dt>Credits left</dt><dd>${integer(balance.remaining)}</dd>
<dt>Ever added</dt><dd>${integer(balance.granted)}</dd>
<dt>Forecasts this month</dt><dd>${integer(account.requests)}</dd></dl>
<section aria-labelledby="usage">
<h2 id="usage">Forecasts by month</h2>
${usageDrawing(recent)}
<p class="soft">Months are in UTC.${months.length > 0 && (months.at(-1)?.month ?? "") < (recent.at(-1)?.month ?? "") ? " The last 12 are shown." : ""}</p>
</section>
${
  key.isDemo
    ? html`<p class="card">This is the demo key, which everybody uses. It cannot buy credits, and nobody can replace or revoke it.</p>`
    : packForm(forms)
}
${ledgerSection(ledger)}
${key.isDemo ? html`` : keyForms(forms)}`,
    status,
    { section: "/account" }
  )
}
