import { Predicate } from "effect"
import { greatestRate, optionalRates, rateNames, type RateName, type RequiredRate } from "../../campaign/Rates.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { type Campaign, type Change, expectedAt, isLearned } from "../Campaign.ts"
import { changesTo, hasBounds, rateLabel, strictest } from "../benchmarks/PublishedRates.ts"
import { lookLikeFractions } from "../benchmarks/RiskFlags.ts"
import { rateBounds } from "../benchmarks/Thresholds.ts"
import { countText, listed, rateText } from "../Words.ts"
import { positiveStay, wouldBring } from "./Advice.ts"
import {
  compare,
  type Decimal,
  hundred,
  isZero,
  minus,
  percentOf,
  quotient,
  roundVisibly,
  times,
  toDouble,
  zero
} from "../Decimal.ts"

/** A rate as it is entered: a number of percent. */
const numberText = (rate: Decimal): string => rateText(rate).slice(0, -1)

/** The same for a plan with other rates, instead of its own: what past campaigns teach from there is not known yet. */
const wouldBringAt = (plan: Campaign, meant: Change): string =>
  (plan.history === undefined ? "" : "without your past campaigns, ") +
  wouldBring(plan, expectedAt(plan, "clients", meant), expectedAt(plan, "clients"))

const isFraction = (rate: Decimal | undefined, isFlagged: boolean): boolean => {
  if (rate === undefined || isZero(rate)) return false
  const value = toDouble(rate)
  return isFlagged ? value <= 1 : value >= 0.01 && value < 1
}

/**
 * The rates that look like fractions of 1: all up to 1 if the request is flagged; otherwise those that are implausible
 * in percent. A reply rate below 1% is common: without the flag it counts only if other rates look like fractions too.
 */
const fractions = (assumptions: Assumptions, isFlagged: boolean): ReadonlyArray<RateName> => {
  const found = rateNames.filter(
    (rate) =>
      isFraction(assumptions[rate], isFlagged) &&
      toDouble(assumptions[rate] ?? zero) * 10_000 <= greatestRate(assumptions, rate)
  )
  const others = found.filter((rate) => rate !== "reply_rate")
  return isFlagged || others.length > 1 ? found : others
}

/** Asks for percentages if rates look like fractions, and says what the campaign would bring with them. */
const askAboutFractions = (plan: Campaign, found: ReadonlyArray<RateName>): string => {
  const meant = Object.fromEntries(found.map((rate) => [rate, times(plan[rate] ?? zero, hundred)]))
  const sent = found.map((rate) => rateText(plan[rate] ?? zero))
  const percentages = found.map((rate) => rateText(meant[rate] ?? zero))
  const numbers = found.map((rate) => numberText(meant[rate] ?? zero))
  const looks = found.length === 1 ? "looks like a fraction" : "look like fractions"
  return (
    `Check the unit of the ${listed(found.map((rate) => rateLabel[rate]))}: ${listed(sent)} ${looks}. If you meant ` +
    `${listed(percentages)}, enter ${listed(numbers)}: ${wouldBringAt(plan, meant)}.`
  )
}

/** Below these, a share of replies and one of positive replies may be of emails, in percent. */
const ofEmails = { positive: rateBounds.positive_reply_rate.low[0].value, booked: 5 }

/** A rate that may be of another count, in percent, and what it is of its own. */
interface Meant {
  readonly rate: RateName
  readonly sent: Decimal
  readonly value: Decimal
}

/** A share of emails as one of those who reached a stage, `reached` of 100; undefined if it is more, or all did. */
const shareOf = (rate: RateName, sent: Decimal, reached: Decimal): Meant | undefined =>
  isZero(reached) || compare(reached, hundred) === 0 || compare(sent, reached) > 0
    ? undefined
    : { rate, sent, value: roundVisibly(quotient(times(sent, hundred), reached, 12), 2) }

/** True if a rate is above 0 and below a bound, and was not learned from past campaigns. */
const isDoubtful = ({ learned, ...plan }: Campaign, rate: RequiredRate, bound: number): boolean =>
  learned?.[rate] === undefined && !isZero(plan[rate]) && toDouble(plan[rate]) < bound

/** The rates that may be of emails, as what they are of their own counts. */
const meantOfEmails = (plan: Campaign): ReadonlyArray<Meant> => {
  const { close_rate: won, delivery_rate: delivered = hundred, meeting_booking_rate: booked, show_rate } = plan
  const { positive_reply_rate: positive, reply_rate } = plan
  const replies = percentOf(reply_rate, delivered)
  const hasStep = compare(reply_rate, hundred) < 0
  const isAsked = hasStep && isDoubtful(plan, "positive_reply_rate", Math.min(ofEmails.positive, toDouble(reply_rate)))
  const first = isAsked ? shareOf("positive_reply_rate", positive, replies) : undefined
  const reached = first === undefined ? percentOf(replies, positive) : positive
  const second = isDoubtful(plan, "meeting_booking_rate", ofEmails.booked)
    ? shareOf("meeting_booking_rate", booked, reached)
    : undefined
  // If all others are of emails, so is a close rate below all that is published.
  const isAll = first !== undefined && second !== undefined && show_rate === undefined
  const isThird = isAll && isDoubtful(plan, "close_rate", rateBounds.close_rate.low[0].value)
  const third = isThird ? shareOf("close_rate", won, booked) : undefined
  return [first, second, third].filter(Predicate.isNotUndefined)
}

/** True if no published figure is below a rate. */
const isWithinPublished = ({ rate, value }: Meant): boolean =>
  !hasBounds(rate) || toDouble(value) <= rateBounds[rate].high[0].value

const changesOf = (meant: ReadonlyArray<Meant>): Change => changesTo(meant)

/** True if hardly anybody replies, so that hardly any reply is automatic. */
const hasFewReplies = (plan: Campaign): boolean =>
  compare(plan.reply_rate, strictest(plan, "reply_rate", "low").value) < 0

/** Asks whether rates are of emails, and says what to enter then. */
const askAboutEmails = (plan: Campaign, meant: ReadonlyArray<Meant>): string => {
  const sent = listed(meant.map(({ sent }) => rateText(sent)))
  const values = listed(meant.map(({ rate, value }) => `${numberText(value)} as the ${rateLabel[rate]}`))
  const question = `${meant.length === 1 ? "Is" : "Are"} ${sent} of emails meant? Then enter ${values}: ${wouldBringAt(plan, changesOf(meant))}.`
  const mayBeAutomatic = meant.some(({ rate }) => rate === "positive_reply_rate") && !hasFewReplies(plan)
  return mayBeAutomatic ? `${question} If not, leave automatic replies out; ${positiveStay(plan)}.` : question
}

/** Asks about a meeting rate so low that it is hardly of positive replies, but cannot be of emails either. */
const askAboutMeetings = (plan: Campaign): string | undefined => {
  const { delivery_rate: delivered = hundred, meeting_booking_rate: booked, positive_reply_rate: positive } = plan
  if (isZero(positive) || !isDoubtful(plan, "meeting_booking_rate", ofEmails.booked)) return undefined
  const reached = percentOf(percentOf(plan.reply_rate, delivered), positive)
  const ofReplies = shareOf("meeting_booking_rate", booked, positive)
  const then =
    ofReplies === undefined
      ? ""
      : ` If of replies, enter ${numberText(ofReplies.value)}: ${wouldBringAt(plan, changesOf([ofReplies]))}.`
  return (
    `Of what is the meeting booking rate ${rateText(booked)}? If of emails, there are ${numberText(booked)} meetings but ` +
    `${numberText(reached)} positive replies of 100 emails: one of the rates is in another unit.${then}`
  )
}

/** The highest delivery rate that is taken for a bounce rate: nobody sends to such a list. */
const maxBounceRate = 20

/** Asks whether a low delivery rate is the bounce rate, and says what the campaign would bring then. */
const askAboutBounces = (plan: Campaign): string | undefined => {
  const { delivery_rate: delivered } = plan
  if (delivered === undefined || toDouble(delivered) > maxBounceRate) return undefined
  const meant = minus(hundred, delivered)
  return (
    `Check the delivery rate of ${rateText(delivered)}: it means that ${rateText(meant)} of the emails bounce. If ` +
    `${rateText(delivered)} is the bounce rate, enter ${numberText(meant)}: ${wouldBringAt(plan, { delivery_rate: meant })}.`
  )
}

/** The fewest replies that are taken for a count, and the highest reply rate that they make. */
const replyCount = { min: 10, maxPercent: 10 }

/** Asks whether the rates are counts, if they are whole and fall, and gives the rates of these counts. */
const askAboutCounts = (plan: Campaign): string | undefined => {
  if (isLearned(plan) || optionalRates.some((rate) => plan[rate] !== undefined)) return undefined
  const { close_rate, emails_sent, meeting_booking_rate, positive_reply_rate, reply_rate } = plan
  const replies = toDouble(reply_rate)
  if (replies < replyCount.min || (replies * 100) / toDouble(emails_sent) > replyCount.maxPercent) return undefined
  const counts = [emails_sent, reply_rate, positive_reply_rate, meeting_booking_rate, close_rate]
  const areCounts = counts.every((count, index) => {
    const before = counts[index - 1]
    return Number.isInteger(toDouble(count)) && (before === undefined || compare(count, before) < 0)
  })
  if (!areCounts) return undefined
  const meant = counts.slice(1).map((count, index) => quotient(times(count, hundred), counts[index] ?? count, 2))
  const [of = zero, positive = zero, booked = zero, won = zero] = meant
  const changed = { reply_rate: of, positive_reply_rate: positive, meeting_booking_rate: booked, close_rate: won }
  return (
    `Check whether the rates are counts: hardly any campaign gets a reply to ${rateText(reply_rate)} of its emails. If ` +
    `${countText(reply_rate)} people replied, ${countText(positive_reply_rate)} of them positively, ` +
    `${countText(meeting_booking_rate)} booked a meeting and ${countText(close_rate)} bought, enter ${listed(meant.map(numberText))}: ` +
    `${wouldBringAt(plan, changed)}.`
  )
}

/**
 * Asks about rates that are in another unit than the one they are entered in, one question at a time, and says what to
 * enter then. Every other figure rests on the answer.
 */
export const askAboutUnits = (plan: Campaign): string | undefined => {
  const meant = meantOfEmails(plan)
  const found = fractions(plan, lookLikeFractions(plan))
  const areFractions = found.length > 1 && !(meant.length === found.length && meant.every(isWithinPublished))
  if (areFractions) return askAboutFractions(plan, found)
  if (meant.length > 0) return askAboutEmails(plan, meant)
  return (
    askAboutMeetings(plan) ??
    (found.length > 0 ? askAboutFractions(plan, found) : undefined) ??
    askAboutBounces(plan) ??
    askAboutCounts(plan)
  )
}
