import type { Message } from "../Mail.ts"
import { letter } from "./letter.ts"

/** To an owner who asked for access and has no usable key yet. */
export const confirmKey = (name: string): Message =>
  letter({
    subject: "Confirm your address to see your API key",
    greeting: name,
    paragraphs: [
      "you asked for access to Outreach Forecast. One click confirms your address and shows your API key.",
      "The key is shown once, so have a safe place for it ready."
    ],
    button: "Show my API key",
    closing: [
      "The link works for 24 hours, until the key is used for the first time.",
      "If you did not ask for this, ignore this mail: without the click no key is made."
    ]
  })
