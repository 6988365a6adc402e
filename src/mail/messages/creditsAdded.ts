import type { Message } from "../Mail.ts"
import { letter } from "./letter.ts"

const number = new Intl.NumberFormat("en-US")

/**
 * To an owner whose pack was paid. `prefix` is empty for a key that was never revealed. The link replaces the key's secret
 * if `isUsable`, else it reveals the first one.
 */
export const creditsAdded = (options: {
  readonly name: string
  readonly credits: number
  readonly balance: number
  readonly prefix: string
  readonly isUsable: boolean
}): Message =>
  letter({
    subject: "Your forecast credits are here",
    greeting: options.name,
    paragraphs: [
      `thank you: your payment has arrived, and ${number.format(options.credits)} forecast credits were added to ${
        options.prefix === "" ? "your new API key" : `your API key, which starts with ${options.prefix}`
      }. It has ${number.format(options.balance)} credits now. They never expire.`,
      options.isUsable
        ? "If you have the key, there is nothing to do. If you lost it, the link shows a new key in its place: credits and usage stay, and the old key works until the new one is used for the first time."
        : "The link shows your key. It is shown once, so have a safe place for it ready."
    ],
    button: options.isUsable ? "Replace my API key" : "Show my API key",
    closing: [
      "The link works for 24 hours, until the key that it shows is used for the first time. After that, the form on the start page sends another one."
    ]
  })
