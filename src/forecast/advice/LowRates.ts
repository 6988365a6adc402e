import { expectedAt, revenueFrom } from "../Campaign.ts"
import { rates } from "../../campaign/Rates.ts"
import type { AssessedCampaign } from "../benchmarks/RiskFlags.ts"
import { type Advice, isBeyondSending } from "./Advice.ts"
import {
  boundRates,
  changesTo,
  inUnitOf,
  isCompared,
  ownValue,
  rateLabel,
  strictest,
  referenceOf,
  targetOf
} from "../benchmarks/PublishedRates.ts"
import { clientsText, countText, emailsText, listed, rateText } from "../Words.ts"
import { compare, minus, toDouble, zero, isZero, type Decimal } from "../Decimal.ts"
import { lowFlag, optimisticFlag } from "../benchmarks/RiskFlags.ts"
import { aboutAtLeast, aboutAtMost } from "../../text/Figures.ts"
import type { BoundRate } from "../benchmarks/Thresholds.ts"

/** With fewer expected clients than this, four of five campaigns win none. */
const hardlyAny = { value: 2, scale: 1 }
/** A rate is worth a sentence if it is below this part of a measured reference, or of a planning figure. */
const worthRaising = { measured: 0.9, planned: 0.75 } as const
/** Better rates are not advised if they cover less than this part of the cost. */
const nearlyPaid = 0.9

/** The clients and money that the same emails would bring at better rates. */
const outcome = ({ campaign, flags, funnel }: AssessedCampaign, clients: Decimal): string => {
  const { campaign_cost: cost, emails_sent: emails } = campaign
  const brings = `the same ${emailsText(emails)} would bring ${clientsText(clients)} instead of ${countText(funnel.clients)}`
  const revenue = revenueFrom(campaign, clients)
  if (revenue === undefined || isZero(revenue) || funnel.revenue === undefined) return brings
  if (!flags.includes("negative_roi") || cost === undefined) {
    return `${brings} and ${aboutAtMost(toDouble(minus(revenue, funnel.revenue)))} more in revenue`
  }
  return compare(revenue, cost) < 0
    ? `${brings}, still ${aboutAtLeast(toDouble(minus(cost, revenue)))} short of the cost`
    : `${brings} and leave ${aboutAtMost(toDouble(minus(revenue, cost)))} after the cost`
}

/**
 * True if better rates would hardly help: they win almost no client, or the campaign stays far from covering its cost.
 */
const isInVain = ({ campaign, flags }: AssessedCampaign, clients: Decimal): boolean => {
  if (compare(clients, hardlyAny) < 0) return true
  if (!flags.includes("negative_roi")) return false
  const { campaign_cost: cost } = campaign
  const revenue = revenueFrom(campaign, clients)
  if (revenue === undefined || cost === undefined) return false
  return toDouble(revenue) < nearlyPaid * toDouble(cost)
}

/** A rate that is below its reference. */
interface BelowReference {
  readonly rate: BoundRate
  readonly isFlagged: boolean
}

/**
 * The flagged rates that are below their references or, without any, the one that is furthest below. Bounces, shows and
 * automatic replies have their own advice.
 */
const belowReference = (
  { campaign, flags, inDoubt = [], outlook, plan }: AssessedCampaign,
  isMeasured: boolean
): ReadonlyArray<BelowReference> => {
  // A share of the replies of people says nothing about replies that include automatic ones.
  if (isMeasured && flags.includes("low_positive_reply_rate")) return []
  const flagged: Array<BelowReference> = []
  let furthest: BelowReference | undefined
  let least: number = worthRaising[isMeasured ? "measured" : "planned"]
  for (const rate of boundRates) {
    const reference = isCompared(campaign, rate) ? referenceOf(campaign, rate) : undefined
    if (reference?.isMeasured !== isMeasured || flags.includes(optimisticFlag[rate]) || inDoubt.includes(rate)) continue
    const now = campaign[rate]
    const value = ownValue(reference, campaign, rate)
    if (compare(now, value) >= 0) continue
    if (flags.includes(lowFlag[rate])) {
      flagged.push({ rate, isFlagged: true })
      continue
    }
    const share = toDouble(now) / toDouble(value)
    // The reference lies within the range of the learned rate.
    if (share >= least || (now !== plan[rate] && toDouble(value) <= outlook.rates[rate].high)) continue
    furthest = { rate, isFlagged: false }
    least = share
  }
  return flagged.length > 0 || furthest === undefined ? flagged : [furthest]
}

/** Advises to raise a rate that is far below a measured figure, and says what that would bring. */
const raiseMeasured = (assessed: AssessedCampaign, areFlagged: boolean): string | undefined => {
  const { campaign } = assessed
  const [first] = belowReference(assessed, true)
  if (first?.isFlagged !== areFlagged || isBeyondSending(campaign)) return undefined
  const { isFlagged, rate } = first
  const target = targetOf(campaign, rate)
  if (target === undefined) return undefined
  const clients = expectedAt(campaign, "clients", changesTo([target]))
  if (isInVain(assessed, clients)) return undefined
  const result = outcome(assessed, clients)
  const { bound } = strictest(campaign, rate, "low")
  const now = inUnitOf(bound, campaign, rate)
  if (!isFlagged)
    return `Work on the ${rateLabel[rate]}: at ${rateText(target.value)} (${target.source}) instead of ${now}, ${result}.`
  const because = bound.from === target.from ? bound.because : `${bound.because} (${bound.from})`
  return `Raise the ${rateLabel[rate]} of ${now}: ${because}. At ${rateText(target.value)} (${target.source}), ${result}.`
}

/** Points to rates that are far below planning figures; what nobody has measured promises no clients and no money. */
const reviewPlanned = (assessed: AssessedCampaign, areFlagged: boolean): string | undefined => {
  const { campaign } = assessed
  const planned = belowReference(assessed, false)
  const [first] = planned
  if (first?.isFlagged !== areFlagged || isBeyondSending(campaign)) return undefined
  if (!first.isFlagged && belowReference(assessed, true).length > 0) return undefined
  const targets = planned.flatMap(({ rate }) => targetOf(campaign, rate) ?? [])
  if (isInVain(assessed, expectedAt(campaign, "clients", changesTo(targets)))) return undefined
  const figures = targets.map(
    ({ rate, source, value }) =>
      `a ${rateLabel[rate]} of ${rateText(campaign[rate] ?? zero)} where plans count on ${rateText(value)} (${source})`
  )
  const remedies = targets.map(({ rate }) => rates[rate].remedy)
  return `You have ${listed(figures)}: ${listed(remedies)}.`
}

/** The same for flagged rates, which come before any volume, and for others. */
export const raiseFlagged: Advice = (assessed) => raiseMeasured(assessed, true)
export const raiseFurthest: Advice = (assessed) => raiseMeasured(assessed, false)
export const reviewFlagged: Advice = (assessed) => reviewPlanned(assessed, true)
export const reviewFurthest: Advice = (assessed) => reviewPlanned(assessed, false)
