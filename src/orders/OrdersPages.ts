import { Option } from "effect"
import { integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"
import type { Order, OrderState } from "./Order.ts"
import { termsLink } from "./PacksPages.ts"
import { forPrice, nextStep, timeOfPayment } from "./paymentInstructions.ts"
import { type Ordering, orderingOf, type PaymentSettings, type Seller } from "../settings/Ordering.ts"
import { showPrice } from "../settings/CreditPack.ts"
import { page } from "../site/layout.ts"
import { showDate } from "../text/Times.ts"
import { isErased } from "../mail/Mail.ts"

const lines = (name: string, values: ReadonlyArray<string>): Html =>
  values.length === 0 ? html`` : html`<dt>${name}</dt><dd class="lines">${values.join("\n")}</dd>`

/** The parties and the payment of a paid order, on one page. Unknown values are left out. */
const receipt = (order: Order, paidAt: number, seller: Seller): Html => {
  const { amount, credits, currency, invoiceUrl, method, owner, reference } = order
  return html`<section class="receipt" aria-label="Payment">
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

const stateNames: { readonly [state in OrderState]: string } = {
  awaiting_payment: "Waiting for payment",
  fulfilled: "Paid, credits added",
  cancelled: "Cancelled",
  refunded: "Refunded"
}

/** The name of the state of an order for its buyer, who cannot pay everywhere. */
export const stateName = (order: Order, ordering: Ordering): string => {
  const { state } = order
  if (state === "awaiting_payment" && ordering.notice !== undefined) return "Waiting for the operator"
  return state === "fulfilled" && order.isTrial ? "Credits added" : stateNames[state]
}

/** The next step, with the contact address as a link. */
const nextStepWithLink = (order: Order, settings: PaymentSettings): Html => {
  const text = nextStep(order, settings)
  const supportEmail = Option.getOrUndefined(settings.contact.supportEmail)
  if (supportEmail === undefined) return html`${text}`
  const link = mailLink(supportEmail, order.id)
  return html`${text.split(supportEmail).map((part, i) => (i === 0 ? html`${part}` : html`${link}${part}`))}`
}

const mailLink = (address: string, orderId: string): Html =>
  html`<a href="mailto:${address}?subject=${orderId}">${address}</a>`

/** The time within which a payment is confirmed by hand, if it is. */
const timing = ({ method, state }: Order, { notice }: Ordering): Html =>
  state === "awaiting_payment" && method === "manual" && notice === undefined
    ? html`<p>We confirm a payment within one business day of its arrival.</p>`
    : html``

const row = (name: string, value: string): Html => html`<dt>${name}</dt><dd>${value}</dd>`

/** The page of an order, or once it is paid its receipt: a page of its own, or one of its key. */
export const orderPage = (
  order: Order,
  settings: PaymentSettings & { readonly seller: Seller },
  { isOfKey = false }: { readonly isOfKey?: boolean } = {}
) => {
  const { payUrl } = order
  const address = Option.getOrUndefined(settings.contact.supportEmail)
  const ordering = orderingOf(settings)
  const paidAt = timeOfPayment(order)
  const title = paidAt === undefined ? "Your order" : "Your receipt"
  return page(
    title,
    html`<h1>${title}</h1>
<p class="lead">${integer(order.credits)} forecast credits${forPrice(order, ordering)}.</p>
<dl>${row("Order", order.id)}${row("State", stateName(order, ordering))}
${row("Placed", showDate(order.createdAt))}</dl>
${paidAt === undefined ? html`` : receipt(order, paidAt, settings.seller)}
<section${order.state === "awaiting_payment" ? html`` : html` class="screen-only"`} aria-labelledby="next">
<h2 id="next">What to do</h2>
<p class="card lines">${nextStepWithLink(order, settings)}</p>
${
  order.state === "awaiting_payment" && payUrl !== undefined
    ? html`<p><a class="button" href="${payUrl}">Pay ${showPrice(order)}</a></p>
<p>Stripe handles the payment.</p>`
    : timing(order, ordering)
}
${order.state === "awaiting_payment" ? termsLink(ordering) : html``}
${isOfKey || order.state !== "awaiting_payment" ? html`` : html`<p>This page always shows the state of the order. We email you a link to it, too.</p>`}
${
  address === undefined || nextStep(order, settings).includes(address)
    ? html``
    : html`<p>Questions? Write to ${mailLink(address, order.id)}.</p>`
}
${isOfKey ? html`<p><a href="/key">Back to your key</a></p>` : html``}
</section>`,
    200,
    isOfKey ? { section: "/key" } : {}
  )
}

/** The page for a bot that filled in the hidden field: nothing was ordered. */
export const notOrderedPage = () =>
  page("Your order", html`<h1>Your order</h1><p class="lead">Thank you. We will be in touch.</p>`)
