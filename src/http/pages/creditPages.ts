import { html } from "../../html.ts"
import { type CreditPack, showPrice } from "../../settings/CreditPack.ts"
import type { PlacedOrder } from "../../orders/Orders.ts"
import { emptyForm, fieldErrors, type FormState, formMessage, ownerFields } from "./form.ts"
import { page } from "./layout.ts"

const number = new Intl.NumberFormat("en-US")

/** What is said to somebody who comes back from the payment. */
const notices: Readonly<Record<string, string>> = {
  done: "Thank you. As soon as the payment is confirmed, the credits are added and a mail tells you.",
  cancelled: "Nothing was paid. The order waits for you: open its payment page again, or order anew."
}

const choice = ({ credits, id, ...price }: CreditPack, isChosen: boolean) =>
  html`<label class="choice"><input type="radio" name="pack" value="${id}" required${isChosen ? html` checked` : html``}>
${number.format(credits)} credits for ${showPrice(price)}</label>
`

/** `/credits`: the packs, and the form that orders one. `payment` tells how somebody comes back from paying. */
export const creditsPage = (
  packs: ReadonlyArray<CreditPack>,
  { payment = "", state = emptyForm, status = 200 }: { payment?: string; state?: FormState; status?: number } = {}
) => {
  const { attributes, text } = fieldErrors("pack", "The pack", state)
  const chosen = state.values["pack"] ?? packs[0]?.id
  const notice = notices[payment]
  return page(
    "Forecast credits",
    html`<h1>Forecast credits</h1>
<p class="lead">One forecast costs one credit. Credits never expire.</p>
${notice === undefined ? html`` : html`<p class="card" role="status">${notice}</p>`}
${formMessage(state)}
<form method="post" action="/api/v1/orders" novalidate>
<fieldset role="radiogroup"${attributes}><legend>Credit pack</legend>
${packs.map((pack) => choice(pack, pack.id === chosen))}</fieldset>
${text}
${ownerFields(state)}
<button type="submit">Order</button>
</form>
<p>The credits go to the key of your address, or to a new key that comes by mail.</p>`,
    status
  )
}

/** After an order: where it is paid, or what to do. */
export const orderedPage = ({ instructions, order }: PlacedOrder) =>
  page(
    "Your order",
    html`<h1>Your order</h1>
<p class="lead">${number.format(order.credits)} forecast credits for ${showPrice(order)}.</p>
<dl><dt>Order</dt><dd>${order.id}</dd></dl>
${
  order.payUrl === undefined
    ? html`<p class="card">${instructions ?? ""}</p>`
    : html`<p><a class="button" href="${order.payUrl}">Pay ${showPrice(order)}</a></p>
<p>The payment page is Stripe's. When the payment is confirmed, the credits are added and a mail tells you.</p>`
}`,
    201
  )

/** What a program is told that fills in the field that people do not see: nothing was ordered. */
export const notOrderedPage = () =>
  page("Your order", html`<h1>Your order</h1><p class="lead">Thank you. You will hear from us.</p>`, 201)
