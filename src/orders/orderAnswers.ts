import { Option } from "effect"
import type { Order } from "./Order.ts"
import type { PlacedOrder } from "./Orders.ts"
import type { Contact } from "../settings/Contact.ts"
import { priceOf } from "../settings/CreditPack.ts"
import type { OrderAnswer, OrderStatus } from "./OrderSchemas.ts"
import { nextStep } from "./OrdersPages.ts"
import { isoTime } from "../text/Times.ts"

/** The payment details of an order that awaits payment. */
const payment = ({ instructions, order }: PlacedOrder) =>
  order.state === "awaiting_payment"
    ? { pay_url: order.payUrl ?? null, instructions: instructions ?? null }
    : { pay_url: null, instructions: null }

/** The representation of an order. */
export const orderAnswer = (placed: PlacedOrder): typeof OrderAnswer.Type => {
  const { order } = placed
  return {
    order_id: order.id,
    status: order.state,
    pack: order.pack,
    credits: order.credits,
    price: priceOf(order),
    currency: order.currency,
    ...payment(placed)
  }
}

const timeOrNull = (millis: Order["paidAt"]) => (millis === undefined ? null : isoTime(millis))

/** The status of an order. */
export const orderStatus = (placed: PlacedOrder, { supportEmail }: Contact): typeof OrderStatus.Type => ({
  ...orderAnswer(placed),
  next_step: nextStep(placed),
  support_email: Option.getOrNull(supportEmail),
  created_at: isoTime(placed.order.createdAt),
  paid_at: timeOrNull(placed.order.paidAt),
  fulfilled_at: timeOrNull(placed.order.fulfilledAt)
})
