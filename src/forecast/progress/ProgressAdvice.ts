import { BigDecimal } from "effect"
import { clientsText, countNouns, countOf, listed, moneyText, ofHundred, rateText } from "../Words.ts"
import { type RateName, rates } from "../../campaign/Rates.ts"
import { rateLabel } from "../benchmarks/PublishedRates.ts"
import { compare, hundred, minus, one, quotient, type Ratio, times, toDouble, whole } from "../Decimal.ts"
import type { PerRate } from "../Campaign.ts"
import { type RateBelief } from "../outlook/Posterior.ts"
import { smallestEnough } from "../counts/SmallestEnough.ts"
import {
  against,
  type Compared,
  decidingChance,
  beliefsNow,
  type InFlight,
  leastLikely,
  weakestOf
} from "./InFlight.ts"

/** A campaign in flight and its expected clients: `stop` if it stops now, `end` if it continues. */
export interface Course {
  readonly flight: InFlight
  readonly emailsLeft: number
  readonly compared: PerRate<Compared>
  readonly stop: Ratio
  readonly end: Ratio
}

type Advice = (course: Course) => string | undefined

const emails = (count: number): string => countOf(count, "emails_sent")

/** Emails that are still to be sent: `3,000 more emails`. */
export const moreEmails = (count: number): string => emails(count).replace(" ", " more ")

const rateOf = ({ cases, passed }: Compared): string => {
  const { places, units } = quotient(times(whole(passed), hundred), whole(cases), 2)
  return rateText(BigDecimal.make(units, places))
}

/** The observed rate, the planned one, and how often such a result happens. */
const observation = (compared: Compared): string => {
  const { as_campaigns_vary: varying, cases, from, passed, planned, to } = compared
  const how = varying === null ? "by chance alone" : "as campaigns vary"
  return (
    `${countOf(passed, to)} of ${countOf(cases, from)}, ${rateOf(compared)} instead of ${rateText(planned)}; ` +
    `${how}, as few are seen in ${ofHundred(decidingChance(compared))} campaigns with this plan`
  )
}

/** Names the rate that is below its plan, and how to improve it. */
const changeWeakest: Advice = ({ compared, emailsLeft }) => {
  const weakest = weakestOf(compared)
  if (weakest === undefined) return undefined
  const when = emailsLeft > 0 ? "Before sending more" : "Next time"
  return `${when}, ${rates[weakest.rate].remedy}: ${observation(weakest)}.`
}

/** The average number of emails for one more case of a rate, by the rates before it as they are known now. */
const emailsPerCase = (flight: InFlight, rate: RateName): number => {
  let reach = 1
  for (const { belief, name } of Object.values<RateBelief>(beliefsNow(flight))) {
    if (name === rate) break
    reach *= "alpha" in belief ? toDouble(belief.mean.numerator) / toDouble(belief.mean.denominator) : toDouble(belief)
  }
  return 1 / reach
}

/** The search ends at this many cases, and at this many emails. */
const maxCases = 1_000_000

/** The fewest further emails after which a rate is found to be below its plan, if the share `passing` of them passes. */
const emailsToTell = ({ flight }: Course, { cases, passed, planned, rate }: Compared, passing: number) => {
  const isFound = (more: number) => {
    const later = { rate, planned, cases: cases + more, passed: passed + Math.floor(more * passing) }
    return against(flight.plan, later).verdict === "below"
  }
  const more = smallestEnough({ least: 1, greatest: maxCases, guess: 10 }, isFound)
  const needed = Math.ceil((more ?? Infinity) * emailsPerCase(flight, rate))
  return needed <= maxCases ? needed : undefined
}

/** Says that it is too early to tell, and how many more emails that takes. */
const waitToTell: Advice = (course) => {
  const { compared, emailsLeft } = course
  if (weakestOf(compared) !== undefined) return undefined
  const isShort = ({ cases, passed, planned }: Compared) => cases > 0 && passed * 100 < cases * toDouble(planned)
  const short = leastLikely(compared, isShort)
  if (short !== undefined) {
    const needed = emailsToTell(course, short, short.passed / short.cases)
    const left = emailsLeft === 0 ? "none are left" : `${emailsLeft.toLocaleString("en-US")} are left`
    const until =
      needed === undefined
        ? "if it stays there, no number of emails can tell that from bad luck"
        : `if it stays there, it takes about ${moreEmails(needed)} to tell${needed > emailsLeft ? `, and ${left}` : ""}`
    return `It is too early to call the ${rateLabel[short.rate]} low: ${observation(short)}; ${until}.`
  }
  const undecided = Object.values<Compared>(compared).find(
    ({ cases, planned }) => cases === 0 && planned.value > 0n && compare(planned, hundred) < 0
  )
  const needed = undecided && emailsToTell(course, undecided, 0)
  if (undecided === undefined || needed === undefined || emailsLeft === 0) return undefined
  const [one] = countNouns[undecided.to]
  return (
    `It is too early to judge the ${rateLabel[undecided.rate]}, of which nothing is decided: it takes about ` +
    `${moreEmails(needed)} without a ${one} to call it low.`
  )
}

const difference = (a: Ratio, b: Ratio): BigDecimal.BigDecimal => {
  const { places, units } = quotient(
    minus(times(a.numerator, b.denominator), times(b.numerator, a.denominator)),
    times(a.denominator, b.denominator),
    6
  )
  return BigDecimal.make(units, places)
}

/** Points to the open cases to work on, and the clients expected from them. */
const workOnOpen: Advice = ({ flight, stop }) => {
  const { emails: recent, ...open } = flight.open
  const cases = [
    countOf(open.replies, "replies"),
    countOf(open.positive_replies, "positive_replies"),
    countOf(open.meetings, "meetings"),
    countOf(open.meetings_held, "meetings_held")
  ].filter((text) => !text.startsWith("0 "))
  const more = difference(stop, { numerator: whole(flight.soFar.clients), denominator: one })
  if (cases.length === 0 || more.value === 0n) return undefined
  const together =
    recent === 0 ? "they bring" : `together with the ${emails(recent)} that may still be answered, they bring`
  return `Work on what is open first, ${listed(cases)}: ${together} ${clientsText(more)} on average without another email.`
}

/** Compares what the remaining emails bring with what they may cost. */
const continueOrStop: Advice = ({ emailsLeft, end, flight, stop }) => {
  if (emailsLeft === 0) return undefined
  const more = difference(end, stop)
  if (more.value === 0n) return `Stop: the ${emails(emailsLeft)} left bring no client at these rates.`
  const value = flight.plan.average_deal_value
  const brings = `The ${emails(emailsLeft)} left bring ${clientsText(more)} on average`
  return value === undefined || value.value === 0n
    ? `${brings}: send them only if that is worth what they cost.`
    : `${brings}: send them only if they cost less than ${moneyText(times(more, value))}.`
}

/** Advice on a campaign in flight, in at most three sentences. */
export const advise = (course: Course): ReadonlyArray<string> =>
  [changeWeakest(course) ?? waitToTell(course), workOnOpen(course), continueOrStop(course)].filter(
    (text) => text !== undefined
  )
