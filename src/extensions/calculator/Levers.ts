import { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import type { FieldName } from "../../campaign/Fields.ts"
import { optionalRates, type RateName, requiredRates } from "../../campaign/Rates.ts"
import { spanOf } from "../../forecast/benchmarks/PublishedRates.ts"
import { compare, type Decimal, round, roundToDouble, times, toDouble, zero, isZero } from "../../forecast/Decimal.ts"
import { expectedAt, expectedProfit } from "../../forecast/Campaign.ts"

/** An input changed alone to two values, and the campaign's expected result at each. */
export interface Lever {
  readonly name: FieldName
  /** The reason for the two values: the published range, or a fifth less and a fifth more. */
  readonly span: "published" | "fifth"
  readonly low: { readonly value: number; readonly result: number }
  readonly high: { readonly value: number; readonly result: number }
}

/** The effect of each input on a campaign, the strongest first. */
export interface Levers {
  readonly measure: "profit" | "clients"
  /** The expected result without changes. */
  readonly now: number
  readonly levers: ReadonlyArray<Lever>
}

interface Span {
  readonly name: FieldName
  readonly span: Lever["span"]
  readonly low: Decimal
  readonly high: Decimal
}

/** From the lowest to the highest published, in the unit of the request. */
const publishedSpan = (assumptions: Assumptions, name: RateName): ReadonlyArray<Span> => {
  const span = spanOf(assumptions, name)
  if (span === undefined) return []
  const [one, other] = span
  return [
    compare(one, other) > 0
      ? { name, span: "published", low: other, high: one }
      : { name, span: "published", low: one, high: other }
  ]
}

/** A fifth less and a fifth more: nobody publishes what others spend. */
const fifths = (assumptions: Assumptions, name: FieldName): ReadonlyArray<Span> => {
  const value = assumptions[name]
  if (value === undefined || isZero(value)) return []
  // Emails are whole.
  const part = (tenths: bigint) => {
    const exact = times(value, BigDecimal.make(tenths, 1))
    return name === "emails_sent" ? round(exact, 0) : exact
  }
  const [low, high] = [part(8n), part(12n)]
  // A fifth of 1 email is none.
  return compare(low, high) === 0 ? [] : [{ name, span: "fifth", low, high }]
}

/**
 * The effect of each input alone: rates between the lowest and the highest published, the rest by a fifth either way.
 */
export const leversOf = (assumptions: Assumptions): Levers => {
  const measure = expectedProfit(assumptions) === undefined ? "clients" : "profit"
  const result = (campaign: Assumptions): number =>
    measure === "profit"
      ? roundToDouble(expectedProfit(campaign) ?? zero, 2)
      : roundToDouble(expectedAt(campaign, "clients"), 4)
  const at = (name: FieldName, value: Decimal) => ({
    value: toDouble(value),
    result: result({ ...assumptions, [name]: value })
  })
  const money =
    measure === "profit"
      ? (["emails_sent", "average_deal_value", "campaign_cost"] as const)
      : (["emails_sent"] as const)
  const given = [...optionalRates.filter((rate) => assumptions[rate] !== undefined), ...requiredRates]
  const levers = [
    ...given.flatMap((rate) => publishedSpan(assumptions, rate)),
    ...money.flatMap((name) => fifths(assumptions, name))
  ].map(({ high, low, name, span }) => ({ name, span, low: at(name, low), high: at(name, high) }))
  const reach = ({ high, low }: Lever) => Math.abs(high.result - low.result)
  return { measure, now: result(assumptions), levers: levers.toSorted((a, b) => reach(b) - reach(a)) }
}
