import { integer } from "../../text/Figures.ts"
import { linkMark, type Message } from "../../mail/Mail.ts"
import { letter } from "../../mail/letter.ts"

/**
 * The email to a buyer who placed an order. `name` is undefined if the order was placed without a key. `instructions` say how to pay
 * if there is no payment page. The link leads to the page of the order, which links to its payment page if it has one.
 */
export const orderPlaced = (options: {
  readonly name: string | undefined
  readonly id: string
  readonly credits: number
  readonly price: string
  readonly instructions: string | undefined
}): Message =>
  letter({
    subject: `Your order of ${integer(options.credits)} forecast credits`,
    greeting: options.name,
    paragraphs: [
      `Thank you for your order ${options.id}: ${integer(options.credits)} forecast credits for ${options.price}.`,
      options.instructions ??
        "Pay on the payment page that the link leads to, unless you have paid already. Once the payment is confirmed, we add the credits and email you."
    ],
    button: { words: "See my order", address: linkMark },
    closing: [
      "Keep this email: the link shows the state of the order to anyone who has it.",
      "If you did not order this, ignore this email: without a payment, nothing happens."
    ],
    reason: "You received this email because credits were ordered with this address."
  })
