import { aboutAtLeast, aboutAtMost, integer } from "../../text/Figures.ts"
import { Predicate } from "effect"
import { clientsText, countOf, listed, ofHundred, rateText } from "../../forecast/Words.ts"
import {
  countNames,
  countNouns,
  openNames,
  optionalRates,
  passedAt,
  type PassedName,
  type RateName,
  rateNames,
  rates
} from "../../campaign/Rates.ts"
import { fields } from "../../campaign/Fields.ts"
import { automaticRates, rateLabel } from "../../forecast/benchmarks/PublishedRates.ts"
import { minDelivery, rateBounds, references } from "../../forecast/benchmarks/Thresholds.ts"
import { askAboutUnits } from "../../forecast/advice/Units.ts"
import {
  compare,
  hundred,
  minus,
  one,
  quotient,
  type Ratio,
  times,
  toDouble,
  whole,
  isZero,
  zero,
  type Decimal
} from "../../forecast/Decimal.ts"
import { type PerRate, revenueFrom } from "../../forecast/Campaign.ts"
import type { RateBelief } from "../../forecast/outlook/Posterior.ts"
import { roundChance } from "../../forecast/counts/Counts.ts"
import { smallestEnough } from "../../forecast/counts/SmallestEnough.ts"
import { against, type Compared, decidingChance, beliefsNow, leastLikely } from "./InFlight.ts"
import { type InFlight } from "./DecidedCases.ts"

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

/** True if more emails are left, and bring clients. */
const isBeforeMore = ({ emailsLeft, end, stop }: AssessedFlight): boolean =>
  emailsLeft > 0 && difference(end, stop).value > 0

/** Names the rate that is furthest below its plan, and how to improve it, unless it rests on counts in doubt. */
const changeWeakest = (assessed: AssessedFlight, inDoubt: ReadonlyArray<RateName>): string | undefined => {
  const weakest = leastLikely(assessed.compared, ({ rate, verdict }) => verdict === "below" && !inDoubt.includes(rate))
  if (weakest === undefined) return undefined
  const when = isBeforeMore(assessed) ? "Before sending more" : "Next time"
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

/** True if fewer of the decided cases have passed than planned. */
const isShort = ({ cases, passed, planned }: Compared): boolean => cases > 0 && passed * 100 < cases * toDouble(planned)

/** The chance below which a result is doubtful enough to say how many emails it takes to tell luck from plan. */
const doubtful = 0.2

/** Says that it is too early to tell, and how many more emails that takes, if they are left. */
const waitToTell: Advice = (assessed) => {
  const { compared, emailsLeft } = assessed
  const short = leastLikely(compared, isShort)
  if (short === undefined || decidingChance(short) >= doubtful) return undefined
  const needed = emailsToTell(assessed, short, short.passed / short.cases)
  if (needed === undefined || needed > emailsLeft) return undefined
  return (
    `It is too early to call the ${rateLabel[short.rate]} low: ${observation(short)}; if it stays there, it takes about ` +
    `${moreEmails(needed)} to tell.`
  )
}

/** The fewest bounces that are taken for a bad list, rather than for a few bad addresses. */
const fewestBounces = 5

const usualBounces = minus(hundred, references.delivered.exact)

/** Stops a campaign to a list with so many bounces that sending on harms the domain. */
const stopBouncing: Advice = ({ compared: { delivery_rate: delivered }, emailsLeft }) => {
  if (delivered === undefined) return undefined
  const { cases, passed } = delivered
  const bounced = cases - passed
  if (bounced < fewestBounces || passed * 100 >= cases * minDelivery.value) return undefined
  const share = rateText(quotient(whole(bounced * 100), whole(cases), 2))
  return (
    `${emailsLeft > 0 ? "Stop sending and" : "Before the next campaign,"} verify the addresses: ${integer(bounced)} of ${emails(cases)} bounced, ` +
    `${share} instead of the measured mean of ${rateText(usualBounces)} (${references.delivered.from}). Each further bounce harms your domain.`
  )
}

/** So few replies are a matter of delivery, rather than of list or text, if fewer campaigns than this have them. */
const unheard = 0.02

/** Asks whether the emails arrive, if so few replies are hardly bad luck. */
const checkArrival: Advice = ({ compared: { reply_rate: replies } }) => {
  const { cases, passed } = replies
  if (!isShort(replies) || decidingChance(replies) >= unheard) return undefined
  const how = passed === 0 ? "without a reply" : `with ${countOf(passed, "replies")} or fewer`
  return (
    `Before you change the list or the text, check whether your emails arrive: ${emails(cases)} ${how} are seen ` +
    `in ${frequency(replies)} campaigns with this plan. Send some to inboxes of your own at Gmail and Outlook, ` +
    `check SPF, DKIM and DMARC, and look for your domain on blocklists.`
  )
}

const isNothingOpen = ({ flight: { open } }: AssessedFlight): boolean =>
  Object.values(open).every((count) => count === 0)

/** A question about cases of which none came further, and the rates that rest on the answer. */
interface OpenQuestion {
  readonly text: string
  readonly inDoubt: ReadonlyArray<RateName>
}

/** The rates of those who have reached a count. */
const ratesAfter = (count: PassedName): ReadonlyArray<RateName> =>
  rateNames.slice(rateNames.indexOf(passedAt(count).rate) + 1)

/** Fewer replies than this are often all negative. */
const fewestUnread = 3

/** Asks about the last count that was reached, if nobody came further and nothing is open: are all of them decided? */
const askAboutOpen = (assessed: AssessedFlight): OpenQuestion | undefined => {
  const { clients, meetings, meetings_held: held = 0, positive_replies: positive, replies } = assessed.flight.soFar
  if (clients > 0 || !isNothingOpen(assessed)) return undefined
  if (meetings > 0) {
    const open = held > 0 ? "open.meetings or open.meetings_held" : "open.meetings"
    const text =
      meetings === 1
        ? `Is the meeting decided? It counts as lost; if it is still undecided, enter 1 as ${open}.`
        : `Are all ${countOf(meetings, "meetings")} decided? None has won a client, so all count as lost: enter those still undecided as ${open}.`
    return { text, inDoubt: ratesAfter("meetings") }
  }
  if (positive > 0) {
    const text =
      positive === 1
        ? "Has the positive reply refused a meeting? It counts so; if not, enter 1 as open.positive_replies."
        : `Have all ${countOf(positive, "positive_replies")} refused a meeting? They count so: enter those that have not as open.positive_replies.`
    return { text, inDoubt: ratesAfter("positive_replies") }
  }
  if (replies < fewestUnread) return undefined
  return {
    text: `Have all ${countOf(replies, "replies")} been read? None counts as positive: enter those still unread as open.replies.`,
    inDoubt: ratesAfter("replies")
  }
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
    `${passed === 0 ? "None" : `Only ${passed}`} of them ${passed > 1 ? "are" : "is"} positive: leave automatic ones out, and compare with the plan again.`
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

/** The clients, revenue and cost of the remaining emails: undefined where the plan lacks a deal value or a cost. */
interface Rest {
  readonly clients: Decimal
  readonly revenue: Decimal | undefined
  readonly cost: Decimal | undefined
}

/** The rest of a campaign, at the cost per email of its plan. A cost of 0 says nothing about the emails. */
const restOf = ({ emailsLeft, end, flight: { plan }, stop }: AssessedFlight): Rest => {
  const { campaign_cost: cost, emails_sent: planned } = plan
  const clients = difference(end, stop)
  return {
    clients,
    revenue: revenueFrom(plan, clients),
    cost: cost === undefined || isZero(cost) ? undefined : quotient(times(cost, whole(emailsLeft)), planned, 6)
  }
}

/** True if the remaining emails are known to cost more than they bring. */
const isNotWorthIt = ({ cost, revenue }: Rest): boolean =>
  cost !== undefined && revenue !== undefined && compare(revenue, cost) < 0

/** Says whether to send the remaining emails, by what they bring and cost. */
const continueOrStop = ({ emailsLeft }: AssessedFlight, rest: Rest): string | undefined => {
  if (emailsLeft === 0) return undefined
  const { clients, cost, revenue } = rest
  const [more, bring] = emailsLeft === 1 ? ["1 more email", "brings"] : [moreEmails(emailsLeft), "bring"]
  if (isZero(clients)) return `Stop: ${more} ${bring} no client at these rates.`
  const result = `${more} ${bring} ${clientsText(clients)} on average`
  const brings = revenue === undefined || isZero(revenue) ? undefined : aboutAtMost(toDouble(revenue))
  const costs = cost === undefined ? undefined : aboutAtLeast(toDouble(cost))
  if (costs === undefined) {
    return brings === undefined
      ? `Send the rest only if it is worth its cost: ${result}.`
      : `Send the rest only if it costs less than ${brings}: ${result}.`
  }
  if (brings === undefined) {
    const each = aboutAtLeast(toDouble(cost ?? zero) / toDouble(clients))
    return `Send the rest, which costs ${costs}, only if a client is worth more than ${each}: ${result}.`
  }
  return isNotWorthIt(rest)
    ? `Do not send the rest: it brings ${brings} on average and costs ${costs}.`
    : `Send the rest: about ${brings} in revenue for ${costs}, as ${result}.`
}

/** Says what to do with the results of a campaign in which nothing is left to happen. */
const addToPast: Advice = (assessed) => {
  const { emailsLeft, flight } = assessed
  const { plan, soFar } = flight
  if (emailsLeft > 0 || soFar.emails_sent === 0 || !isNothingOpen(assessed)) return undefined
  const counts = countNames.flatMap((name) => {
    const count = soFar[name]
    return count === undefined ? [] : [countOf(count, name)]
  })
  const missing = optionalRates.flatMap((rate) =>
    plan[rate] === undefined ? [countNouns[fields[rate].passed.name][1]] : []
  )
  const keep = missing.length === 0 ? "" : ` Keep the number of ${listed(missing)} with it, too.`
  return `The campaign is over: add it to your past campaigns, and your next forecast learns from ${listed(counts)}.${keep}`
}

/**
 * Most valuable first, one question at a time, and nothing that rests on counts in doubt: bounces, which stop everything
 * else, the units of the plan, whether emails arrive, automatic replies, what is open, the weakest rate, and the rest.
 */
export const advise = (assessed: AssessedFlight): ReadonlyArray<string> => {
  const bouncing = stopBouncing(assessed)
  if (bouncing !== undefined) return [bouncing]
  const open = workOnOpen(assessed)
  const first = askAboutUnits(assessed.flight.plan) ?? checkArrival(assessed)
  if (first !== undefined) return [first, open].filter(Predicate.isNotUndefined)
  const automatic = askAboutAutomaticReplies(assessed)
  const undecided = automatic === undefined ? askAboutOpen(assessed) : undefined
  const inDoubt = automatic === undefined ? (undecided?.inDoubt ?? []) : automaticRates
  const isInDoubt = inDoubt.length > 0
  const weakest = changeWeakest(assessed, inDoubt)
  const rest = restOf(assessed)
  const texts = [
    automatic,
    undecided?.text,
    open,
    weakest ?? (isInDoubt || isNotWorthIt(rest) ? undefined : waitToTell(assessed)),
    // Automatic replies change the shares, but not the clients.
    undecided === undefined && (weakest === undefined || !isBeforeMore(assessed))
      ? continueOrStop(assessed, rest)
      : undefined,
    isInDoubt ? undefined : addToPast(assessed)
  ]
  return texts.filter(Predicate.isNotUndefined)
}
