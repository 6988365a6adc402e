import { integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"
import type { Order } from "../orders/Order.ts"
import { showPrice } from "../settings/CreditPack.ts"
import { stateNames } from "../orders/OrdersPages.ts"
import { showShortDate } from "../text/Times.ts"

/** The most orders on the page of an account. */
export const mostOrders = 10

const orderRow = (order: Order): Html => {
  const path = `/account/orders/${order.id}`
  return html`<tr><td data-title="When">${showShortDate(order.createdAt)}</td><td data-title="Order"><a href="${path}">${order.id}</a></td>
<td data-title="Credits" class="number">${integer(order.credits)} for ${showPrice(order)}</td>
<td data-title="State"><span>${stateNames[order.state]}${order.state === "awaiting_payment" ? html`: <a href="${path}">how to pay</a>` : html``}</span></td></tr>
`
}

/** The orders of a key, newest first; empty if there are none. */
export const ordersSection = (orders: ReadonlyArray<Order>): Html =>
  orders.length === 0
    ? html``
    : html`<section aria-labelledby="orders">
<h2 id="orders">Your orders</h2>
<table class="amounts" aria-labelledby="orders">
<thead><tr><th scope="col">When (UTC)</th><th scope="col">Order</th><th scope="col" class="number">Credits</th>
<th scope="col">State</th></tr></thead>
<tbody>${orders.slice(0, mostOrders).map(orderRow)}</tbody></table>
${orders.length > mostOrders ? html`<p class="soft">The last ${mostOrders} are shown.</p>` : html``}
</section>`
