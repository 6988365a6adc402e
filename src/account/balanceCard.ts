import type { Balance } from "../Balance.ts"
import { counted, integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"
import { dayLength } from "../text/Times.ts"

/** The longest projection, in days, from the pace of a week. */
const longestProjection = 365

const dayName = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" })

const shownPace = (pace: number) => (pace < 10 ? String(Math.round(pace * 10) / 10) : integer(Math.round(pace)))

/** How long a balance lasts at a pace of forecasts per day, in a sentence. */
export const timeLeftSentence = (remaining: number, pace: number, now: number): string => {
  if (remaining === 0) return "Forecasts are refused until you add credits."
  if (pace === 0) return "There was no forecast in the last 7 days."
  const days = Math.floor(remaining / pace)
  const start = `At ${shownPace(pace)} a day, the pace of the last 7 days, they last`
  return days > longestProjection
    ? `${start} more than a year.`
    : `${start} ${days === 0 ? "less than a day" : `${counted(days, "day")}, until ${dayName.format(now + days * dayLength)}`}.`
}

/** The remaining credits, and how long they last. */
export const balanceCard = (options: {
  readonly balance: Balance
  readonly pace: number
  readonly now: number
  readonly prefix: string
  readonly isSold: boolean
}): Html => {
  const { balance, isSold, now, pace, prefix } = options
  return html`<section class="card balance" aria-labelledby="balance">
<div><h2 id="balance">Credits left</h2>
<p class="amount">${integer(balance.remaining)}</p>
<p>${timeLeftSentence(balance.remaining, pace, now)}</p></div>
<div>${isSold ? html`<p><a class="button" href="#buy">Buy credits</a></p>` : html``}
<p class="soft">${integer(balance.granted)} added so far. API key <code>${prefix}…</code></p></div>
</section>`
}
