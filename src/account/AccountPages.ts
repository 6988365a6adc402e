import type { CurrentAccount } from "../credits/Credits.ts"
import { integer } from "../text/Figures.ts"
import { html } from "../text/html.ts"
import type { ApiKey } from "../keys/ApiKey.ts"
import type { Order } from "../orders/Order.ts"
import type { CreditPack } from "../settings/CreditPack.ts"
import type { Sale } from "../settings/Sale.ts"
import { type AccountForms, accountLabels, emailsSection, endSection, packForm } from "./AccountFormPages.ts"
import { balanceCard } from "./balanceCard.ts"
import { dailyDrawing, dailyPace, type DailyUsage } from "./dailyUsage.ts"
import { type LedgerView, ledgerSection } from "./accountLedger.ts"
import { ordersSection } from "./accountOrders.ts"
import { emptyForm, errorSummary, type FormState, formTitle } from "../site/form.ts"
import { page } from "../site/layout.ts"
import type { SubKey } from "../keys/subkeys/SubKey.ts"
import { subKeysSection } from "./subkeys/SubKeyPages.ts"
import { recentMonths, usageDrawing } from "./usageDrawing.ts"

/** The content of the page of an account. */
export interface AccountView {
  readonly key: ApiKey
  readonly account: CurrentAccount
  readonly usage: DailyUsage
  readonly subKeys: ReadonlyArray<SubKey>
  readonly ledger: LedgerView
  /** The newest orders of the key, with one extra if there are more than are shown. */
  readonly orders: ReadonlyArray<Order>
  readonly packs: ReadonlyArray<CreditPack>
  readonly sale: Sale
  /** True if the owner gets emails about low credits. */
  readonly hasNotices: boolean
  /** Ensures that a form that is sent twice acts once. */
  readonly formKey: string
  /** In milliseconds UTC. */
  readonly now: number
}

/** `/account` when signed in, with the most frequent reasons for a visit first. */
export const accountPage = (
  { account, formKey, hasNotices, key, ledger, now, orders, packs, sale, subKeys, usage }: AccountView,
  {
    state = emptyForm,
    status = 200,
    url
  }: { readonly state?: FormState; readonly status?: number; readonly url?: string } = {}
) => {
  const { balance, months, month } = account
  const recent = recentMonths(months, month)
  const forms: AccountForms = { formKey, packs, prefix: key.secretPrefix, sale, state }
  return page(
    formTitle("Your account", state),
    html`${errorSummary(state, accountLabels)}
<div class="split"><h1>Your account</h1>
<form method="post" action="/account/sign-out"><button type="submit" class="quiet">Sign out</button></form></div>
${balanceCard({ balance, pace: dailyPace(usage), now, prefix: key.secretPrefix, isSold: sale.isOpen && !key.isDemo })}
<section aria-labelledby="usage">
<h2 id="usage">Forecasts by day</h2>
<p class="soft">${integer(account.requests)} this month. Days and months are in UTC.</p>
${dailyDrawing(usage)}
<details class="fold"><summary>By month</summary>
${usageDrawing(recent)}
${months.length > 0 && (months.at(-1)?.month ?? "") < (recent.at(-1)?.month ?? "") ? html`<p class="soft">The last 12 months are shown.</p>` : html``}</details>
</section>
${
  key.isDemo
    ? html`<p class="card">This is the demo key, which everyone shares. It cannot buy credits, and cannot be replaced or revoked.</p>`
    : html`${subKeysSection(subKeys, month)}
${packForm(forms)}`
}
${ordersSection(orders)}
${ledgerSection(ledger)}
${key.isDemo ? html`` : html`${emailsSection(hasNotices)}${endSection(forms)}`}`,
    status,
    { section: "/account", ...(url === undefined ? {} : { url }) }
  )
}
