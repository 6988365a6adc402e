import { linkMark, type Message, siteMark } from "../../mail/Mail.ts"
import { letter } from "../../mail/letter.ts"

/** The link for an owner who lost a key that may be in use; the button of an email never leads there. */
export const replacement = {
  before:
    "Lost the key? This link shows a new one, works for 24 hours, and keeps your credits and usage. The old key keeps working until you first use the new one. If your key works, you do not need this link:",
  words: "replace my key",
  address: linkMark
}

/** The email to an owner who requested access and has a usable key, which may be lost. */
export const replaceKey = (name: string, prefix: string): Message =>
  letter({
    subject: "You already have an API key",
    greeting: name,
    paragraphs: [
      `You requested access to Outreach Forecast, but this address already has a key, which starts with ${prefix}. If you still have it, there is nothing to do: sign in with it to see your credits.`
    ],
    button: { words: "Open my account", address: `${siteMark}/account` },
    further: replacement,
    closing: ["If you did not request this, ignore this email: nothing changes until someone opens that link."],
    reason: "You received this email because someone requested an API key with this address."
  })
