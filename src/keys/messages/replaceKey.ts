import type { Message } from "../../mail/Mail.ts"
import { letter } from "../../mail/letter.ts"

/** To an owner who asked for access and has a usable key, which may be lost. */
export const replaceKey = (name: string, prefix: string): Message =>
  letter({
    subject: "You already have an API key",
    greeting: name,
    paragraphs: [
      `You asked for access to Outreach Forecast, but this address already has a key, which starts with ${prefix}. If you still have it, there is nothing to do.`,
      "If you have lost it, the link shows a new key to replace it. Your credits and usage stay. The old key keeps working until you first use the new one."
    ],
    button: "Replace my API key",
    closing: [
      "The link works for 24 hours, or until you first use the new key.",
      "If you did not ask for this, ignore this email: nothing changes without the click."
    ]
  })
