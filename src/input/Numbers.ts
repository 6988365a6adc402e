import { BigDecimal, Schema, SchemaTransformation } from "effect"
import { mostDigits } from "./ExactJson.ts"

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
        // These two run first and end the checks: a comparison expands both sides to the same number of decimals.
        Schema.makeFilter(
          (value) => value.scale <= mostDigits,
          {
            code: "out_of_range",
            message: `must have at most ${mostDigits} digits, including those after the decimal point`
          },
          true
        ),
        Schema.makeFilter(
          (value) => value.scale >= -mostDigits,
          { code: "out_of_range", message: `must be from ${minimum} to ${maximum}` },
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
