import { countsOfRate, passedAt, type PassedName } from "../../campaign/Rates.ts"
import { expectedAt, rateNames, revenueFrom } from "../Campaign.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import type { AssessedCampaign } from "../benchmarks/RiskFlags.ts"
import { type Advice, hasKnownCost, insteadOf, positiveStay, wouldBring } from "./Advice.ts"
import {
  boundRates,
  isBelowPublished,
  isCompared,
  changesTo,
  inUnitOf,
  ownValue,
  rateLabel,
  sourcesOf,
  strictest,
  targetOf
} from "../benchmarks/PublishedRates.ts"
import { clientsText, countText, listed, rateText, withNoun } from "../Words.ts"
import { compare, type Decimal, percentOf, quotient, show, toDouble, isZero, one, whole } from "../Decimal.ts"
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

/** The percentile above which the first recommendation says how rare such a reply rate is. */
const rare = 90

/** The rarity of the reply rate among published campaigns, if it is rare. */
const rarity = ({ campaign, outlook: { rates } }: AssessedCampaign): string | undefined => {
  const { published_percentile: percentile } = rates.reply_rate
  if (percentile <= rare) return undefined
  const size = isBelowPublished(campaign) ? ` of ${fewestPublished} emails or more` : ""
  return `more replies than ${percentile} of 100 published campaigns${size} get`
}

/** True if a reply rate above all but a tenth of published ones may be of contacts, who get several emails each. */
export const mayBeOfContacts = ({ campaign, flags, plan }: AssessedCampaign): boolean =>
  flags.includes("optimistic_reply_rate") &&
  plan.emails_per_contact === undefined &&
  campaign.reply_rate === plan.reply_rate

/**
 * Asks about automatic replies, if hardly any reply is positive: without them, the reply rate falls, the positive one
 * rises, and their product stays.
 */
export const askAboutAutomaticReplies: Advice = (assessed) => {
  const { campaign, flags } = assessed
  const { reply_rate: replies } = campaign
  // Hardly any reply is automatic where hardly anybody replies.
  const isAsked = flags.includes("low_positive_reply_rate") && !flags.includes("low_reply_rate")
  if (!isAsked || isZero(replies) || mayBeOfContacts(assessed)) return undefined
  const rare = rarity(assessed)
  return (
    `Do the replies include automatic ones? Then leave them out; ${positiveStay(campaign)}.` +
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
    because: `that is ${rare} (half of them get fewer than ${rateText(published.exact)}${ofOwn}: ${published.from})`,
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

/** The emails that each contact is taken to get, for an example. */
export const emailsEach = 3

/** Asks whether a high reply rate is of contacts, and says how rare it is if it is of emails. */
export const askAboutContacts: Advice = (assessed) => {
  if (!mayBeOfContacts(assessed)) return undefined
  const { campaign, flags, funnel } = assessed
  const { reply_rate: replies } = campaign
  const each = quotient(replies, whole(emailsEach), 2)
  const now = countText(funnel.clients)
  const clientsAt = (reply_rate: Decimal) => expectedAt(campaign, "clients", { reply_rate })
  const question =
    `Is ${rateText(replies)} of contacts meant? Then divide it by the emails that each gets: with ${emailsEach}, enter a reply ` +
    `rate of ${show(each)} and ${emailsEach} emails per contact, which bring ${clientsText(clientsAt(each))}${insteadOf(countText(clientsAt(each)), now)}. If it is of emails, `
  if (flags.includes("low_positive_reply_rate"))
    return `${question}leave automatic replies out; ${positiveStay(campaign)}.`
  const { because, value } = tooGood(assessed, "reply_rate")
  const clients = clientsAt(value)
  const money = flags.includes("negative_roi") ? "" : roiInstead(assessed, clients, funnel.clients)
  return `${question}${because}. At ${rateText(value)}, the campaign would bring ${clientsText(clients)}${insteadOf(countText(clients), now)}${money}.`
}

/** The part of its highest published value from which a rate is at the top. */
const top = whole(90)

/** Asks about rates that are all close to the highest published ones, if none is above. */
export const askAboutAllRates: Advice = ({ campaign, flags, funnel }) => {
  const highest = boundRates.map((rate) => ({ rate, value: strictest(campaign, rate, "high").value }))
  const isTop = highest.every(
    ({ rate, value }) =>
      isCompared(campaign, rate) &&
      !flags.includes(optimisticFlag[rate]) &&
      compare(campaign[rate], percentOf(value, top)) >= 0
  )
  if (!isTop) return undefined
  const usual = boundRates.flatMap((rate) => targetOf(campaign, rate) ?? [])
  const values = usual.map(({ value }) => rateText(value))
  return (
    `Are all four rates your own? Each is at least ${show(top)}% of the highest published one (${listed(highest.map(({ value }) => rateText(value)))}). ` +
    `At the usual ${listed(values)}, the campaign would bring ${withNoun(countText(expectedAt(campaign, "clients", changesTo(usual))), "client")} ` +
    `instead of ${countText(funnel.clients)}.`
  )
}

/** Asks to check rates above all published figures, and says what the campaign brings at the highest of those. */
export const checkOptimism: Advice = (assessed) => {
  const { campaign, flags, funnel } = assessed
  const high: Array<TooGood> = []
  for (const rate of boundRates) {
    if (!flags.includes(optimisticFlag[rate])) continue
    // Automatic replies, replies of contacts, and a past campaign unlike the others have sentences of their own.
    const isAsked =
      flags.includes("low_positive_reply_rate") || mayBeOfContacts(assessed) || assessed.unlike !== undefined
    if (rate !== "reply_rate" || !isAsked) high.push(tooGood(assessed, rate))
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
    ? "Your past campaigns are near your rates, but leave them uncertain. Higher rates gain more clients than lower ones lose: on average"
    : `Your past campaigns point to ${listed(rates)}. With that`
  return (
    `${finding}, ${wouldBring(plan, funnel.clients, planned)}${roiInstead(assessed, funnel.clients, planned)}. ` +
    `All figures are based on it.`
  )
}
