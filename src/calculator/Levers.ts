import { BigDecimal } from "effect"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { furtherReferences, rateBounds } from "../forecast/benchmarks/Thresholds.ts"
import { compare, quotient, round, times, toNumber } from "../forecast/Decimal.ts"
import { hundred, roundSigned, toDouble } from "../forecast/outlook/Exact.ts"
import { expectedAt, expectedProfit } from "../forecast/outlook/Expectation.ts"
import type { AssumptionName } from "./Fields.ts"

type Decimal = BigDecimal.BigDecimal

/** An input alone at two values, all others as they are, and what the campaign is then expected to bring. */
export interface Lever {
  readonly name: AssumptionName
  /** Why these two values. */
  readonly span: "published" | "fifth"
  readonly low: { readonly value: number; readonly result: number }
  readonly high: { readonly value: number; readonly result: number }
}

/** What each input can do to a campaign, the strongest first. */
export interface Levers {
  readonly measure: "profit" | "clients"
  /** What the campaign is expected to bring as it is. */
  readonly now: number
  readonly levers: ReadonlyArray<Lever>
}

interface Span {
  readonly name: AssumptionName
  readonly span: Lever["span"]
  readonly low: Decimal
  readonly high: Decimal
}

const most = (value: Decimal): Decimal => (compare(value, hundred) > 0 ? hundred : value)

/** A rate to hundredths of a percent. */
const dividedBy = (rate: Decimal, by: Decimal): Decimal => most(BigDecimal.make(quotient(rate, by, 2).units, 2))

const one = BigDecimal.make(1n, 0)

/** From the lowest to the highest published, in the unit of the request. */
const ratesOf = (assumptions: Assumptions): ReadonlyArray<Span> => {
  const { close_rate, meeting_booking_rate, positive_reply_rate, reply_rate } = rateBounds
  const { emails_per_contact: perContact = one, show_rate: shown } = assumptions
  const held = shown === undefined || shown.value === 0n ? one : times(shown, BigDecimal.make(1n, 2))
  const span = (name: AssumptionName, low: Decimal, high: Decimal): Span => ({ name, span: "published", low, high })
  return [
    ...(assumptions.delivery_rate === undefined
      ? []
      : [span("delivery_rate", furtherReferences.delivery_rate.exact, hundred)]),
    span("reply_rate", dividedBy(reply_rate.low.exact, perContact), dividedBy(reply_rate.high.exact, perContact)),
    span("positive_reply_rate", positive_reply_rate.low.exact, positive_reply_rate.high.exact),
    span("meeting_booking_rate", meeting_booking_rate.low.exact, meeting_booking_rate.high.exact),
    ...(shown === undefined ? [] : [span("show_rate", BigDecimal.make(70n, 0), BigDecimal.make(85n, 0))]),
    span("close_rate", dividedBy(close_rate.low.exact, held), dividedBy(close_rate.high.exact, held))
  ]
}

/** A fifth less and a fifth more: nobody publishes what others spend. */
const fifths = (
  assumptions: Assumptions,
  names: ReadonlyArray<"emails_sent" | "average_deal_value" | "campaign_cost">
) =>
  names.flatMap((name): ReadonlyArray<Span> => {
    const value = assumptions[name]
    if (value === undefined || value.value === 0n) return []
    // Emails are whole.
    const part = (tenths: bigint) => {
      const exact = times(value, BigDecimal.make(tenths, 1))
      return name === "emails_sent" ? BigDecimal.make(round(exact, 0).units, 0) : exact
    }
    const [low, high] = [part(8n), part(12n)]
    // A fifth of 1 email is none.
    return compare(low, high) === 0 ? [] : [{ name, span: "fifth", low, high }]
  })

/** What each input alone can do: rates between the lowest and the highest published, the rest by a fifth either way. */
export const leversOf = (assumptions: Assumptions): Levers => {
  const measure = expectedProfit(assumptions) === undefined ? "clients" : "profit"
  const result = (campaign: Assumptions): number =>
    measure === "profit"
      ? roundSigned(expectedProfit(campaign) ?? BigDecimal.make(0n, 0), 2)
      : toNumber(round(expectedAt(campaign, "clients"), 4))
  const at = (name: AssumptionName, value: Decimal) => ({
    value: toDouble(value),
    result: result({ ...assumptions, [name]: value })
  })
  const money =
    measure === "profit"
      ? (["emails_sent", "average_deal_value", "campaign_cost"] as const)
      : (["emails_sent"] as const)
  const levers = [...ratesOf(assumptions), ...fifths(assumptions, money)].map(({ high, low, name, span }) => ({
    name,
    span,
    low: at(name, low),
    high: at(name, high)
  }))
  const reach = ({ high, low }: Lever) => Math.abs(high.result - low.result)
  return { measure, now: result(assumptions), levers: levers.toSorted((a, b) => reach(b) - reach(a)) }
}
