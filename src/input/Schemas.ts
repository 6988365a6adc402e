import { BigDecimal, Schema, SchemaTransformation, SchemaGetter, Struct } from "effect"

/** A time in UTC in a response, such as 2026-11-23T08:09:59.022Z. */
export const dateTime = Schema.String.annotate({ format: "date-time" })

/** A schema with what documents say of it: a sentence, and an example of its values. */
export const described = <S extends Schema.Top>(schema: S, description: string, example: S["Type"]): S["Rebuild"] =>
  schema.annotate({ description, examples: [example] })

/** The most decimal places of a number in a request: arithmetic takes longer with each of them. */
const maxPlaces = 40

const point = 46
const zero = 48
const nine = 57

/** Any number with at most this many digits is an exact double. */
const maxPlain = 15

/** Above every maximum: what JSON.parse makes of 1e999. */
const huge = BigDecimal.make(1n, -400)

/**
 * The exact value of a number in the usual form, with a few digits and without sign and exponent: normalized like the
 * library's, in a fraction of the time.
 */
const plainDecimal = (text: string): BigDecimal.BigDecimal | undefined => {
  if (text.length > maxPlain) return undefined
  let digits = 0
  let scale = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === point) scale = text.length - at - 1
    else if (code < zero || code > nine) return undefined
    else digits = digits * 10 + code - zero
  }
  if (digits === 0) return BigDecimal.make(0n, 0)
  while (digits % 10 === 0) {
    digits /= 10
    scale--
  }
  return BigDecimal.make(BigInt(digits), scale)
}

/** The decimal with the shortest digits that identify a double: 0.1 is one tenth. */
export const decimalOf = (number: number): BigDecimal.BigDecimal => {
  const plain = plainDecimal(String(number))
  if (plain !== undefined) return plain
  if (!Number.isFinite(number)) return number > 0 ? huge : BigDecimal.negate(huge)
  return BigDecimal.normalize(BigDecimal.fromNumberUnsafe(number))
}

/** The bounds and the texts of a number in a request, for its checks and for the documentation. */
interface Meaning {
  readonly minimum: number
  /** True if the number must be above the minimum; by default it may be equal to it. */
  readonly isMinimumExcluded?: boolean
  readonly maximum: number
  readonly description: string
  readonly example: number
  /** Added to the error of a number that is out of range. */
  readonly advice?: (value: number) => string
}

/** Doubles above it have at most 40 decimal places: they have at most 17 digits. */
const surelyShort = 1e-23

const placesCheck = Schema.makeFilter(
  (value: number) => value === 0 || Math.abs(value) > surelyShort || decimalOf(value).scale <= maxPlaces,
  { code: "out_of_range", message: `must have at most ${maxPlaces} decimal places`, toJsonSchema: () => ({}) }
).abort()

const boundsCheck = ({ advice = () => "", isMinimumExcluded = false, maximum, minimum }: Meaning) =>
  Schema.makeFilter(
    (value: number) => {
      if (value > maximum) return `must be at most ${maximum}${advice(value)}`
      if (value > minimum || (value === minimum && !isMinimumExcluded)) return true
      return `must be ${isMinimumExcluded ? "above" : "at least"} ${minimum}${advice(value)}`
    },
    {
      code: "out_of_range",
      message: `must be from ${minimum} to ${maximum}`,
      toJsonSchema: () => (isMinimumExcluded ? { exclusiveMinimum: minimum, maximum } : { minimum, maximum })
    }
  ).abort()

const exactly = (number: Schema.Number, meaning: Meaning) =>
  number
    // A number that is not finite is out of bounds.
    .check(placesCheck, boundsCheck(meaning), Schema.isFinite())
    .annotate({ description: meaning.description, examples: [meaning.example] })
    .pipe(
      Schema.decodeTo(
        Schema.BigDecimal,
        SchemaTransformation.transform({ decode: decimalOf, encode: BigDecimal.toNumberUnsafe })
      )
    )

/** A number within bounds: encoded as a JSON number, decoded to an exact decimal. */
export const decimal = (meaning: Meaning) => exactly(Schema.Number, meaning)

const wholeCheck = Schema.makeFilter((value: number) => Number.isInteger(value) || !Number.isFinite(value), {
  code: "not_an_integer",
  message: "must be a whole number",
  toJsonSchema: () => ({ type: "integer" })
})

/** A whole number within bounds, encoded and decoded like other numbers. */
export const count = (meaning: Meaning) => exactly(Schema.Number.check(wholeCheck), meaning)

/** A number of things in a response. */
export const quantity = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Null, which is the same as no field. */
const nothing = Schema.Null.pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.Never), {
    decode: SchemaGetter.omit(),
    encode: SchemaGetter.passthroughSubtype<null, never>()
  })
)

type Optional<S extends Schema.Constraint> = Schema.optionalKey<Schema.Union<readonly [S, typeof nothing]>>

interface ToOptional extends Struct.Lambda {
  <S extends Schema.Constraint>(schema: S): Optional<S>
  readonly "~lambda.out": this["~lambda.in"] extends Schema.Constraint ? Optional<this["~lambda.in"]> : never
}

/** A field that may be left out, or null, which is the same. */
export const optional = Struct.lambda<ToOptional>((schema) => Schema.optionalKey(Schema.Union([schema, nothing])))
