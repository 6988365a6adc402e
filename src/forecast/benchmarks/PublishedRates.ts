import { Struct } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { membersOf } from "../../campaign/Fields.ts"
import { isOptional, type RateName, rateNames, rates } from "../../campaign/Rates.ts"
import {
  type BoundRate,
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
  isZero,
  whole
} from "../Decimal.ts"
import type { Change } from "../Campaign.ts"
import { rateText } from "../Words.ts"

/** The labels of rates in sentences. */
export const rateLabel = membersOf(rateNames, (name) => rates[name].form.label.toLowerCase())

/** The rates that change if automatic replies are left out; their product stays. */
export const automaticRates: ReadonlyArray<RateName> = ["reply_rate", "positive_reply_rate"]

export const boundRates = Struct.keys(rateBounds)

/**
 * The percentage of booked meetings that are held, for comparing a close rate per held meeting with figures per booked
 * meeting. At least the usual one: a low show rate must not make the close rate look low.
 */
const heldOfBooked = ({ show_rate: showRate }: Assumptions): Decimal | undefined =>
  showRate !== undefined && compare(showRate, references.held.exact) < 0 ? references.held.exact : showRate

/** The factor that converts a rate of the request to one per `unit`; undefined if the request lacks what it takes. */
const factorTo = (unit: Unit, rate: RateName, assumptions: Assumptions): Decimal | undefined => {
  const { delivery_rate: delivered, emails_per_contact: perContact, show_rate: shown } = assumptions
  if (rate === "reply_rate" && unit === "email") return delivered === undefined ? one : percentOf(one, delivered)
  if (rate === "reply_rate" && unit === "contact") return perContact
  if (rate === "close_rate" && unit === "held meeting") return shown === undefined ? undefined : one
  const held = rate === "close_rate" && unit === "booked meeting" ? heldOfBooked(assumptions) : undefined
  return held === undefined ? one : percentOf(one, held)
}

/** A rate of the request, in percent per `unit`; undefined if the request lacks what it takes to convert it. */
export const rateIn = (unit: Unit, assumptions: Assumptions, rate: BoundRate): Decimal | undefined => {
  const factor = factorTo(unit, rate, assumptions)
  return factor === undefined ? undefined : times(assumptions[rate], factor)
}

/** A rate in words, in the unit of a bound too if that makes a difference. */
export const inUnitOf = ({ per }: RateBound, assumptions: Assumptions, rate: BoundRate): string => {
  const { [rate]: own, emails_per_contact: perContact } = assumptions
  const other = rateIn(per, assumptions, rate)
  if (other === undefined || compare(other, own) === 0) return rateText(own)
  const inBound = `${rateText(own)} (${rateText(other)} of`
  if (per === "contact" && perContact !== undefined) {
    return `${inBound} contacts at ${show(round(perContact, 0))} emails each)`
  }
  const held = rate === "close_rate" ? heldOfBooked(assumptions) : undefined
  return held === undefined
    ? `${inBound} emails sent)`
    : `${inBound} booked meetings where ${rateText(held)} of them are held)`
}

/** A bound in the unit of the request's own rate, exactly as a quotient; undefined without a share to convert it by. */
const ownRatio = ({ exact, per }: RateBound, assumptions: Assumptions, rate: RateName): Ratio | undefined => {
  const factor = factorTo(per, rate, assumptions)
  return factor === undefined || isZero(factor) ? undefined : { numerator: exact, denominator: factor }
}

const isPoorlyDelivered = ({ delivery_rate: rate }: Assumptions): boolean =>
  rate !== undefined && compare(rate, references.delivered.exact) < 0

/** The same with at least the usual deliveries: a list with many bounces must not make the reply rate look low. */
const withUsualDelivery = (assumptions: Assumptions): Assumptions =>
  isPoorlyDelivered(assumptions) ? { ...assumptions, delivery_rate: references.delivered.exact } : assumptions

/** A published figure in the unit of the request's own rate, to hundredths of a percent. */
export const ownValue = (bound: RateBound, assumptions: Assumptions, rate: RateName): Decimal => {
  const own = ownRatio(bound, withUsualDelivery(assumptions), rate)
  if (own === undefined || own.denominator === one) return bound.exact
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
    const ratio = ownRatio(bound, assumptions, rate)
    if (ratio === undefined) continue
    const exact = divide(ratio.numerator, ratio.denominator, 2)
    const value = compare(exact, hundred) > 0 ? hundred : exact
    if (bound === bounds[0] || compare(value, best.value) < 0 === (side === "high")) best = { bound, value }
  }
  return best
}

/** The lowest value of a rate, in the request's own unit, that is not flagged as low. */
export const floorOf = (assumptions: Assumptions, rate: BoundRate): Decimal => strictest(assumptions, rate, "low").value

/**
 * The highest value that advice suggests for a rate, in the request's own unit: the highest one that is not flagged, or
 * for optional rates the usual one.
 */
export const ceilingOf = (assumptions: Assumptions, rate: RateName): Decimal =>
  isOptional(rate) ? optionalFigures[rate].reference.exact : strictest(assumptions, rate, "high").value

const smallest = whole(5000)
const middle = whole(20_000)
const large = whole(100_000)

const closeReference = (dealValue: Decimal | undefined): Reference => {
  if (dealValue === undefined || isZero(dealValue)) return references.closed
  if (compare(dealValue, smallest) < 0) return references.closedOfSmallDeals
  if (compare(dealValue, middle) <= 0) return references.closedOfMiddleDeals
  return compare(dealValue, large) <= 0 ? references.closedOfLargeDeals : references.closedOfHugeDeals
}

/** The published figure that advice compares a rate with. */
export const referenceOf = ({ average_deal_value, emails_per_contact }: Assumptions, rate: RateName): Reference => {
  if (isOptional(rate)) return optionalFigures[rate].reference
  switch (rate) {
    case "reply_rate":
      return emails_per_contact === undefined || compare(emails_per_contact, one) === 0
        ? references.repliesPerEmail
        : references.repliesPerContact
    case "positive_reply_rate":
      return references.positive
    case "meeting_booking_rate":
      return references.booked
    case "close_rate":
      return closeReference(average_deal_value)
  }
}

/** The value that advice would raise a rate to, in percent, in the request's own unit. */
export interface Target {
  readonly rate: RateName
  readonly value: Decimal
  /** A description of the value, with its publisher. */
  readonly source: string
  readonly from: string
}

export const targetOf = (assumptions: Assumptions, rate: RateName): Target => {
  const reference = referenceOf(assumptions, rate)
  const { because, from, per, value } = reference
  const { delivery_rate, emails_per_contact: perContact, show_rate } = assumptions
  const unitOf = (): string => {
    if (per === "contact" && perContact !== undefined) return `contacts at ${show(round(perContact, 0))} emails each`
    if (rate === "close_rate" && show_rate !== undefined) return "booked meetings"
    if (rate !== "reply_rate" || delivery_rate === undefined) return ""
    return isPoorlyDelivered(assumptions) ? `emails sent where ${references.delivered.value}% arrive` : "emails sent"
  }
  const unit = unitOf()
  const inUnit = unit === "" ? "" : `${value}% of ${unit}, `
  return {
    rate,
    value: ownValue(reference, assumptions, rate),
    source: `${inUnit}${because}, ${from}`,
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
