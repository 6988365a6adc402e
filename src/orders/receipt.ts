import { Option } from "effect"
import { isErased } from "../mail/Mail.ts"
import { showPrice } from "../settings/CreditPack.ts"
import type { Seller } from "../settings/Seller.ts"
import { integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"
import { showDate } from "../text/Times.ts"
import type { Order } from "./Order.ts"

const lines = (name: string, values: ReadonlyArray<string>): Html =>
  values.length === 0 ? html`` : html`<dt>${name}</dt><dd class="lines">${values.join("\n")}</dd>`

/** The receipt of a paid order, on one page; empty for other orders. Unknown values are left out. */
export const receipt = (order: Order, seller: Seller): Html => {
  const { amount, credits, currency, invoiceUrl, method, owner, paidAt, reference } = order
  if (paidAt === undefined) return html``
  return html`<section class="receipt" aria-labelledby="receipt">
<h2 id="receipt">Receipt</h2>
<dl>${lines("Seller", [seller.name, seller.address, seller.taxNumber].flatMap(Option.toArray))}
${lines("Buyer", isErased(owner.email) ? [] : [owner.company, owner.name, owner.email])}
${lines("Item", [`${integer(credits)} forecast credits`])}
${lines("Amount", [showPrice({ amount, currency })])}
${lines("Paid", [showDate(paidAt)])}
${lines("Paid by", [method === "stripe" ? "Stripe" : "Direct payment to the seller"])}
${lines("Payment reference", reference === undefined ? [] : [reference])}</dl>
${invoiceUrl === undefined ? html`` : html`<p><a href="${invoiceUrl}">Invoice from Stripe</a></p>`}
<p class="soft screen-only">To keep it, print this page or save it as PDF: it fits on one page.</p>
</section>`
}
