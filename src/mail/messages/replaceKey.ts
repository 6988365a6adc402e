import type { Message } from "../Mail.ts"
import { letter } from "./letter.ts"

/** To an owner who asked for access and has a usable key, which may be lost. */
export const replaceKey = (name: string, prefix: string): Message =>
  letter({
    subject: "You already have an API key",
    greeting: name,
    paragraphs: [
      `you asked for access to Outreach Forecast, and this address already has a key: it starts with ${prefix}. If you still have it, there is nothing to do.`,
      "If you lost it, the link shows a new key in its place. Credits and usage stay. The old key works until the new one is used for the first time."
    ],
    button: "Replace my API key",
    closing: [
      "The link works for 24 hours, until the new key is used for the first time.",
      "If you did not ask for this, ignore this mail: nothing changes without the click."
    ]
  })
