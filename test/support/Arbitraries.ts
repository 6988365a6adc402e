import { Arbitrary, BigDecimal, Predicate, Record, Schema } from "effect"
import type { Assumptions } from "../../src/campaign/Assumptions.ts"
import { membersOf } from "../../src/campaign/Fields.ts"
import { optionalRates, requiredRates } from "../../src/campaign/Rates.ts"

const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** Decimals from 0 to `maximum` with up to `places` decimals, often at the bounds. */
const decimal = (maximum: number, places: number) =>
  Arbitrary.map(Arbitrary.all([integer(0, 9), integer(0, maximum * 10 ** places)]), ([kind, units]) =>
    kind === 0
      ? BigDecimal.make(0n, 0)
      : kind === 1
        ? BigDecimal.make(BigInt(maximum), 0)
        : BigDecimal.make(BigInt(units), places)
  )

const percentage = decimal(100, 5)
const amount = decimal(1_000_000_000, 2)

const optional = <A>(arbitrary: Arbitrary.Arbitrary<A>) =>
  Arbitrary.map(Arbitrary.all([integer(0, 3), arbitrary]), ([kind, value]) => (kind === 0 ? undefined : value))

/** Every kind of valid assumptions: zeros, bounds, with and without deal value, cost and optional rates. */
export const assumptions: Arbitrary.Arbitrary<Assumptions> = Arbitrary.map(
  Arbitrary.all({
    emails: Arbitrary.map(integer(1, 100_000_000), (count) => BigDecimal.make(BigInt(count), 0)),
    required: Arbitrary.all(membersOf(requiredRates, () => percentage)),
    others: Arbitrary.all({
      ...membersOf(optionalRates, () => optional(percentage)),
      average_deal_value: optional(amount),
      campaign_cost: optional(amount),
      emails_per_contact: optional(Arbitrary.map(integer(1, 20), (count) => BigDecimal.make(BigInt(count), 0)))
    })
  }),
  ({ emails, others, required }) => ({
    emails_sent: emails,
    ...required,
    // No more replies than contacts.
    reply_rate: BigDecimal.make(
      required.reply_rate.value / (others.emails_per_contact?.value ?? 1n),
      required.reply_rate.scale
    ),
    ...Record.filter(others, Predicate.isNotUndefined)
  })
)
