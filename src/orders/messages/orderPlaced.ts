import { integer } from "../../text/Figures.ts"
import { linkMark, type Message } from "../../mail/Mail.ts"
import { letter } from "../../mail/letter.ts"
import type { Contact } from "../../settings/Contact.ts"
import { showPrice } from "../../settings/CreditPack.ts"
import type { Order } from "../Order.ts"
import { paymentInstructions } from "../paymentInstructions.ts"

/**
 * The email to a buyer who placed an order. The link leads to the page of the order, which links to its payment page if it
 * has one.
 */
export const orderPlaced = (order: Order, contact: Contact): Message =>
  letter({
    subject: `Your order of ${integer(order.credits)} forecast credits`,
    // Without a key, a stranger may have chosen the name.
    greeting: order.keyId === undefined ? undefined : order.owner.name,
    paragraphs: [
      `Thank you for your order ${order.id}: ${integer(order.credits)} forecast credits for ${showPrice(order)}.`,
      paymentInstructions(order, contact) ??
        "Pay on the payment page that the link leads to, unless you have paid already. Once the payment is confirmed, we add the credits and email you."
    ],
    button: { words: "See my order", address: linkMark },
    closing: [
      "Keep this email: the link shows the state of the order to anyone who has it.",
      "If you did not order this, ignore this email: without a payment, nothing happens."
    ],
    reason: "You received this email because credits were ordered with this address."
  })
