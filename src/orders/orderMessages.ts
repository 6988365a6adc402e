import { Option } from "effect"
import { replacement } from "../keys/accessMessages.ts"
import { integer } from "../text/Figures.ts"
import { linkMark, type Message, orderMark, siteMark } from "../mail/Mail.ts"
import { letter } from "../mail/letter.ts"
import { orderingOf, type PaymentSettings } from "../settings/Ordering.ts"
import type { Order } from "./Order.ts"
import { addedInTrial, forPrice, paymentInstructions } from "./paymentInstructions.ts"
import { showDate } from "../text/Times.ts"

/**
 * The email to a buyer who placed an order. The link leads to the page of the order, which links to its payment page if
 * it has one.
 */
export const orderPlaced = (order: Order, settings: PaymentSettings): Message =>
  letter({
    subject: `Your order of ${integer(order.credits)} forecast credits`,
    // Without a key, a stranger may have chosen the name.
    greeting: order.keyId === undefined ? undefined : order.owner.name,
    paragraphs: [
      `Thank you for your order ${order.id}: ${integer(order.credits)} forecast credits${forPrice(order, orderingOf(settings))}.`,
      paymentInstructions(order, settings) ??
        "Pay on the payment page that the link leads to, unless you have paid already. Once the payment is confirmed, we add the credits and email you."
    ],
    button: { words: "See my order", address: linkMark },
    closing: [
      "Keep this email: the link shows the state of the order to anyone who has it.",
      ...Option.match(settings.contact.termsUrl, { onNone: () => [], onSome: (url) => [`Terms and refunds: ${url}`] }),
      "If you did not order this, ignore this email: nothing is charged."
    ],
    reason: "You received this email because credits were ordered with this address."
  })

const receiptOf = (orderId: string) => ({
  before: "To print the receipt or save it as PDF,",
  words: "open the receipt",
  address: orderMark(orderId)
})

/**
 * The email to an owner whose pack was added, with a link to the receipt. `price` is undefined if nothing was paid, and
 * there is no receipt; `name` is undefined if the address is unconfirmed, and `prefix` is empty for a key that was
 * never revealed. The link replaces the key's secret if `isUsable`, otherwise it reveals the first one.
 */
export const creditsAdded = (options: {
  readonly orderId: string
  readonly name: string | undefined
  readonly credits: number
  readonly balance: number
  readonly price: string | undefined
  readonly prefix: string
  readonly isUsable: boolean
}): Message => {
  const receipt = options.price === undefined ? [] : [receiptOf(options.orderId)]
  return letter({
    subject: "Your forecast credits are here",
    greeting: options.name,
    paragraphs: [
      `Thank you for your order. We have added the credits to ${options.prefix === "" ? "your new API key" : "your API key"}. They never expire.`,
      ...(options.price === undefined ? [addedInTrial] : []),
      options.isUsable
        ? "There is nothing else to do."
        : "The button shows your key. It is shown only once, so have a safe place ready to store it."
    ],
    figures: [
      ["Added", integer(options.credits)],
      ["Credits left", integer(options.balance)],
      ...(options.prefix === "" ? [] : [["API key", `${options.prefix}…`] as const]),
      ...(options.price === undefined ? [] : [["Paid", options.price] as const])
    ],
    ...(options.isUsable
      ? {
          button: { words: "See my credits", address: `${siteMark}/key` },
          further: [...receipt, replacement],
          closing: []
        }
      : {
          button: { words: "Show my API key", address: linkMark },
          further: receipt,
          closing: [
            "The link to your key works for 24 hours, or until you first use the key. After that, request another one with the form on the start page."
          ]
        }),
    reason: "You received this email because credits were ordered with this address."
  })
}

/**
 * The email to the operator about a disputed payment; `reason` is the buyer's by Stripe's name for it, and `answerBy`
 * the time in milliseconds UTC after which Stripe takes no answer. It names no buyer: erasure does not search the
 * operator's mail.
 */
export const paymentDisputed = (options: {
  readonly orderId: string
  readonly disputeId: string
  readonly price: string
  readonly reason: string
  readonly answerBy: number | undefined
}): Message =>
  letter({
    subject: `Payment disputed: order ${options.orderId}`,
    greeting: undefined,
    paragraphs: [
      "The buyer of this order has disputed the payment with their bank. Stripe keeps the amount back until the dispute is decided, and decides against you unless you answer.",
      "The credits of the order have not been taken back."
    ],
    figures: [
      ["Order", options.orderId],
      ["Amount", options.price],
      ["Dispute", options.disputeId],
      ["Reason", options.reason.replaceAll("_", " ")],
      ...(options.answerBy === undefined ? [] : [["Answer by", showDate(options.answerBy)] as const])
    ],
    button: { words: "Open disputes at Stripe", address: "https://dashboard.stripe.com/disputes" },
    closing: [],
    reason: "You received this email because this is the SUPPORT_EMAIL of the service."
  })
