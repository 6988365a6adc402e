import { Option } from "effect"
import { showPrice } from "../settings/CreditPack.ts"
import { isTrial, type Ordering, orderingOf, type PaymentSettings } from "../settings/Ordering.ts"
import type { Order } from "./Order.ts"

/** True if another sentence may follow a text on its line; after an account number it would look like a part of it. */
const isSentence = (text: string) => /[.!?…]["'”’)\]]*$/u.test(text) && !text.includes("\n")

/** The instructions to pay an order whose payment the operator confirms; undefined if it has a payment page. */
export const paymentInstructions = (
  order: Pick<Order, "id" | "amount" | "currency" | "method">,
  settings: PaymentSettings
): string | undefined => {
  if (order.method !== "manual") return undefined
  const { paymentInstructions: where } = settings.contact
  const afterwards = "Once the payment is confirmed, we add the credits and email you."
  if (Option.isNone(where)) {
    const { notice, writeTo } = orderingOf(settings)
    if (writeTo !== undefined) return `To pay, write to ${writeTo} with ${order.id} as the reference. ${afterwards}`
    return notice ?? "Payments have moved to a payment page since: place a new order."
  }
  const parts = [`Pay ${showPrice(order)} with ${order.id} as the reference.`, where.value, afterwards]
  return parts.join(isSentence(where.value) ? " " : "\n")
}

/** The words for credits that nobody paid for. */
export const addedInTrial = "Added by the operator of this trial; nothing was charged."

/** The price of an order after its credits; empty in a trial, where nothing is charged. */
export const forPrice = (order: Pick<Order, "amount" | "currency" | "isTrial" | "state">, ordering: Ordering): string =>
  order.isTrial || (order.state === "awaiting_payment" && isTrial(ordering)) ? "" : ` for ${showPrice(order)}`

/** The time of payment in milliseconds UTC, if anything was paid. */
export const timeOfPayment = ({ isTrial, paidAt }: Pick<Order, "isTrial" | "paidAt">) => (isTrial ? undefined : paidAt)

/** The next step for a buyer, in a sentence or two. */
export const nextStep = (order: Order, settings: PaymentSettings): string => {
  switch (order.state) {
    case "awaiting_payment":
      return (
        paymentInstructions(order, settings) ??
        "Pay on the payment page. Once the payment is confirmed, we add the credits and email you."
      )
    case "fulfilled":
      return order.isTrial
        ? `${addedInTrial} There is nothing left to do.`
        : "The credits have been added. There is nothing left to do."
    case "cancelled":
      return "Nothing was charged. To buy credits, place a new order."
    case "refunded":
      return "The payment was returned, and the remaining credits were taken back. To buy again, place a new order."
  }
}
