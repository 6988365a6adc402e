import {
  countNouns,
  countsOfRate,
  greatestRate,
  optionalRates,
  passedAt,
  type PassedName
} from "../../campaign/Rates.ts"
import { type Change, expectedAt, type RateName, rateNames, revenueFrom } from "../Campaign.ts"
import type { AssessedCampaign } from "../benchmarks/RiskFlags.ts"
import { type Advice, hasKnownCost } from "./Advice.ts"
import {
  boundRates,
  changesTo,
  inUnitOf,
  isBelowPublished,
  ownValue,
  rateLabel,
  sourcesOf,
  strictest,
  targetOf
} from "../benchmarks/PublishedRates.ts"
import { countText, emailsText, listed, rateText, withNoun } from "../Words.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import {
  compare,
  type Decimal,
  hundred,
  minus,
  percentOf,
  quotient,
  roundVisibly,
  show,
  times,
  toDouble,
  zero,
  isZero,
  one
} from "../Decimal.ts"
import { optimisticFlag } from "../benchmarks/RiskFlags.ts"
import { type BoundRate, fewestPublished, references } from "../benchmarks/Thresholds.ts"

/** Asks for rates that are 0: no other advice makes sense. */
export const fillInZeroRates: Advice = ({ campaign, funnel, plan }) => {
  if (!isZero(funnel.clients)) return undefined
  const zeros = rateNames.filter((rate) => isZero(campaign[rate] ?? one))
  const [first, ...others] = zeros
  if (first === undefined) return undefined
  const isAlone = others.length === 0
  const targets = zeros.flatMap((rate) => targetOf(campaign, rate) ?? [])
  const figures = targets.map(({ rate, value }) => `${rateText(value)} for the ${rateLabel[rate]}`)
  const sources = isAlone ? targets.map(({ source }) => source).join() : sourcesOf(targets)
  const start = figures.length === 0 ? undefined : `${listed(figures)} (${sources})`
  const by =
    plan.history === undefined
      ? `by your own campaigns${start === undefined ? "" : ` or, until you have some, by ${start}`}`
      : `a rate of 0 learns nothing from your past campaigns, so start from ${start ?? "an estimate"}`
  return (
    `Replace the ${isAlone ? `${rateLabel[first]} of 0%, which leaves` : "rates of 0%, which leave"} no client however many ` +
    `emails you send: ${by}.`
  )
}

/** A rate as it is entered: a number of percent. */
const numberText = (rate: Decimal): string => rateText(rate).slice(0, -1)

/** Words for the figure that another replaces; nothing if both look the same. */
const insteadOf = (text: string, other: string): string => (text === other ? "" : ` instead of ${other}`)

/** The clients that the emails of a plan would bring, instead of others. */
const wouldBring = ({ emails_sent: emails }: Assumptions, clients: Decimal, others: Decimal): string => {
  const text = countText(clients)
  return `${emailsText(emails)} would bring ${withNoun(text, "client")}${insteadOf(text, countText(others))}`
}

/** The same for a plan with other rates, instead of its own. */
const wouldBringAt = (plan: Assumptions, meant: Change): string =>
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
export const checkUnits: Advice = ({ flags, plan }) => {
  const found = fractions(plan, flags.includes("rates_look_like_fractions"))
  if (found.length === 0) return undefined
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

/** The highest delivery rate that is taken for a bounce rate: nobody sends to such a list. */
const maxBounceRate = 20

/** Asks whether a low delivery rate is the bounce rate, and says what the campaign would bring then. */
export const checkDelivery: Advice = ({ plan }) => {
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
export const checkCounts: Advice = ({ campaign, plan }) => {
  if (campaign !== plan || optionalRates.some((rate) => plan[rate] !== undefined)) return undefined
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

/** The percentile above which the first recommendation says how rare such a reply rate is. */
const rare = 90

/** The rarity of the reply rate among published campaigns, if it is rare. */
const rarity = ({ campaign, outlook: { rates } }: AssessedCampaign): string | undefined => {
  const { published_percentile: percentile } = rates.reply_rate
  if (percentile <= rare) return undefined
  const size = isBelowPublished(campaign) ? ` of ${fewestPublished} emails or more` : ""
  return `more replies than ${percentile} of 100 published campaigns${size} get`
}

/**
 * Asks about automatic replies, if hardly any reply is positive: without them, the reply rate falls, the positive one
 * rises, and their product stays.
 */
export const askAboutAutomaticReplies: Advice = (assessed) => {
  const { campaign, flags } = assessed
  const { positive_reply_rate: positive, reply_rate: replies } = campaign
  // Hardly any reply is automatic where hardly anybody replies.
  const isAsked = flags.includes("low_positive_reply_rate") && !flags.includes("low_reply_rate")
  if (!isAsked || isZero(replies)) return undefined
  const shared = roundVisibly(percentOf(replies, positive), 2)
  const rare = rarity(assessed)
  const [, of] = countNouns[countsOfRate(campaign, "reply_rate").trials]
  return (
    `Do the replies include automatic ones? Then leave them out; positive replies stay ` +
    `${rateText(shared)} of ${of}.` +
    (rare === undefined
      ? ""
      : ` The reply rate, ${rateText(replies)}, is ${rare} (${references.repliesPerEmail.from}).`)
  )
}

/** A rate that is too good, in words, and the value that the campaign is tried with instead. */
interface TooGood {
  readonly rate: BoundRate
  readonly text: string
  readonly because: string
  readonly value: Decimal
}

/** Those at a stage, compared with the emails sent: `those delivered`. */
const thoseAt = (count: PassedName): string => {
  const { are, words } = passedAt(count)
  return are === undefined ? words : `those ${are}`
}

const tooGood = (assessed: AssessedCampaign, rate: BoundRate): TooGood => {
  const { campaign } = assessed
  const { bound, value } = strictest(campaign, rate, "high")
  const text = `the ${rateLabel[rate]} of ${inUnitOf(bound, campaign, rate)}`
  const rare = rate === "reply_rate" ? rarity(assessed) : undefined
  if (rare === undefined) return { rate, text, because: `${bound.because} (${bound.from})`, value }
  const published = references.repliesPerEmail
  const median = ownValue(published, campaign, rate)
  const { trials } = countsOfRate(campaign, rate)
  const ofOwn =
    trials === "emails_sent" || compare(median, published.exact) === 0
      ? ""
      : ` of emails sent, about ${rateText(median)} of ${thoseAt(trials)}`
  return {
    rate,
    text,
    because: `that is ${rare}, and half of them get fewer than ${rateText(published.exact)}${ofOwn} (${published.from})`,
    value: median
  }
}

/** The reply rate to send if it is already per contact. */
const perEmailNote = (
  { emails_per_contact: perContact, reply_rate }: Assumptions,
  high: ReadonlyArray<TooGood>
): string =>
  perContact !== undefined && toDouble(perContact) > 1 && high.some(({ rate }) => rate === "reply_rate")
    ? ` If ${rateText(reply_rate)} is already per contact, set reply_rate to ${show(quotient(reply_rate, perContact, 2))}.`
    : ""

/** The ROI with other clients; nothing if the cost is not known, or if both look the same. */
const roiInstead = (assessed: AssessedCampaign, clients: Decimal, others: Decimal): string => {
  const { campaign } = assessed
  const { campaign_cost: cost } = campaign
  const revenue = revenueFrom(campaign, clients)
  const other = revenueFrom(campaign, others)
  if (revenue === undefined || other === undefined || cost === undefined || !hasKnownCost(assessed)) return ""
  const roi = show(quotient(revenue, cost, 1))
  const instead = insteadOf(roi, show(quotient(other, cost, 1)))
  return instead === "" ? "" : `, an ROI of ${roi}${instead}`
}

/** Asks to check rates above all published figures, and says what the campaign brings at the highest of those. */
export const checkOptimism: Advice = (assessed) => {
  const { campaign, flags, funnel } = assessed
  const high: Array<TooGood> = []
  for (const rate of boundRates) {
    if (!flags.includes(optimisticFlag[rate])) continue
    // Automatic replies are asked about in their own sentence.
    if (rate !== "reply_rate" || !flags.includes("low_positive_reply_rate")) high.push(tooGood(assessed, rate))
  }
  if (high.length === 0) return undefined
  const clients = expectedAt(campaign, "clients", changesTo(high))
  const money = flags.includes("negative_roi") ? "" : roiInstead(assessed, clients, funnel.clients)
  const without = countText(clients)
  const now = countText(funnel.clients)
  const checks = high.map(
    ({ because, text }, index) => `${index > 0 && index === high.length - 1 ? "and " : ""}${text}: ${because}`
  )
  const values = listed(high.map(({ value }) => rateText(value)))
  const result =
    without === now
      ? ""
      : ` At ${values}, the campaign would bring ${withNoun(without, "client")} instead of ${now}${money}.`
  return `Check ${checks.join("; ")}.${result}${perEmailNote(campaign, high)}`
}

/** The smallest deviation from the planned clients that is worth a sentence. */
const farFromPlan = 0.2

/** A rate this close to its plan did not cause it. */
const nearPlan = 0.1

const distance = (now: Decimal, planned: Decimal): number => Math.abs(toDouble(now) / toDouble(planned) - 1)

/** Explains how learned rates change the forecast, if the expected clients are far from the planned ones. */
export const planWithLearned: Advice = (assessed) => {
  const { campaign, funnel, plan } = assessed
  if (campaign === plan) return undefined
  const planned = expectedAt(plan, "clients")
  if (distance(funnel.clients, planned) < farFromPlan) return undefined
  const learned = rateNames.flatMap((rate) => {
    const [now, before] = [campaign[rate], plan[rate]]
    return now === undefined || before === undefined || now === before ? [] : [{ before, now, rate }]
  })
  const different = learned.filter(({ before, now }) => distance(now, before) >= nearPlan)
  // Rates that are no better add up to more where they are uncertain: higher ones gain more than lower ones lose.
  const isUncertain = different.length === 0 && compare(funnel.clients, planned) > 0
  const moved = different.length === 0 ? learned : different
  const rates = moved.map(
    ({ before, now, rate }) => `a ${rateLabel[rate]} of ${rateText(now)} instead of ${rateText(before)}`
  )
  const finding = isUncertain
    ? "Your past campaigns are near your rates, but leave them uncertain, and higher ones gain more clients than lower ones lose: on average"
    : `Your past campaigns point to ${listed(rates)}. With that`
  return (
    `${finding}, ${wouldBring(plan, funnel.clients, planned)}${roiInstead(assessed, funnel.clients, planned)}; ` +
    `all figures are based on it.`
  )
}
