import { integer } from "../../text/Figures.ts"
import { Predicate } from "effect"
import { aboutText, clientsText, countOf, listed, ofHundred, rateText } from "../../forecast/Words.ts"
import {
  type CountName,
  countNames,
  countNouns,
  openNames,
  passedAt,
  type RateName,
  rateNames,
  rates
} from "../../campaign/Rates.ts"
import { automaticRates, rateLabel } from "../../forecast/benchmarks/PublishedRates.ts"
import { rateBounds } from "../../forecast/benchmarks/Thresholds.ts"
import {
  hundred,
  minus,
  one,
  quotient,
  type Ratio,
  roundVisibly,
  times,
  toDouble,
  whole,
  isZero,
  type Decimal
} from "../../forecast/Decimal.ts"
import { type PerRate, revenueFrom } from "../../forecast/Campaign.ts"
import type { RateBelief } from "../../forecast/outlook/Posterior.ts"
import { roundChance } from "../../forecast/counts/Counts.ts"
import { smallestEnough } from "../../forecast/counts/SmallestEnough.ts"
import { against, type Compared, decidingChance, beliefsNow, type InFlight, leastLikely } from "./InFlight.ts"

/** A campaign in flight and its expected clients: `stop` if it stops now, `end` if it continues. */
export interface AssessedFlight {
  readonly flight: InFlight
  readonly emailsLeft: number
  readonly compared: PerRate<Compared>
  readonly stop: Ratio
  readonly end: Ratio
}

type Advice = (assessed: AssessedFlight) => string | undefined

const emails = (count: number): string => countOf(count, "emails_sent")

/** Emails that are still to be sent: `3,000 more emails`. */
export const moreEmails = (count: number): string => emails(count).replace(" ", " more ")

const rateOf = ({ cases, passed }: Compared): string =>
  rateText(quotient(times(whole(passed), hundred), whole(cases), 2))

/** The outcome of the decided cases: `8 of 91 replies were positive`. */
const resultText = ({ cases, from, passed, to }: Compared): string => {
  const all = countOf(cases, from)
  const { are } = passedAt(to)
  if (are !== undefined) return `${integer(passed)} of ${all} ${passed === 1 ? "was" : "were"} ${are}`
  return `${all} brought ${passed === 0 ? `no ${countNouns[to][0]}` : countOf(passed, to)}`
}

/** The frequency of such a result; a chance too small for a double is shown as more than 0. */
const frequency = (compared: Compared): string => ofHundred(roundChance(decidingChance(compared)))

/** The observed rate, the planned one, and how often such a result happens. */
const observation = (compared: Compared): string => {
  const { as_campaigns_vary: varying, planned } = compared
  const how = varying === null ? "by chance alone" : "as campaigns vary"
  return (
    `${resultText(compared)}, ${rateOf(compared)} instead of ${rateText(planned)}; ` +
    `${how}, so few are seen in ${frequency(compared)} campaigns with this plan`
  )
}

const difference = (a: Ratio, b: Ratio): Decimal =>
  quotient(
    minus(times(a.numerator, b.denominator), times(b.numerator, a.denominator)),
    times(a.denominator, b.denominator),
    6
  )

/** Names the rate that is furthest below its plan, and how to improve it, unless it rests on counts in doubt. */
const changeWeakest = (
  { compared, emailsLeft, end, stop }: AssessedFlight,
  inDoubt: ReadonlyArray<RateName>
): string | undefined => {
  const weakest = leastLikely(compared, ({ rate, verdict }) => verdict === "below" && !inDoubt.includes(rate))
  if (weakest === undefined) return undefined
  const when = emailsLeft > 0 && difference(end, stop).value > 0 ? "Before sending more" : "Next time"
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

/** The fewest further emails after which a rate is found to be below its plan, if the share `passing` passes. */
const emailsToTell = ({ flight }: AssessedFlight, { cases, passed, planned, rate }: Compared, passing: number) => {
  const isFound = (more: number) => {
    const later = { rate, planned, cases: cases + more, passed: passed + Math.floor(more * passing) }
    return against(flight.plan, later).verdict === "below"
  }
  const more = smallestEnough({ least: 1, greatest: maxCases, guess: 10 }, isFound)
  const needed = Math.ceil((more ?? Infinity) * emailsPerCase(flight, rate))
  return needed <= maxCases ? needed : undefined
}

/** The chance below which a result is doubtful enough to say how many emails it takes to tell luck from plan. */
const doubtful = 0.2

/** Says that it is too early to tell, and how many more emails that takes, if they are left. */
const waitToTell: Advice = (assessed) => {
  const { compared, emailsLeft } = assessed
  const isShort = ({ cases, passed, planned }: Compared) => cases > 0 && passed * 100 < cases * toDouble(planned)
  const short = leastLikely(compared, isShort)
  if (short === undefined || decidingChance(short) >= doubtful) return undefined
  const needed = emailsToTell(assessed, short, short.passed / short.cases)
  if (needed === undefined || needed > emailsLeft) return undefined
  return (
    `It is too early to call the ${rateLabel[short.rate]} low: ${observation(short)}; if it stays there, it takes about ` +
    `${moreEmails(needed)} to tell.`
  )
}

/** No reply at all is a matter of delivery, rather than of list or text, if fewer campaigns than this have none. */
const unheard = 0.02

/** Asks whether the emails arrive, if so many without a reply are hardly bad luck. */
const checkArrival: Advice = ({ compared: { reply_rate: replies } }) => {
  if (replies.passed > 0 || decidingChance(replies) >= unheard) return undefined
  return (
    `Before you change the list or the text, check whether your emails arrive: ${emails(replies.cases)} without a reply are seen ` +
    `in ${frequency(replies)} campaigns with this plan. Send some to inboxes of your own at Gmail and Outlook, ` +
    `check SPF, DKIM and DMARC, and look for your domain on blocklists.`
  )
}

const isNothingOpen = ({ flight: { open } }: AssessedFlight): boolean =>
  Object.values(open).every((count) => count === 0)

/** True if a count is of meetings, or of what became of them. */
const isFromMeetings = (name: CountName): boolean => countNames.indexOf(name) >= countNames.indexOf("meetings")

/** Asks whether meetings that have won nobody are all decided, if nothing is open. */
const askAboutOpen: Advice = (assessed) => {
  const { soFar } = assessed.flight
  const { clients, meetings } = soFar
  if (meetings === 0 || clients > 0 || !isNothingOpen(assessed)) return undefined
  const open = listed(
    openNames.flatMap((name) =>
      name !== "emails" && isFromMeetings(name) && (soFar[name] ?? 0) > 0 ? [`open.${name}`] : []
    ),
    "or"
  )
  return meetings === 1
    ? `Is the meeting decided? It counts as lost. If it is still undecided, enter 1 as ${open}.`
    : `Are all ${countOf(meetings, "meetings")} decided? None has won a client, and all count as lost. Enter those still undecided as ${open}.`
}

/** Automatic replies are asked about below this share of positive ones, in percent. */
const lowPositive = rateBounds.positive_reply_rate.low[0].value

/** Automatic replies are asked about from this many on: with fewer, a single positive reply is above the bound. */
const fewestReplies = 15

/** Asks about automatic replies, if hardly any reply is positive. */
const askAboutAutomaticReplies: Advice = ({ compared: { positive_reply_rate: positive } }) => {
  const { cases, passed } = positive
  if (cases < fewestReplies || passed * 100 >= cases * lowPositive) return undefined
  return (
    `Do the ${countOf(cases, "replies")} include automatic ones, such as out-of-office notices? ` +
    `${passed === 0 ? "None" : `Only ${passed}`} of them ${passed > 1 ? "are" : "is"} positive. Leave automatic ones out, and compare with the plan again.`
  )
}

/** Points to the open cases to work on, and the clients expected from them. */
const workOnOpen: Advice = ({ emailsLeft, flight, stop }) => {
  const { open } = flight
  const recent = open.emails
  const cases = openNames.flatMap((name) => (name === "emails" || open[name] === 0 ? [] : [countOf(open[name], name)]))
  const more = difference(stop, { numerator: whole(flight.soFar.clients), denominator: one })
  if (isZero(more)) return undefined
  if (cases.length === 0) {
    return emailsLeft === 0 && recent > 0
      ? `Wait for answers to the ${emails(recent)} that are still open: they bring ${clientsText(more)} on average.`
      : undefined
  }
  const isOne = cases.length === 1 && cases[0]?.startsWith("1 ") === true
  const together =
    recent > 0
      ? `together with the ${emails(recent)} that may still be answered, they bring`
      : isOne
        ? "it brings"
        : "they bring"
  return `Work on what is open first, ${listed(cases)}: ${together} ${clientsText(more)} on average without another email.`
}

/** Compares what the remaining emails bring with what they may cost. */
const continueOrStop: Advice = ({ emailsLeft, end, flight, stop }) => {
  if (emailsLeft === 0) return undefined
  const more = difference(end, stop)
  const [rest, bring, them, theyCost] =
    emailsLeft === 1 ? ["email", "brings", "it", "it costs"] : [emails(emailsLeft), "bring", "them", "they cost"]
  if (isZero(more)) return `Stop: the ${rest} still to send ${bring} no client at these rates.`
  const revenue = revenueFrom(flight.plan, more)
  const advice = `The ${rest} still to send ${bring} ${clientsText(more)} on average: send ${them} only if`
  return revenue === undefined || isZero(revenue)
    ? `${advice} that is worth what ${theyCost}.`
    : `${advice} ${theyCost} less than ${aboutText(roundVisibly(revenue, 2), "down")}.`
}

/** Says what to do with the results of a campaign in which nothing is left to happen. */
const addToPast: Advice = (assessed) => {
  const { emailsLeft, flight } = assessed
  const { soFar } = flight
  if (emailsLeft > 0 || soFar.emails_sent === 0 || !isNothingOpen(assessed)) return undefined
  const counts = countNames.flatMap((name) => {
    const count = soFar[name]
    return count === undefined ? [] : [countOf(count, name)]
  })
  return `The campaign is over: add it to your past campaigns, and your next forecast learns from ${listed(counts)}.`
}

/** The rates that rest on whether meetings are decided, and on whether replies are from people. */
const restOn = {
  open: rateNames.slice(rateNames.indexOf(passedAt("meetings").rate) + 1),
  automatic: automaticRates
}

/** Most valuable first; nothing is said that rests on counts in doubt. */
export const advise = (assessed: AssessedFlight): ReadonlyArray<string> => {
  const arrival = checkArrival(assessed)
  if (arrival !== undefined) return [arrival]
  const open = askAboutOpen(assessed)
  const automatic = askAboutAutomaticReplies(assessed)
  const inDoubt = [...(open === undefined ? [] : restOn.open), ...(automatic === undefined ? [] : restOn.automatic)]
  const isInDoubt = inDoubt.length > 0
  const texts = [
    open,
    automatic,
    workOnOpen(assessed),
    changeWeakest(assessed, inDoubt) ?? (isInDoubt ? undefined : waitToTell(assessed)),
    // Automatic replies change the shares, but not the clients.
    open === undefined ? continueOrStop(assessed) : undefined,
    isInDoubt ? undefined : addToPast(assessed)
  ]
  return texts.filter(Predicate.isNotUndefined)
}
