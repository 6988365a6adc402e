import { Struct } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { membersOf } from "../../campaign/Fields.ts"
import { isOptional, type OptionalRate, type RateName, rateNames, rateTo, rates } from "../../campaign/Rates.ts"
import {
  type BoundRate,
  fewestPublished,
  type OptionalFigures,
  optionalFigures,
  type RateBound,
  rateBounds,
  type Reference,
  references,
  type Unit
} from "./Thresholds.ts"
import {
  compare,
  type Decimal,
  hundred,
  one,
  percentOf,
  quotient,
  quotientDown,
  quotientUp,
  type Ratio,
  round,
  show,
  times,
  toDouble,
  isZero,
  whole
} from "../Decimal.ts"
import type { Change } from "../Campaign.ts"
import { listed, rateText } from "../Words.ts"

/** The labels of rates in sentences. */
export const rateLabel = membersOf(rateNames, (name) => rates[name].form.label.toLowerCase())

/** The rates that change if automatic replies are left out; their product stays. */
export const automaticRates: ReadonlyArray<RateName> = ["reply_rate", "positive_reply_rate"]

export const boundRates = Struct.keys(rateBounds)

export const hasBounds = (rate: RateName): rate is BoundRate => Object.hasOwn(rateBounds, rate)

/** True if a campaign has a rate, and it is a step: one of 100% is none. */
const isStep = (assumptions: Assumptions, rate: RateName): boolean => {
  const share = assumptions[rate]
  return share !== undefined && compare(share, hundred) !== 0
}

/** True if meetings are a step of a campaign; if not, its clients are a share of positive replies. */
export const hasMeetings = (assumptions: Assumptions): boolean => isStep(assumptions, "meeting_booking_rate")

/** True if a campaign is smaller than every published one: its replies vary more. */
export const isBelowPublished = ({ emails_sent }: Pick<Assumptions, "emails_sent">): boolean =>
  toDouble(emails_sent) < fewestPublished

/** True if a rate is compared with published figures, of which there are none per positive reply on clients. */
export const isCompared = (assumptions: Assumptions, rate: RateName): boolean =>
  isStep(assumptions, rate) && (rate !== "close_rate" || hasMeetings(assumptions))

const published: { readonly [rate in RateName]?: OptionalFigures } = optionalFigures

/** A figure is compared with a rate either as a bound, beyond which it is flagged, or as a reference of advice. */
type FigureKind = "bounds" | "references"

/** The rates on the way from those that a figure is per to the cases of another rate. */
interface Way {
  /** The optional rate without which a request does not know those that the figure is per. */
  readonly takes: OptionalRate | undefined
  readonly rates: ReadonlyArray<RateName>
}

const wayTo = (unit: Unit, rate: RateName): Way => {
  const from = rateTo(unit === "contact" ? "delivered email" : unit)
  const way = rateNames.slice(from === undefined ? 0 : rateNames.indexOf(from) + 1, rateNames.indexOf(rate))
  return { takes: unit !== "contact" && from !== undefined && isOptional(from) ? from : undefined, rates: way }
}

const ways = membersOf(rateNames, () => new Map<Unit, Way>())

/** `wayTo`, remembered: each forecast takes many. */
const wayOf = (unit: Unit, rate: RateName): Way => {
  const known = ways[rate].get(unit)
  if (known !== undefined) return known
  const way = wayTo(unit, rate)
  ways[rate].set(unit, way)
  return way
}

/** The share of a rate with which a later rate is compared: of some rates at least the usual one. */
const shareIn = (kind: FigureKind, assumptions: Assumptions, rate: RateName): Decimal | undefined => {
  if (!isStep(assumptions, rate)) return undefined
  const share = assumptions[rate]
  const figures = published[rate]
  if (share === undefined || figures === undefined) return share
  const isAtLeast = kind === "references" || figures.atLeastIn === "bounds and references"
  return isAtLeast && compare(share, figures.reference.exact) < 0 ? figures.reference.exact : share
}

/**
 * The factor that converts a rate of the request to one per `unit`; undefined if the request lacks what it takes. An
 * optional rate of 100% is as good as missing.
 */
const factorTo = (kind: FigureKind, unit: Unit, rate: RateName, assumptions: Assumptions): Decimal | undefined => {
  const { rates: way, takes } = wayOf(unit, rate)
  let factor: Decimal | undefined = unit === "contact" ? assumptions.emails_per_contact : one
  if (factor === undefined || (takes !== undefined && !isStep(assumptions, takes))) return undefined
  for (const name of way) {
    const share = shareIn(kind, assumptions, name)
    if (share !== undefined) factor = percentOf(factor, share)
  }
  return factor
}

/** A rate of the request, in percent per `unit`; undefined if the request lacks what it takes to convert it. */
export const rateIn = (unit: Unit, assumptions: Assumptions, rate: BoundRate): Decimal | undefined => {
  const factor = factorTo("bounds", unit, rate, assumptions)
  return factor === undefined ? undefined : times(assumptions[rate], factor)
}

/** Those that a figure is per, in words. */
const unitWords = (unit: Unit, { emails_per_contact: perContact }: Assumptions): string => {
  if (unit === "contact") return `contacts at ${show(round(perContact ?? one, 0))} emails each`
  const from = rateTo(unit)
  return from === undefined ? "emails sent" : rates[from].passed.words
}

/** The shares that a comparison takes for rates on its way: `where 80% of them are held`. */
const taken = (assumptions: Assumptions, names: ReadonlyArray<RateName>, kind: FigureKind): string => {
  const shares = names.flatMap((name) => {
    const share = shareIn(kind, assumptions, name)
    const pass = published[name]?.pass
    return share === undefined || pass === undefined ? [] : [`${rateText(share)} ${pass}`]
  })
  return shares.length === 0 ? "" : ` where ${listed(shares)}`
}

/** A rate in words, in the unit of a bound too if that makes a difference. */
export const inUnitOf = ({ per }: RateBound, assumptions: Assumptions, rate: BoundRate): string => {
  const own = assumptions[rate]
  const other = rateIn(per, assumptions, rate)
  if (other === undefined || compare(other, own) === 0) return rateText(own)
  const assumed = wayOf(per, rate).rates.filter((name) => published[name]?.atLeastIn === "bounds and references")
  return `${rateText(own)} (${rateText(other)} of ${unitWords(per, assumptions)}${taken(assumptions, assumed, "bounds")})`
}

/** A figure in the unit of the request's own rate, exactly as a quotient; undefined without a share to convert it by. */
const ownRatio = (
  kind: FigureKind,
  { exact, per }: RateBound,
  assumptions: Assumptions,
  rate: RateName
): Ratio | undefined => {
  const factor = factorTo(kind, per, rate, assumptions)
  return factor === undefined || isZero(factor) ? undefined : { numerator: exact, denominator: factor }
}

/** A published figure in the unit of the request's own rate, to hundredths of a percent. */
export const ownValue = (reference: RateBound, assumptions: Assumptions, rate: RateName): Decimal => {
  const own = ownRatio("references", reference, assumptions, rate)
  if (own === undefined || own.denominator === one) return reference.exact
  return quotient(own.numerator, own.denominator, 2)
}

/** A bound of a rate that holds for a request, and its value in the request's own unit. */
export interface OwnBound {
  readonly bound: RateBound
  readonly value: Decimal
}

/**
 * The strictest bound of a rate on one side: with its `value` the rate is not flagged, with one hundredth of a percent
 * beyond it, it is.
 */
export const strictest = (assumptions: Assumptions, rate: BoundRate, side: "low" | "high"): OwnBound => {
  const bounds = rateBounds[rate][side]
  const divide = side === "low" ? quotientUp : quotientDown
  let best: OwnBound = { bound: bounds[0], value: hundred }
  for (const bound of bounds) {
    const ratio = ownRatio("bounds", bound, assumptions, rate)
    if (ratio === undefined) continue
    const exact = divide(ratio.numerator, ratio.denominator, 2)
    const value = compare(exact, hundred) > 0 ? hundred : exact
    if (bound === bounds[0] || compare(value, best.value) < 0 === (side === "high")) best = { bound, value }
  }
  return best
}

/** The lowest and the highest published values of a rate, in the request's own unit; undefined if there are none. */
export const spanOf = (assumptions: Assumptions, rate: RateName): OptionalFigures["span"] | undefined =>
  hasBounds(rate) && isCompared(assumptions, rate)
    ? [strictest(assumptions, rate, "low").value, strictest(assumptions, rate, "high").value]
    : published[rate]?.span

/**
 * The highest value that advice suggests for a rate, in the request's own unit: the highest one that is not flagged, or
 * for optional rates the usual one; undefined if nothing is published.
 */
export const ceilingOf = (assumptions: Assumptions, rate: RateName): Decimal | undefined =>
  isCompared(assumptions, rate)
    ? hasBounds(rate)
      ? strictest(assumptions, rate, "high").value
      : published[rate]?.reference.exact
    : undefined

const smallest = whole(5000)
const middle = whole(20_000)
const large = whole(100_000)

const closeReference = (dealValue: Decimal | undefined): Reference => {
  if (dealValue === undefined || isZero(dealValue)) return references.closed
  if (compare(dealValue, smallest) < 0) return references.closedOfSmallDeals
  if (compare(dealValue, middle) <= 0) return references.closedOfMiddleDeals
  return compare(dealValue, large) <= 0 ? references.closedOfLargeDeals : references.closedOfHugeDeals
}

/** The published figures that advice compares rates with which every campaign has. */
const chosen: { readonly [rate in RateName]?: (assumptions: Assumptions) => Reference } = {
  reply_rate: ({ emails_per_contact: perContact }) =>
    perContact === undefined || compare(perContact, one) === 0
      ? references.repliesPerEmail
      : references.repliesPerContact,
  positive_reply_rate: () => references.positive,
  meeting_booking_rate: () => references.booked,
  close_rate: ({ average_deal_value }) => closeReference(average_deal_value)
}

/** The published figure that advice compares a rate with; undefined if there is none. */
export const referenceOf = (assumptions: Assumptions, rate: RateName): Reference | undefined =>
  assumptions[rate] === undefined || isCompared(assumptions, rate)
    ? (chosen[rate]?.(assumptions) ?? published[rate]?.reference)
    : undefined

/** The value that advice would raise a rate to, in percent, in the request's own unit. */
export interface Target {
  readonly rate: RateName
  readonly value: Decimal
  /** A description of the value, with its publisher. */
  readonly source: string
  readonly from: string
}

/** The target of a rate; undefined if nothing is published. */
export const targetOf = (assumptions: Assumptions, rate: RateName): Target | undefined => {
  const reference = referenceOf(assumptions, rate)
  if (reference === undefined) return undefined
  const { because, from, per, value } = reference
  const way = wayOf(per, rate).rates.filter((name) => isStep(assumptions, name))
  const raised = way.filter(
    (name) =>
      published[name]?.atLeastIn === "references" && shareIn("references", assumptions, name) !== assumptions[name]
  )
  const unit = `${unitWords(per, assumptions)}${taken(assumptions, raised, "references")}`
  const isOwn = per !== "contact" && way.length === 0
  return {
    rate,
    value: ownValue(reference, assumptions, rate),
    source: `${isOwn ? "" : `${value}% of ${unit}, `}${because}, ${from}`,
    from
  }
}

/** The publishers of targets, without duplicates. */
export const sourcesOf = (targets: ReadonlyArray<Target>): string =>
  [...new Set(targets.map(({ from }) => from))].join("; ")

/** The rates of targets, changed to their values. */
export const changesTo = (targets: ReadonlyArray<Pick<Target, "rate" | "value">>): Change => {
  const change: { -readonly [rate in RateName]?: Decimal } = {}
  for (const { rate, value } of targets) change[rate] = value
  return change
}
