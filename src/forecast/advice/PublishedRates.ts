import { BigDecimal, Struct } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { membersOf } from "../../campaign/Fields.ts"
import { isOptional, type RateName, rateNames, rates } from "../../campaign/Rates.ts"
import {
  type BoundRate,
  lowCloseOfHeld,
  optionalFigures,
  type RateBound,
  rateBounds,
  type Reference,
  references,
  type Unit
} from "../benchmarks/Thresholds.ts"
import { compare, one, percentOf, quotient, round, show, times } from "../Decimal.ts"
import { expectedAt } from "../Campaign.ts"

type Decimal = BigDecimal.BigDecimal

/** The labels of rates in sentences. */
export const rateLabel = membersOf(rateNames, (name) => rates[name].form.label.toLowerCase())

export const boundRates = Struct.keys(rateBounds)

/**
 * The percentage of booked meetings that are held, for comparing a close rate per held meeting with figures per booked
 * meeting. At least the usual one: a low show rate must not make the close rate look low.
 */
export const heldOfBooked = ({ show_rate: showRate }: Assumptions): Decimal | undefined =>
  showRate !== undefined && compare(showRate, references.held.exact) < 0 ? references.held.exact : showRate

/** The factor that converts a rate of the request to a rate per `unit`. */
const factorTo = (unit: Unit, rate: RateName, assumptions: Assumptions): Decimal => {
  if (rate === "reply_rate" && unit === "contact") return assumptions.emails_per_contact ?? one
  const held = rate === "close_rate" && unit === "booked meeting" ? heldOfBooked(assumptions) : undefined
  return held === undefined ? one : percentOf(one, held)
}

/** A rate of the request, in percent per `unit`. */
export const rateIn = (unit: Unit, assumptions: Assumptions, rate: BoundRate): Decimal =>
  times(assumptions[rate], factorTo(unit, rate, assumptions))

/** A published figure in the unit of the request's own rate, to hundredths of a percent. */
const inOwnUnit = ({ exact, per }: RateBound, assumptions: Assumptions, rate: RateName): Decimal => {
  const factor = factorTo(per, rate, assumptions)
  return factor === one ? exact : BigDecimal.make(quotient(exact, factor, 2).units, 2)
}

/** The bound below which a rate is flagged. */
export const lowBoundOf = ({ show_rate }: Assumptions, rate: BoundRate): RateBound =>
  rate === "close_rate" && show_rate !== undefined ? lowCloseOfHeld : rateBounds[rate].low

/** The lowest value of a rate, in the request's own unit, that is not flagged as low. */
export const floorOf = (assumptions: Assumptions, rate: BoundRate): Decimal =>
  inOwnUnit(lowBoundOf(assumptions, rate), assumptions, rate)

/** The highest value that advice suggests for a rate, in the request's own unit: the highest published, or for optional rates the usual one. */
export const ceilingOf = (assumptions: Assumptions, rate: RateName): Decimal =>
  isOptional(rate) ? optionalFigures[rate].reference.exact : inOwnUnit(rateBounds[rate].high, assumptions, rate)

const smallest = BigDecimal.make(5000n, 0)
const middle = BigDecimal.make(20_000n, 0)
const large = BigDecimal.make(100_000n, 0)

const closeReference = (dealValue: Decimal | undefined): Reference => {
  if (dealValue === undefined || dealValue.value === 0n) return references.closed
  if (compare(dealValue, smallest) < 0) return references.closedOfSmallDeals
  if (compare(dealValue, middle) <= 0) return references.closedOfMiddleDeals
  return compare(dealValue, large) <= 0 ? references.closedOfLargeDeals : references.closedOfHugeDeals
}

const referenceOf = ({ average_deal_value, emails_per_contact }: Assumptions, rate: RateName): Reference => {
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
  readonly isMeasured: boolean
}

export const targetOf = (assumptions: Assumptions, rate: RateName): Target => {
  const reference = referenceOf(assumptions, rate)
  const { because, from, isMeasured, per, value } = reference
  const { emails_per_contact: perContact, show_rate } = assumptions
  const inUnit =
    per === "contact" && perContact !== undefined
      ? `${value}% of contacts at ${show(round(perContact, 0))} emails each, `
      : rate === "close_rate" && show_rate !== undefined
        ? `${value}% of booked meetings, `
        : ""
  return {
    rate,
    value: inOwnUnit(reference, assumptions, rate),
    source: `${inUnit}${because}, ${from}`,
    from,
    isMeasured
  }
}

/** The publishers of targets, without duplicates. */
export const sourcesOf = (targets: ReadonlyArray<Target>): string =>
  [...new Set(targets.map(({ from }) => from))].join("; ")

/** Rates of a request with other values. */
type Change = { readonly [rate in RateName]?: Decimal }

/** The exact expected clients of a campaign with changed rates. */
export const clientsWith = (assumptions: Assumptions, change: Change): Decimal =>
  expectedAt({ ...assumptions, ...change }, "clients")

/** The changes that raise rates to their targets. */
export const changesTo = (targets: ReadonlyArray<Target>): Change =>
  Object.fromEntries(targets.map(({ rate, value }) => [rate, value]))
