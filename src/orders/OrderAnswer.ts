import { Option, Schema } from "effect"
import { dateTime, described, quantity } from "../input/Schemas.ts"
import { priceOf } from "../settings/CreditPack.ts"
import type { PaymentSettings } from "../settings/Ordering.ts"
import { isoTime } from "../text/Times.ts"
import { type Order, OrderState } from "./Order.ts"
import { nextStep, paymentInstructions, timeOfPayment } from "./paymentInstructions.ts"

/** The price and the content of a pack. */
export const packFields = {
  credits: quantity.annotate({ description: "Forecast credits in the pack.", examples: [500] }),
  price: Schema.Finite.annotate({ description: "Price in major units of the currency.", examples: [19] }),
  currency: Schema.String.annotate({ description: "ISO 4217 code.", examples: ["USD"] })
}

const time = (description: string) => described(Schema.NullOr(dateTime), description, "2026-11-23T10:00:00.000Z")

/** A new order. */
export const exampleOrder = {
  order_id: "ord_3kTq0VbW9sXhY2Lm",
  status: "awaiting_payment",
  pack: "starter",
  credits: 500,
  price: 19,
  currency: "USD",
  pay_url: "https://checkout.stripe.com/c/pay/cs_live_a1",
  instructions: null,
  next_step: "Pay on the payment page. Once the payment is confirmed, we add the credits and email you.",
  support_email: "help@forecast.example",
  created_at: "2026-11-23T09:00:00.000Z",
  paid_at: null,
  fulfilled_at: null
} as const

/** An order as callers see it. */
export const OrderAnswer = Schema.Struct({
  order_id: Schema.String.annotate({ description: "The ID of the order.", examples: ["ord_3kTq0VbW9sXhY2Lm"] }),
  status: OrderState.annotate({ description: "The state of the order.", examples: ["awaiting_payment"] }),
  pack: Schema.String.annotate({ description: "The pack.", examples: ["starter"] }),
  ...packFields,
  pay_url: described(
    Schema.NullOr(Schema.String.annotate({ format: "uri" })),
    "The payment page; null if the operator confirms payments, and once the order is paid.",
    "https://checkout.stripe.com/c/pay/cs_live_a1"
  ),
  instructions: described(
    Schema.NullOr(Schema.String),
    "How to pay if there is no pay_url; null if there is one, and once the order is paid.",
    "Pay 19 USD with ord_3kTq0VbW9sXhY2Lm as the reference. …"
  ),
  next_step: described(
    Schema.String,
    "The next step, in a sentence or two.",
    "The credits have been added. There is nothing left to do."
  ),
  support_email: described(
    Schema.NullOr(Schema.String),
    "The contact for questions about the order; null if the operator has not set an address.",
    "help@forecast.example"
  ),
  created_at: described(dateTime, "The time of the order, in UTC.", "2026-11-23T09:00:00.000Z"),
  paid_at: time("The time of payment, in UTC; null before, and in a trial, where nothing is charged."),
  fulfilled_at: time("The time when its credits were added, in UTC; null before.")
}).annotate({
  identifier: "Order",
  description: "An order of a credit pack. A new one awaits payment, and an email confirms it.",
  examples: [exampleOrder]
})

/** The JSON of an answer, as it is sent and stored for retries. */
export const OrderAnswerJson = Schema.fromJsonString(OrderAnswer)

const timeOrNull = (millis: Order["paidAt"]) => (millis === undefined ? null : isoTime(millis))

/** The answer about an order. */
export const orderAnswer = (order: Order, settings: PaymentSettings): typeof OrderAnswer.Type => {
  const isOpen = order.state === "awaiting_payment"
  return {
    order_id: order.id,
    status: order.state,
    pack: order.pack,
    credits: order.credits,
    price: priceOf(order),
    currency: order.currency,
    pay_url: (isOpen ? order.payUrl : undefined) ?? null,
    instructions: (isOpen ? paymentInstructions(order, settings) : undefined) ?? null,
    next_step: nextStep(order, settings),
    support_email: Option.getOrNull(settings.contact.supportEmail),
    created_at: isoTime(order.createdAt),
    paid_at: timeOrNull(timeOfPayment(order)),
    fulfilled_at: timeOrNull(order.fulfilledAt)
  }
}
