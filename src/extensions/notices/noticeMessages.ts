import { letter } from "../../mail/letter.ts"
import { linkMark, type Message, siteMark } from "../../mail/Mail.ts"
import { counted, integer } from "../../text/Figures.ts"

/** The time that credits last at the pace of seven days, in which `used` were spent; undefined if none were. */
const timeLeft = (remaining: number, used: number): string | undefined => {
  if (used === 0) return undefined
  const hours = Math.floor((remaining * 7 * 24) / used)
  const days = Math.floor(hours / 24)
  if (hours < 1) return "less than an hour"
  if (days < 2) return `about ${counted(hours, "hour")}`
  if (days < 60) return `about ${counted(days, "day")}`
  return days < 365 ? `about ${counted(Math.floor(days / 30), "month")}` : "more than a year"
}

/** The email to the owner of a key whose credits run low or are used up; `used` are those of the last seven days. */
export const creditsLow = (options: {
  readonly name: string
  readonly prefix: string
  readonly remaining: number
  readonly used: number
}): Message => {
  const { name, prefix, remaining, used } = options
  const left = timeLeft(remaining, used)
  const figures: ReadonlyArray<readonly [string, string]> = [
    ["Credits left", integer(remaining)],
    ["Used in 7 days", integer(used)],
    ["API key", `${prefix}…`]
  ]
  const isUsedUp = remaining === 0
  return letter({
    subject: isUsedUp ? "Your forecast credits are used up" : `You have ${counted(remaining, "forecast credit")} left`,
    greeting: name,
    paragraphs: isUsedUp
      ? [
          "Your API key has no credits left, so its requests for forecasts are refused from now on. The key itself stays the same: once you add credits, your programs continue to work unchanged."
        ]
      : [
          `Your API key is running low: less than a fifth of its credits is left.${
            left === undefined ? "" : ` At the pace of the last seven days, they last ${left}.`
          }`,
          "When they are used up, requests for forecasts are refused until you add more."
        ],
    figures,
    button: { words: "Add credits", address: `${siteMark}/credits` },
    further: [
      {
        before:
          "Would you rather not get these emails? This link switches them off for this key; you can switch them on again on the page of your key:",
        words: "stop these emails",
        address: linkMark
      }
    ],
    closing: [],
    reason: "You received this email because the credits of your API key are running out."
  })
}
