import { countsOfRate } from "../../campaign/Rates.ts"
import { integer, percent } from "../../text/Figures.ts"
import { quotient, whole } from "../Decimal.ts"
import { countOf, rateText } from "../Words.ts"
import type { Advice } from "./Advice.ts"

/** A learned rate as people say it. */
const shown = (rate: number): string => percent(Number(rate.toPrecision(2)))

/** The smallest change of the learned rate that is worth a question. */
const worthAsking = 0.1

/** Asks about the one past campaign whose replies are unlike those of the others, and says what these alone teach. */
const askAboutUnlike: Advice = ({ outlook: { rates }, unlike }) => {
  if (unlike === undefined) return undefined
  const { campaigns, emails, name, replies, without } = unlike
  if (Math.abs(without / rates.reply_rate.expected - 1) < worthAsking) return undefined
  const share = replies === 0 ? "no" : rateText(quotient(whole(replies * 100), whole(emails), 2))
  return (
    `${name === null ? "One" : `${name}, one`} of your ${campaigns} past campaigns, with ${share} replies, is unlike the ` +
    `others: is ${integer(replies)} right? Without it, the reply rate is ${shown(without)} instead of ${shown(rates.reply_rate.expected)}.`
  )
}

/** Fewer meetings than this often win nobody. */
const fewestMeetings = 3

/** Asks whether meetings of past campaigns that have won nobody are all decided. */
const askAboutUndecided: Advice = ({ campaign, plan: { history = [] } }) => {
  const { trials } = countsOfRate(campaign, "close_rate")
  const decided = history.flatMap((past) => {
    const { clients, [trials]: meetings } = past
    return clients === undefined || meetings === undefined ? [] : [{ clients, meetings }]
  })
  const hasWon = decided.some(({ clients }) => clients > 0)
  // Where others have won clients, one meeting or two of a campaign often win nobody.
  const lost = decided.filter(({ clients, meetings }) => clients === 0 && (!hasWon || meetings >= fewestMeetings))
  const meetings = lost.reduce((sum, past) => sum + past.meetings, 0)
  if (meetings < fewestMeetings) return undefined
  const which = hasWon ? " without a client" : ""
  return (
    `Are all ${countOf(meetings, trials)} of your past campaigns${which} decided? They count as lost: leave clients out ` +
    `where some are not.`
  )
}

/** Asks one question at a time: is a count right, are all cases decided? */
export const askAboutHistory: Advice = (assessed) => askAboutUnlike(assessed) ?? askAboutUndecided(assessed)
