import type { CurrentAccount } from "../credits/Credits.ts"
import { integer } from "../text/Figures.ts"
import { html } from "../text/html.ts"
import type { ApiKey } from "../keys/ApiKey.ts"
import type { Order } from "../orders/Order.ts"
import type { CreditPack } from "../settings/CreditPack.ts"
import type { Sale } from "../settings/Sale.ts"
import { type AccountForms, accountLabels, endSection, packForm } from "./AccountFormPages.ts"
import { type LedgerView, ledgerSection } from "./accountLedger.ts"
import { ordersSection } from "./accountOrders.ts"
import { emptyForm, errorSummary, type FormState, formTitle } from "../site/form.ts"
import { page } from "../site/layout.ts"
import { recentMonths, usageDrawing } from "./usageDrawing.ts"

/** What the page of an account shows. */
export interface AccountView {
  readonly key: ApiKey
  readonly account: CurrentAccount
  readonly ledger: LedgerView
  /** The newest orders of the key, and one more than are shown if there are more. */
  readonly orders: ReadonlyArray<Order>
  readonly packs: ReadonlyArray<CreditPack>
  readonly sale: Sale
  /** Makes one action of a form that is sent twice. */
  readonly formKey: string
}

/** `/account` when signed in: the key, its credits, its use and its ledger, and what can be done with it. */
export const accountPage = (
  { account, formKey, key, ledger, orders, packs, sale }: AccountView,
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
${ordersSection(orders)}
${ledgerSection(ledger)}
${key.isDemo ? html`` : endSection(forms)}`,
    status,
    { section: "/account" }
  )
}
