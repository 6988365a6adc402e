import { BigDecimal, JsonPointer, Option, Predicate, Result } from "effect"
import { parse } from "lossless-json"
import { MalformedJson } from "./InvalidInput.ts"

/**
 * The most digits that a number may have, those after the decimal point included, but for zeros at its end: arithmetic
 * takes longer with every digit, and an answer shows all of them. Twice as many as a double needs.
 */
export const mostDigits = 40

/** How much of what the parser says of a text is told: it may quote a number of any length. */
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

/** Stands for every number with more digits or decimal places than are read: no schema lets it through. */
const tooPrecise = BigDecimal.make(1n, Number.MAX_SAFE_INTEGER)

/** So many digits are an exact double, whatever they are. */
const mostOfPlain = 15

/**
 * The exact value of a number as most are written, in a few digits without sign and exponent: normalised, as the library
 * would have it, in a fraction of the time.
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

/** A number as it was written: `JSON.parse` would round it to a double. */
export class NumberLiteral {
  readonly text: string
  /** Sets two equal literals apart, so that a name that is given twice is seen even with the same value. */
  readonly ordinal: number

  constructor(text: string, ordinal: number) {
    this.text = text
    this.ordinal = ordinal
  }

  /** The exact value; of a number that no schema lets through, one that stands for it and takes no time to read. */
  get decimal(): BigDecimal.BigDecimal {
    const plain = plainDecimal(this.text)
    if (plain !== undefined) return plain
    const text = this.text.length > mostDigits ? withoutTrailingZeros(this.text) : this.text
    if (text.length > mostDigits && digitsOf(text) > mostDigits) return tooPrecise
    return BigDecimal.normalize(
      Option.getOrElse(BigDecimal.fromString(text), () =>
        // An exponent beyond every safe integer.
        /e-/i.test(text) ? tooPrecise : BigDecimal.make(1n, Number.MIN_SAFE_INTEGER)
      )
    )
  }
}

/** A JSON text, parsed: numbers are `NumberLiteral`s, and JSON pointers say which names one object has twice. */
export interface ExactJson {
  readonly value: unknown
  readonly duplicates: ReadonlyArray<string>
}

/** A name that an object had already when this value came for it. */
interface Repeated {
  readonly key: string
  readonly value: unknown
}

/** How many repeated names are told: to find each takes a look at the whole text. */
const mostRepeated = 50

/** How much of a name that the caller chose is told. */
export const mostOfName = 100

/** The parser does not say where it is, so what was repeated is found again by its value, which is there once. */
const pointersTo = (repeated: ReadonlyArray<Repeated>, value: unknown, pointer = ""): ReadonlyArray<string> =>
  Predicate.isObjectOrArray(value) && !(value instanceof NumberLiteral)
    ? Object.entries(value).flatMap(([key, inner]) => {
        const at = `${pointer}/${JsonPointer.escapeToken(key.slice(0, mostOfName))}`
        const isRepeated = repeated.some((each) => each.key === key && each.value === inner)
        return [...(isRepeated ? [at] : []), ...pointersTo(repeated, inner, at)]
      })
    : []

/** Parses JSON (RFC 8259) without losing digits or repeated names. Fails with MalformedJson. */
export const parseExactJson = (text: string): Result.Result<ExactJson, MalformedJson> =>
  Result.try({
    try: () => {
      const repeated: Array<Repeated> = []
      let count = 0
      const value = parse(text, undefined, {
        parseNumber: (literal) => new NumberLiteral(literal, count++),
        onDuplicateKey: ({ key, newValue }) => {
          if (repeated.length < mostRepeated) repeated.push({ key, value: newValue })
          return newValue
        }
      })
      return { value, duplicates: repeated.length === 0 ? [] : pointersTo(repeated, value) }
    },
    catch: (error) =>
      new MalformedJson({
        reason: error instanceof SyntaxError ? error.message.slice(0, mostOfReason) : "The text is nested too deeply"
      })
  })

/** Parses the text of a JSON body. */
export const parseBody = (body: string): Result.Result<ExactJson, MalformedJson> =>
  body.trim() === ""
    ? Result.fail(new MalformedJson({ reason: "The body is empty; send a JSON object" }))
    : parseExactJson(body)
