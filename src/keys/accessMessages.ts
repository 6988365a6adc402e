import { linkMark, type Message, siteMark } from "../mail/Mail.ts"
import { letter } from "../mail/letter.ts"

/**
 * The email to an address that requested access and has no usable key yet; `isFirst` unless its mailbox has had free
 * credits.
 */
export const confirmKey = ({ isFirst }: { readonly isFirst: boolean }): Message =>
  letter({
    subject: "Confirm your address to see your API key",
    // The requester may be a stranger to the owner of the address.
    greeting: undefined,
    paragraphs: [
      "Someone requested access to Outreach Forecast with this address. One click confirms the address and shows your API key.",
      "The key is shown only once, so have a safe place ready to store it.",
      ...(isFirst
        ? []
        : [
            "This mailbox has already had its free credits, with another key or under another spelling of its address, so this key comes without any. You can buy credit packs for it."
          ])
    ],
    button: { words: "Show my API key", address: linkMark },
    closing: [
      "The link works for 24 hours, or until you first use the key.",
      "If you did not request this, ignore this email: without the click, no key is created."
    ],
    reason: "You received this email because someone requested an API key with this address."
  })

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
    button: { words: "See my credits", address: `${siteMark}/key` },
    further: [replacement],
    closing: ["If you did not request this, ignore this email: nothing changes until someone opens that link."],
    reason: "You received this email because someone requested an API key with this address."
  })
