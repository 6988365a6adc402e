import { sum } from "d3-array"
import { countsOfRate } from "../../campaign/Rates.ts"
import { integer, percent } from "../../text/Figures.ts"
import { quotient, toDouble, whole } from "../Decimal.ts"
import { countOf, rateText } from "../Words.ts"
import type { RateName } from "../Campaign.ts"
import type { AssessedCampaign } from "../benchmarks/RiskFlags.ts"
import { atLearnedRates } from "../outlook/Posterior.ts"
import { checkArrival } from "./Arrival.ts"

/** A plan with its history, and the past campaign that is unlike the others. */
type PlanWithPast = Pick<AssessedCampaign, "plan" | "unlike">

/** A learned rate as people say it. */
const shown = (rate: number): string => percent(Number(rate.toPrecision(2)))

/** The smallest change of the learned rate that is worth a question. */
const worthAsking = 0.1

/** Asks about the one past campaign whose replies are unlike those of the others, and says what these alone teach. */
const askAboutUnlike = ({ plan, unlike }: PlanWithPast): string | undefined => {
  if (unlike === undefined) return undefined
  const learned = toDouble(atLearnedRates(plan).reply_rate)
  const { campaigns, emails, name, replies, without } = unlike
  if (Math.abs(without / learned - 1) < worthAsking) return undefined
  const share = replies === 0 ? "no" : rateText(quotient(whole(replies * 100), whole(emails), 2))
  return (
    `${name === null ? "One" : `${name}, one`} of your ${campaigns} past campaigns, with ${share} replies, is unlike the ` +
    `others: is ${integer(replies)} right? Without it, the reply rate is ${shown(without)} instead of ${shown(learned)}.`
  )
}

/** Fewer meetings than this often win nobody. */
const fewestMeetings = 3

/** It is unusual that meetings win nobody if they do so less often than this at the close rate of the others. */
const unusual = 0.2

/** Asks whether meetings of past campaigns that have won nobody are all decided. */
const askAboutUndecided = ({ plan }: PlanWithPast): string | undefined => {
  const { history = [] } = plan
  const { trials } = countsOfRate(plan, "close_rate")
  const decided = history.flatMap((past) => {
    const { clients, [trials]: meetings } = past
    return clients === undefined || meetings === undefined ? [] : [{ clients, meetings }]
  })
  const won = decided.filter(({ clients }) => clients > 0)
  const hasWon = won.length > 0
  const share = sum(won, ({ clients }) => clients) / sum(won, ({ meetings }) => meetings)
  // Where others have won clients, a few meetings of a campaign often win nobody.
  const isUnusual = (meetings: number) => !hasWon || (1 - share) ** meetings < unusual
  const lost = decided.filter(({ clients, meetings }) => clients === 0 && isUnusual(meetings))
  const meetings = sum(lost, (past) => past.meetings)
  if (meetings < fewestMeetings) return undefined
  const which = hasWon ? " without a client" : ""
  return (
    `Are all ${countOf(meetings, trials)} of your past campaigns${which} decided? They count as lost: leave clients out ` +
    `where some are not.`
  )
}

/** A question about counts of past campaigns, and the rates that rest on the answer. */
interface HistoryQuestion {
  readonly text: string
  readonly inDoubt: ReadonlyArray<RateName>
}

/** Asks one question at a time: is a count right, are all cases decided? */
export const askAboutHistory = (assessed: PlanWithPast): HistoryQuestion | undefined => {
  const unlike = askAboutUnlike(assessed)
  if (unlike !== undefined) return { text: unlike, inDoubt: ["reply_rate"] }
  const undecided = askAboutUndecided(assessed)
  return undecided === undefined ? undefined : { text: undecided, inDoubt: ["close_rate"] }
}

/** The first question about past campaigns whose answer changes one of these rates: did they arrive, then as above. */
export const questionAboutPast = (assessed: PlanWithPast, about: ReadonlyArray<RateName>): string | undefined => {
  const arrival = about.includes("reply_rate") ? checkArrival(assessed) : undefined
  const question = askAboutHistory(assessed)
  return arrival ?? (question?.inDoubt.some((rate) => about.includes(rate)) === true ? question.text : undefined)
}
