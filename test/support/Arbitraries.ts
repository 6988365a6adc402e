import { Arbitrary, BigDecimal, Schema } from "effect"
import type { Assumptions } from "../../src/campaign/Assumptions.ts"

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

/** Every kind of valid assumptions: zeros, bounds, with and without deal value and cost. */
export const assumptions: Arbitrary.Arbitrary<Assumptions> = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.map(integer(1, 100_000_000), (count) => BigDecimal.make(BigInt(count), 0)),
    percentage,
    percentage,
    percentage,
    percentage,
    optional(amount),
    optional(amount),
    optional(percentage),
    optional(percentage),
    optional(Arbitrary.map(integer(1, 20), (count) => BigDecimal.make(BigInt(count), 0)))
  ]),
  ([emails, reply, positive, booking, close, dealValue, cost, delivery, show, perContact]) => ({
    emails_sent: emails,
    // No more replies than contacts.
    reply_rate: BigDecimal.make(reply.value / (perContact?.value ?? 1n), reply.scale),
    positive_reply_rate: positive,
    meeting_booking_rate: booking,
    close_rate: close,
    ...(dealValue === undefined ? {} : { average_deal_value: dealValue }),
    ...(cost === undefined ? {} : { campaign_cost: cost }),
    ...(delivery === undefined ? {} : { delivery_rate: delivery }),
    ...(show === undefined ? {} : { show_rate: show }),
    ...(perContact === undefined ? {} : { emails_per_contact: perContact })
  })
)
