import { type Message } from "../../mail/Mail.ts"
import { letter } from "../../mail/letter.ts"
import { showDate } from "../../text/Times.ts"

/**
 * The email to the operator about a disputed payment; `reason` is the buyer's by Stripe's name for it, and `answerBy` the time
 * in milliseconds UTC after which Stripe takes no answer. It names no buyer: erasure does not search the operator's mail.
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
