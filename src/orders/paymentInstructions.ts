import { Option } from "effect"
import type { Contact } from "../settings/Contact.ts"
import { showPrice } from "../settings/CreditPack.ts"
import type { Order } from "./Order.ts"

/** How an order is paid that the operator confirms, in sentences; undefined for one that has a payment page. */
export const paymentInstructions = (
  order: Pick<Order, "id" | "amount" | "currency" | "method">,
  { paymentInstructions: where, supportEmail }: Contact
): string | undefined => {
  if (order.method !== "manual") return undefined
  const told = Option.getOrElse(where, () => "")
  return [
    told === ""
      ? `Pay ${showPrice(order)} to the operator of this service, with ${order.id} as the reference.`
      : `Pay ${showPrice(order)} with ${order.id} as the reference.`,
    ...(told === "" ? [] : [told]),
    "Once the payment is confirmed, we add the credits and email you.",
    ...Option.match(supportEmail, { onNone: () => [], onSome: (address) => [`Questions? Write to ${address}.`] })
  ].join(told.includes("\n") ? "\n" : " ")
}
