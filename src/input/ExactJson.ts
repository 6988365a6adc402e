import { BigDecimal, Option, Result, Schema, SchemaTransformation } from "effect"
import { MalformedJson } from "./InvalidInput.ts"

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

declare global {
  /** The parts of ECMAScript 2026 that TypeScript does not declare yet. */
  interface JSON {
    parse(text: string, reviver: Reviver): unknown
    rawJSON(text: string): object
  }
}

/**
 * The maximum number of digits, including those after the decimal point but not trailing zeros: arithmetic takes longer
 * with every digit, and a response shows all of them. Twice as many as a double needs.
 */
const mostDigits = 40

/** The most characters of the parser's message that are reported. */
const mostOfReason = 200

/** The same number without the zeros at the end of its decimal places. */
const withoutTrailingZeros = (text: string): string => {
  const [mantissa = "", exponent] = text.split(/e/i)
  if (!mantissa.includes(".")) return text
  let end = mantissa.length
  while (mantissa[end - 1] === "0") end--
  if (mantissa[end - 1] === ".") end--
  return exponent === undefined ? mantissa.slice(0, end) : `${mantissa.slice(0, end)}e${exponent}`
}

const digitsOf = (text: string) => text.replace(/e.*$/i, "").replaceAll(/[-.]/g, "").length

const point = 46
const zero = 48
const nine = 57

/** Represents every number with too many digits or decimal places; no schema accepts it. */
const tooPrecise = BigDecimal.make(1n, Number.MAX_SAFE_INTEGER)

/** Any number with at most this many digits is an exact double. */
const mostOfPlain = 15

/**
 * The exact value of a number in the usual form, with a few digits and without sign and exponent: normalized like the library's,
 * in a fraction of the time.
 */
const plainDecimal = (text: string): BigDecimal.BigDecimal | undefined => {
  if (text.length > mostOfPlain) return undefined
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

/** A number as written, if a double may differ from it. */
export class NumberLiteral {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Writes the number into a JSON text exactly as read. */
  toJSON(): object {
    return JSON.rawJSON(this.text)
  }
}

/** Creates the exact value; for a number that no schema accepts, a placeholder that is cheap to create. */
export const decimalOf = (number: number | NumberLiteral): BigDecimal.BigDecimal => {
  const written = number instanceof NumberLiteral ? number.text : String(number)
  const plain = plainDecimal(written)
  if (plain !== undefined) return plain
  const text = written.length > mostDigits ? withoutTrailingZeros(written) : written
  if (text.length > mostDigits && digitsOf(text) > mostDigits) return tooPrecise
  return BigDecimal.normalize(
    Option.getOrElse(BigDecimal.fromString(text), () =>
      // An exponent beyond every safe integer.
      /e-/i.test(text) ? tooPrecise : BigDecimal.make(1n, Number.MIN_SAFE_INTEGER)
    )
  )
}

/** Finds numbers that a double may round: those with more than 15 digits or an exponent. */
const inexact = /\d[\d.]{15}|\d[eE]/

const keepLiteral: Reviver = (_, value, { source = "" }) =>
  typeof value === "number" && inexact.test(source) ? new NumberLiteral(source) : value

const orMalformed = <A>(evaluate: () => A): Result.Result<A, MalformedJson> =>
  Result.try({
    try: evaluate,
    catch: (error) =>
      new MalformedJson({
        reason: error instanceof SyntaxError ? error.message.slice(0, mostOfReason) : "The text is nested too deeply"
      })
  })

/** Parses JSON (RFC 8259); a number that a double may round becomes a `NumberLiteral`. Fails with MalformedJson. */
export const parseExactJson = (text: string): Result.Result<unknown, MalformedJson> =>
  // Most texts have no such number, and parsing without a reviver takes a fraction of the time.
  orMalformed((): unknown => (inexact.test(text) ? JSON.parse(text, keepLiteral) : JSON.parse(text)))

/** The JSON text of a parsed value, with every digit of its numbers. Fails with MalformedJson. */
export const exactText = (value: unknown): Result.Result<string, MalformedJson> =>
  orMalformed(() => JSON.stringify(value))

/** Parses the text of a JSON body. */
export const parseBody = (body: string): Result.Result<unknown, MalformedJson> =>
  body.trim() === ""
    ? Result.fail(new MalformedJson({ reason: "The body is empty; send a JSON object" }))
    : parseExactJson(body)

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
