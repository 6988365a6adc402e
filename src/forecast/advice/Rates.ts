import { BigDecimal } from "effect"
import { greatestRate, optionalRates, rates } from "../../campaign/Rates.ts"
import { type RateName, rateNames } from "../Campaign.ts"
import type { Advice, AssessedCampaign } from "./AssessedCampaign.ts"
import {
  boundRates,
  changesTo,
  clientsWith,
  heldOfBooked,
  ownValue,
  rateIn,
  rateLabel,
  sourcesOf,
  strictest,
  type Target,
  referenceOf,
  targetOf
} from "../benchmarks/PublishedRates.ts"
import { aboutText, clientsText, countText, emailsText, listed, rateText, withNoun } from "../Words.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import {
  compare,
  type Decimal,
  hundred,
  minus,
  percentOf,
  quotient,
  round,
  roundVisibly,
  show,
  times,
  toDouble,
  zero
} from "../Decimal.ts"
import { lowFlag, optimisticFlag } from "../benchmarks/RiskFlags.ts"
import { type BoundRate, type RateBound, references } from "../benchmarks/Thresholds.ts"
import { hasKnownCost } from "./Money.ts"
import { isBeyondSending } from "./Emails.ts"

/** Asks for rates that are 0: no other advice makes sense. */
export const fillInZeroRates: Advice = ({ assumptions, funnel, plan }) => {
  if (funnel.clients.value !== 0n) return undefined
  const targets = rateNames.filter((rate) => assumptions[rate]?.value === 0n).map((rate) => targetOf(assumptions, rate))
  const [first, ...others] = targets
  if (first === undefined) return undefined
  const isAlone = others.length === 0
  const figures = targets.map(({ rate, value }) => `${rateText(value)} for the ${rateLabel[rate]}`)
  const by =
    plan.history === undefined
      ? "by your own campaigns or, until you have some, by"
      : "a rate of 0 learns nothing from your past campaigns, so start from"
  return (
    `Replace the ${isAlone ? `${rateLabel[first.rate]} of 0%, which leaves` : "rates of 0%, which leave"} no client however many ` +
    `emails you send: ${by} ${listed(figures)} ` +
    `(${isAlone ? first.source : sourcesOf(targets)}).`
  )
}

const isFraction = (rate: BigDecimal.BigDecimal | undefined, isFlagged: boolean): boolean => {
  if (rate === undefined || rate.value === 0n) return false
  const value = toDouble(rate)
  return isFlagged ? value <= 1 : value >= 0.01 && value < 1
}

/**
 * The rates that look like fractions of 1: all up to 1 if the request is flagged; otherwise those that are implausible in
 * percent. A reply rate below 1% is common: without the flag it counts only if other rates look like fractions too.
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
export const checkUnits: Advice = ({ assumptions: assumed, flags, plan: assumptions }) => {
  // A fraction is below every bound of the four required rates, so there is a flag, unless learned rates hide it.
  const isUsual = flags.length === 0 && assumed === assumptions
  if (isUsual && optionalRates.every((rate) => assumptions[rate] === undefined)) return undefined
  const found = fractions(assumptions, flags.includes("rates_look_like_fractions"))
  if (found.length === 0) return undefined
  const meant = Object.fromEntries(found.map((rate) => [rate, times(assumptions[rate] ?? zero, hundred)]))
  const sent = found.map((rate) => rateText(assumptions[rate] ?? zero))
  const percentages = found.map((rate) => rateText(meant[rate] ?? zero))
  const numbers = percentages.map((text) => text.slice(0, -1))
  const looks = found.length === 1 ? "looks like a fraction" : "look like fractions"
  const clients = countText(clientsWith(assumptions, meant))
  const now = countText(clientsWith(assumptions, {}))
  return (
    `Check the unit of the ${listed(found.map((rate) => rateLabel[rate]))}: ${listed(sent)} ${looks}. If you meant ` +
    `${listed(percentages)}, enter ${listed(numbers)}: ${emailsText(assumptions.emails_sent)} would bring ` +
    `${withNoun(clients, "client")}${clients === now ? "" : ` instead of ${now}`}.`
  )
}

/** The percentile above which the first recommendation says how rare such a reply rate is. */
const rare = 90

/** How rare the reply rate is among published campaigns, if it is. */
const rarity = ({ outlook: { rates } }: AssessedCampaign): string | undefined => {
  const { published_percentile: percentile } = rates.reply_rate
  return percentile > rare ? `more replies than ${percentile} of 100 published campaigns get` : undefined
}

/**
 * Asks about automatic replies, if hardly any reply is positive: without them, the reply rate falls, the positive one
 * rises, and their product stays.
 */
export const askAboutAutomaticReplies: Advice = (campaign) => {
  const { assumptions, flags } = campaign
  const { positive_reply_rate: positive, reply_rate: replies } = assumptions
  if (!flags.includes("low_positive_reply_rate") || replies.value === 0n) return undefined
  const shared = roundVisibly(percentOf(replies, positive), 2)
  const rare = rarity(campaign)
  const of = assumptions.delivery_rate === undefined ? "emails" : "delivered emails"
  return (
    `Do the replies include automatic ones? Then leave them out; positive replies stay ` +
    `${rateText(shared)} of ${of}.` +
    (rare === undefined
      ? ""
      : ` The reply rate, ${rateText(replies)}, is ${rare} (${references.repliesPerEmail.from}).`)
  )
}

/** The rate in the unit of its bound, if that makes a difference. */
const inOtherUnit = (assumptions: Assumptions, rate: BoundRate, { per }: RateBound): string => {
  const { emails_per_contact: perContact } = assumptions
  const other = rateIn(per, assumptions, rate)
  if (other === undefined || compare(other, assumptions[rate]) === 0) return ""
  if (per === "contact" && perContact !== undefined) {
    return ` (${rateText(other)} of contacts at ${show(round(perContact, 0))} emails each)`
  }
  const held = rate === "close_rate" ? heldOfBooked(assumptions) : undefined
  return held === undefined
    ? ` (${rateText(other)} of emails sent)`
    : ` (${rateText(other)} of booked meetings where ${rateText(held)} of them are held)`
}

/** The reply rate to send if it is already per contact. */
const perEmailNote = (
  { emails_per_contact: perContact, reply_rate }: Assumptions,
  high: ReadonlyArray<BoundRate>
): string =>
  high.includes("reply_rate") && perContact !== undefined && toDouble(perContact) > 1
    ? ` If ${rateText(reply_rate)} is already per contact, set reply_rate to ${show(quotient(reply_rate, perContact, 2))}.`
    : ""

/** A rate that is too good, in words, and the value that the campaign is tried with instead. */
interface TooGood {
  readonly rate: BoundRate
  readonly text: string
  readonly because: string
  readonly value: BigDecimal.BigDecimal
}

const tooGood = (campaign: AssessedCampaign, rate: BoundRate): TooGood => {
  const { assumptions } = campaign
  const { bound, value } = strictest(assumptions, rate, "high")
  const text = `the ${rateLabel[rate]} of ${rateText(assumptions[rate])}${inOtherUnit(assumptions, rate, bound)}`
  const rare = rate === "reply_rate" ? rarity(campaign) : undefined
  if (rare === undefined) return { rate, text, because: `${bound.because} (${bound.from})`, value }
  const published = references.repliesPerEmail
  const median = ownValue(published, assumptions, rate)
  const ofDelivered =
    compare(median, published.exact) === 0 ? "" : ` of emails sent, about ${rateText(median)} of those delivered`
  return {
    rate,
    text,
    because: `that is ${rare}, and half of them get fewer than ${rateText(published.exact)}${ofDelivered} (${published.from})`,
    value: median
  }
}

/** What a figure is compared with; nothing if both look the same. */
const insteadOf = (text: string, other: string): string => (text === other ? "" : ` instead of ${other}`)

/** What the ROI would be with other clients; nothing if the cost is not known, or if both look the same. */
const roiInstead = (campaign: AssessedCampaign, clients: Decimal, others: Decimal): string => {
  const { average_deal_value: value, campaign_cost: cost } = campaign.assumptions
  if (value === undefined || cost === undefined || !hasKnownCost(campaign)) return ""
  const roi = (of: Decimal) => show(quotient(times(of, value), cost, 1))
  const text = roi(clients)
  const instead = insteadOf(text, roi(others))
  return instead === "" ? "" : `, an ROI of ${text}${instead}`
}

/** Asks to check rates above every published figure, and says what the campaign brings at the highest published ones. */
export const checkOptimism: Advice = (campaign) => {
  const { assumptions, flags, funnel } = campaign
  const high: Array<TooGood> = []
  for (const rate of boundRates) {
    if (!flags.includes(optimisticFlag[rate])) continue
    // Automatic replies are asked about in their own sentence.
    if (rate !== "reply_rate" || !flags.includes("low_positive_reply_rate")) high.push(tooGood(campaign, rate))
  }
  if (high.length === 0) return undefined
  const clients = clientsWith(assumptions, changesTo(high))
  const money = flags.includes("negative_roi") ? "" : roiInstead(campaign, clients, funnel.clients)
  const [without, now] = [countText(clients), countText(funnel.clients)]
  const values = listed(high.map(({ value }) => rateText(value)))
  const result = `At ${values}, the campaign would bring ${withNoun(without, "client")} instead of ${now}${money}.`
  return (
    `Check ${high.map(({ because, text }, index) => `${index > 0 && index === high.length - 1 ? "and " : ""}${text}: ${because}`).join("; ")}.` +
    `${without === now ? "" : ` ${result}`}${perEmailNote(
      assumptions,
      high.map(({ rate }) => rate)
    )}`
  )
}

/** The smallest deviation from the planned clients that is worth a sentence. */
const farFromPlan = 0.2

/** A rate this close to its plan did not cause it. */
const nearPlan = 0.1

const distance = (now: BigDecimal.BigDecimal, planned: BigDecimal.BigDecimal): number =>
  Math.abs(toDouble(now) / toDouble(planned) - 1)

/** Explains how learned rates change the forecast, if the expected clients are far from the planned ones. */
export const planWithLearned: Advice = (campaign) => {
  const { assumptions, funnel, plan } = campaign
  if (assumptions === plan) return undefined
  const planned = clientsWith(plan, {})
  if (distance(funnel.clients, planned) < farFromPlan) return undefined
  const learned = rateNames.flatMap((rate) => {
    const [now, before] = [assumptions[rate], plan[rate]]
    return now === undefined || before === undefined || now === before ? [] : [{ before, now, rate }]
  })
  const different = learned.filter(({ before, now }) => distance(now, before) >= nearPlan)
  // Rates that are no better add up to more where they are uncertain: higher ones gain more than lower ones lose.
  const isUncertain = different.length === 0 && compare(funnel.clients, planned) > 0
  const named = different.length === 0 ? learned : different
  const rates = named.map(
    ({ before, now, rate }) => `a ${rateLabel[rate]} of ${rateText(now)} instead of ${rateText(before)}`
  )
  const finding = isUncertain
    ? "Your past campaigns are near your rates, but leave them uncertain, and higher ones gain more clients than lower ones lose: on average"
    : `Your past campaigns point to ${listed(rates)}. With that`
  const clients = countText(funnel.clients)
  return (
    `${finding}, ${emailsText(plan.emails_sent)} would bring ${withNoun(clients, "client")}` +
    `${insteadOf(clients, countText(planned))}${roiInstead(campaign, funnel.clients, planned)}; all figures are based on it.`
  )
}

/** With fewer expected clients than this, four of five campaigns win none. */
const hardlyAny = BigDecimal.make(2n, 1)
/** A rate is worth a sentence if it is below this part of a measured reference, or of a planning figure. */
const worthRaising = { measured: 0.9, planned: 0.75 } as const
/** Better rates are not advised if they cover less than this part of the cost. */
const nearlyPaid = 0.9

/** The clients and money that the same emails would bring at better rates. */
const outcome = ({ assumptions, flags, funnel }: AssessedCampaign, clients: BigDecimal.BigDecimal): string => {
  const { average_deal_value: value, campaign_cost: cost, emails_sent: emails } = assumptions
  const brings = `the same ${emailsText(emails)} would bring ${clientsText(clients)} instead of ${countText(funnel.clients)}`
  if (value === undefined || value.value === 0n || funnel.revenue === undefined) return brings
  const revenue = times(clients, value)
  if (!flags.includes("negative_roi") || cost === undefined) {
    return `${brings} and ${aboutText(round(minus(revenue, funnel.revenue), 2), "down")} more in revenue`
  }
  return compare(revenue, cost) < 0
    ? `${brings}, still ${aboutText(round(minus(cost, revenue), 2), "up")} short of the cost`
    : `${brings} and leave ${aboutText(round(minus(revenue, cost), 2), "down")} after the cost`
}

/**
 * True if better rates would hardly help: they win almost no client, or the campaign stays far from covering its cost.
 */
const isInVain = ({ assumptions, flags }: AssessedCampaign, clients: BigDecimal.BigDecimal): boolean => {
  const { average_deal_value: value, campaign_cost: cost } = assumptions
  if (compare(clients, hardlyAny) < 0) return true
  if (!flags.includes("negative_roi") || value === undefined || cost === undefined) return false
  return toDouble(times(clients, value)) < nearlyPaid * toDouble(cost)
}

/** A rate that is below its reference. */
interface BelowReference {
  readonly target: Target
  /** The rate in words, in the unit of its low bound too. */
  readonly now: string
  /** The rate over its reference. */
  readonly share: number
  /** The reason, if the rate is flagged as low. */
  readonly because: string | undefined
}

/**
 * The rates that are far below their references, the furthest first; flagged ones come before all others. Bounces, shows
 * and automatic replies have their own advice.
 */
const belowReference = (
  { assumptions, flags, outlook, plan }: AssessedCampaign,
  isMeasured: boolean
): ReadonlyArray<BelowReference> => {
  // A share of the replies of people says nothing about replies that include automatic ones.
  if (isMeasured && flags.includes("low_positive_reply_rate")) return []
  const found: Array<BelowReference> = []
  for (const rate of boundRates) {
    const reference = referenceOf(assumptions, rate)
    if (reference.isMeasured !== isMeasured || flags.includes(optimisticFlag[rate])) continue
    const now = assumptions[rate]
    const value = ownValue(reference, assumptions, rate)
    if (compare(now, value) >= 0) continue
    const share = toDouble(now) / toDouble(value)
    const isLow = flags.includes(lowFlag[rate])
    if (!isLow && share >= worthRaising[isMeasured ? "measured" : "planned"]) continue
    // The reference lies within the range of the learned rate.
    if (!isLow && now !== plan[rate] && toDouble(value) <= outlook.rates[rate].high) continue
    const target = targetOf(assumptions, rate)
    const { bound } = strictest(assumptions, rate, "low")
    const shown = `${rateText(now)}${inOtherUnit(assumptions, rate, bound)}`
    const { because, from } = bound
    const reason = from === target.from ? because : `${because} (${from})`
    found.push({ target, now: shown, share, because: isLow ? reason : undefined })
  }
  const low = found.filter(({ because }) => because !== undefined)
  return low.length > 0 ? low : found.toSorted((a, b) => a.share - b.share).slice(0, 1)
}

/** Advises to raise a rate that is far below a measured figure, and says what that would bring. */
export const raiseMeasured: Advice = (campaign) => {
  const { assumptions } = campaign
  const [first] = belowReference(campaign, true)
  if (first === undefined || isBeyondSending(assumptions)) return undefined
  const { because, now, target } = first
  const clients = clientsWith(assumptions, changesTo([target]))
  if (isInVain(campaign, clients)) return undefined
  const result = outcome(campaign, clients)
  return because === undefined
    ? `Work on the ${rateLabel[target.rate]}: at ${rateText(target.value)} (${target.source}) instead of ${now}, ${result}.`
    : `Raise the ${rateLabel[target.rate]} of ${now}: ${because}. At ${rateText(target.value)} (${target.source}), ${result}.`
}

/** Points to rates that are far below planning figures; what nobody has measured promises no clients and no money. */
export const reviewPlanned: Advice = (campaign) => {
  const { assumptions } = campaign
  const planned = belowReference(campaign, false)
  const [first] = planned
  if (first === undefined || isBeyondSending(assumptions)) return undefined
  if (first.because === undefined && belowReference(campaign, true).length > 0) return undefined
  const targets = planned.map(({ target }) => target)
  if (isInVain(campaign, clientsWith(assumptions, changesTo(targets)))) return undefined
  const figures = targets.map(
    ({ rate, source, value }) =>
      `a ${rateLabel[rate]} of ${rateText(assumptions[rate] ?? zero)} where plans count on ${rateText(value)} (${source})`
  )
  const remedies = targets.map(({ rate }) => rates[rate].remedy)
  return `You have ${listed(figures)}: ${listed(remedies)}.`
}
