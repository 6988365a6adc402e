import { replacement } from "../../keys/accessMessages.ts"
import { integer } from "../../text/Figures.ts"
import { linkMark, type Message, siteMark } from "../../mail/Mail.ts"
import { letter } from "../../mail/letter.ts"

/**
 * The email to an owner whose pack was paid. `name` is undefined if the address is unconfirmed, and `prefix` is empty for a
 * key that was never revealed. The link replaces the key's secret if `isUsable`, otherwise it reveals the first one.
 */
export const creditsAdded = (options: {
  readonly name: string | undefined
  readonly credits: number
  readonly balance: number
  readonly price: string
  readonly prefix: string
  readonly isUsable: boolean
}): Message =>
  letter({
    subject: "Your forecast credits are here",
    greeting: options.name,
    paragraphs: [
      `Thank you. We have received your payment and added the credits to ${options.prefix === "" ? "your new API key" : "your API key"}. They never expire.`,
      options.isUsable
        ? "There is nothing else to do."
        : "The button shows your key. It is shown only once, so have a safe place ready to store it."
    ],
    figures: [
      ["Added", integer(options.credits)],
      ["Credits left", integer(options.balance)],
      ...(options.prefix === "" ? [] : [["API key", `${options.prefix}…`] as const]),
      ["Paid", options.price]
    ],
    ...(options.isUsable
      ? { button: { words: "Open my account", address: `${siteMark}/account` }, further: replacement, closing: [] }
      : {
          button: { words: "Show my API key", address: linkMark },
          closing: [
            "The link works for 24 hours, or until you first use the key that it shows. After that, request another one with the form on the start page."
          ]
        }),
    reason: "You received this email because credits were ordered with this address."
  })
