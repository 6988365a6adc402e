import { integer } from "../../text/Figures.ts"
import type { Message } from "../../mail/Mail.ts"
import { letter } from "../../mail/letter.ts"

/**
 * To an owner whose pack was paid. `name` is undefined where nobody has confirmed the address, and `prefix` is empty for a
 * key that was never revealed. The link replaces the key's secret if `isUsable`, else it reveals the first one.
 */
export const creditsAdded = (options: {
  readonly name: string | undefined
  readonly credits: number
  readonly balance: number
  readonly prefix: string
  readonly isUsable: boolean
}): Message =>
  letter({
    subject: "Your forecast credits are here",
    greeting: options.name,
    paragraphs: [
      `Thank you. We have received your payment and added ${integer(options.credits)} forecast credits to ${
        options.prefix === "" ? "your new API key" : `your API key, which starts with ${options.prefix}`
      }. It now has ${integer(options.balance)} credits. They never expire.`,
      options.isUsable
        ? "If you have the key, there is nothing to do. If you have lost it, the link shows a new key to replace it: your credits and usage stay, and the old key keeps working until you first use the new one."
        : "The link shows your key. It is shown only once, so have a safe place ready to store it."
    ],
    button: options.isUsable ? "Replace my API key" : "Show my API key",
    closing: [
      "The link works for 24 hours, or until you first use the key that it shows. After that, ask for another one with the form on the start page."
    ]
  })
