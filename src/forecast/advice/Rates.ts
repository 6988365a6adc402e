import { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { type BoundRate, furtherReferences, rateBounds } from "../benchmarks/Thresholds.ts"
import { compare, percentOf, quotient, round, type Rounded, show, times, toDouble } from "../Decimal.ts"

type Decimal = BigDecimal.BigDecimal

/** The rates of a request in the order of the funnel, with their names. */
export const rateName = {
  delivery_rate: "delivery rate",
  reply_rate: "reply rate",
  positive_reply_rate: "positive reply rate",
  meeting_booking_rate: "meeting booking rate",
  show_rate: "show rate",
  close_rate: "close rate"
} as const
export type Rate = keyof typeof rateName

export const rates = [
  "delivery_rate",
  "reply_rate",
  "positive_reply_rate",
  "meeting_booking_rate",
  "show_rate",
  "close_rate"
] as const

export const boundRates = ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const

const hundred = BigDecimal.make(100n, 0)

const decimal = ({ places, units }: Rounded): Decimal => BigDecimal.make(units, places)

/** A bound in the unit of the request: of emails rather than contacts, of held meetings rather than booked ones. */
const inUnitOf = (assumptions: Assumptions, rate: BoundRate, value: Decimal): Decimal => {
  const { emails_per_contact: perContact, show_rate: showRate } = assumptions
  if (rate === "reply_rate" && perContact !== undefined) return decimal(quotient(value, perContact, 2))
  if (rate !== "close_rate" || showRate === undefined) return value
  const shown = showRate.value === 0n ? furtherReferences.show_rate.exact : showRate
  const ofHeld = decimal(quotient(times(value, hundred), shown, 2))
  return compare(ofHeld, hundred) > 0 ? hundred : ofHeld
}

/** What advice compares a rate with, in percent and in the unit of the request. */
export const referenceOf = (assumptions: Assumptions, rate: Rate): Decimal =>
  rate === "delivery_rate" || rate === "show_rate"
    ? furtherReferences[rate].exact
    : inUnitOf(assumptions, rate, rateBounds[rate].reference.exact)

const boundOf = (rate: Rate) =>
  rate === "delivery_rate" || rate === "show_rate" ? furtherReferences[rate] : rateBounds[rate].reference

/** The same as a double, to choose by. */
export const referenceSize = (assumptions: Assumptions, rate: Rate): number => {
  const { exact, value } = boundOf(rate)
  const reference = referenceOf(assumptions, rate)
  return reference === exact ? value : toDouble(reference)
}

/** What the reference is and who published it. */
export const sourceOf = ({ emails_per_contact: perContact, show_rate: showRate }: Assumptions, rate: Rate): string => {
  const { because, from, value } = boundOf(rate)
  if (rate === "reply_rate") {
    return perContact === undefined
      ? `${because}, at one email each, ${from}`
      : `${value} % of contacts on average, at ${show(round(perContact, 0))} emails each, ${from}`
  }
  return rate === "close_rate" && showRate !== undefined
    ? `${value} % of booked meetings, the ${because}, ${from}`
    : `${because}, ${from}`
}

/** Who published the references of several rates, each once. */
export const sourcesOf = (chosen: ReadonlyArray<Rate>): string =>
  [...new Set(chosen.map((rate) => boundOf(rate).from))].join(", ")

/** The greatest value of a rate that anybody published, in the request's unit. */
export const ceilingOf = (assumptions: Assumptions, rate: BoundRate): Decimal =>
  inUnitOf(assumptions, rate, rateBounds[rate].high.exact)

type Change = { readonly [rate in Rate]?: Decimal | undefined }

/** Exact expected clients of the same campaign with other rates. */
export const clientsWith = (assumptions: Assumptions, change: Change): Decimal => {
  const delivery = change.delivery_rate ?? assumptions.delivery_rate
  const shown = change.show_rate ?? assumptions.show_rate
  const { emails_sent: emails } = assumptions
  const delivered = delivery === undefined ? emails : percentOf(emails, delivery)
  const replies = percentOf(delivered, change.reply_rate ?? assumptions.reply_rate)
  const positive = percentOf(replies, change.positive_reply_rate ?? assumptions.positive_reply_rate)
  const meetings = percentOf(positive, change.meeting_booking_rate ?? assumptions.meeting_booking_rate)
  const held = shown === undefined ? meetings : percentOf(meetings, shown)
  return percentOf(held, change.close_rate ?? assumptions.close_rate)
}

/** The changes that bring rates to what is published. */
export const toReferences = (assumptions: Assumptions, chosen: ReadonlyArray<Rate>): Change => {
  const change: { [rate in Rate]?: Decimal } = {}
  for (const rate of chosen) change[rate] = referenceOf(assumptions, rate)
  return change
}
