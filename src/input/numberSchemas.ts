import { BigDecimal, Schema, SchemaTransformation } from "effect"

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
 * The exact value of a number in the usual form, with a few digits and without sign and exponent: normalized like the library's,
 * in a fraction of the time.
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
}

const notBelow = ({ isMinimumExcluded = false, minimum }: Meaning) => {
  const bound = BigDecimal.fromNumberUnsafe(minimum)
  return isMinimumExcluded
    ? Schema.isGreaterThanBigDecimal(bound, { code: "out_of_range", message: `must be above ${minimum}` })
    : Schema.isGreaterThanOrEqualToBigDecimal(bound, { code: "out_of_range", message: `must be at least ${minimum}` })
}

/** A number within bounds: encoded as a JSON number, decoded to an exact decimal. */
export const decimal = (number: Schema.Finite, meaning: Meaning) => {
  const { description, example, isMinimumExcluded = false, maximum, minimum } = meaning
  return number.check(Schema.isBetween({ minimum, maximum, exclusiveMinimum: isMinimumExcluded })).pipe(
    Schema.annotate({ description, examples: [example] }),
    Schema.decodeTo(
      Schema.BigDecimal.check(
        // Runs first and ends the checks: a comparison expands both sides to the same number of decimals.
        Schema.makeFilter(
          (value) => value.scale <= maxPlaces,
          { code: "out_of_range", message: `must have at most ${maxPlaces} decimal places` },
          true
        ),
        notBelow(meaning),
        Schema.isLessThanOrEqualToBigDecimal(BigDecimal.fromNumberUnsafe(maximum), {
          code: "out_of_range",
          message: `must be at most ${maximum}`
        })
      ),
      SchemaTransformation.transform({ decode: BigDecimal.fromNumberUnsafe, encode: BigDecimal.toNumberUnsafe })
    )
  )
}

/** A number of things in a response. */
export const quantity = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A whole number within bounds. */
export const count = (meaning: Meaning) =>
  decimal(Schema.Int, meaning).check(
    Schema.makeFilter((value) => BigDecimal.isInteger(value), {
      code: "not_an_integer",
      message: "must be a whole number"
    })
  )
