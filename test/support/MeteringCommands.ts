import { Arbitrary, Schema } from "effect"

const integer = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** The index of a key, modulo their number. */
const key = integer(0, 3)

const Request = Schema.Struct({
  key,
  /** The index of a secret, counted back from the newest. */
  secret: integer(0, 1),
  /** Stands for an Idempotency-Key; 0 for none. */
  retry: integer(0, 3),
  emails: integer(1, 2),
  isLegacy: Schema.Boolean
})
export type Request = typeof Request.Type

/** Requests that are sent concurrently. */
const Forecast = Schema.Struct({
  forecast: Schema.Array(Request).check(Schema.isMinLength(1), Schema.isMaxLength(8))
})
const Issue = Schema.Struct({ issue: integer(0, 12) })
/** Grants or takes credits; reference 0 stands for none. */
const Adjust = Schema.Struct({ adjust: Schema.Literals([-7, -2, 4, 9]), key, reference: integer(0, 3) })
/** Orders a pack, and confirms its payment this many times concurrently. */
const Buy = Schema.Struct({ buy: key, confirmations: integer(1, 3) })
const Rotate = Schema.Struct({ rotate: key, graceHours: Schema.Literals([0, 1, 72]) })
const SetPlan = Schema.Struct({ setPlan: Schema.Literals(["active", "inactive"]), key })
const Revoke = Schema.Struct({ revoke: key })
const Wait = Schema.Struct({ waitHours: Schema.Literals([0.5, 12, 25]) })

const Command = Schema.Union([Forecast, Issue, Adjust, Buy, Rotate, SetPlan, Revoke, Wait])

/**
 * A command on keys and credits. A new one needs a schema above, a weight below, and a branch of `perform` in
 * `Metering.ts`.
 */
export type Command = typeof Command.Type

const weights: ReadonlyArray<readonly [weight: number, command: Schema.Schema<Command>]> = [
  [12, Forecast],
  [3, Issue],
  [8, Adjust],
  [3, Buy],
  [2, Rotate],
  [2, SetPlan],
  [1, Revoke],
  [2, Wait]
]
const choices = weights.flatMap(([weight, command]) => Array.from({ length: weight }, () => Arbitrary.schema(command)))

/** 10 to 40 commands in random order, weighted by their frequency in practice. */
export const commands = Arbitrary.array(
  Arbitrary.flatMap(Arbitrary.schema(integer(0, choices.length - 1)), (i) => choices[i] ?? Arbitrary.schema(Command)),
  { minLength: 10, maxLength: 40 }
)
