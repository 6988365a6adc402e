import { linkMark, type Message } from "../../mail/Mail.ts"
import { letter } from "../../mail/letter.ts"

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
