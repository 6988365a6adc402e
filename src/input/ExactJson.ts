import { BigDecimal, JsonPointer, Option, Predicate, Result } from "effect"
import { parse } from "lossless-json"
import { MalformedJson } from "./InvalidInput.ts"

/** A number as it was written: `JSON.parse` would round it to a double. */
export class NumberLiteral {
  readonly text: string
  /** Sets two equal literals apart, so that a name that is given twice is seen even with the same value. */
  readonly ordinal: number

  constructor(text: string, ordinal: number) {
    this.text = text
    this.ordinal = ordinal
  }

  /** The exact value. An exponent beyond every safe integer stands for the greatest, which no bound lets through. */
  get decimal(): BigDecimal.BigDecimal {
    return BigDecimal.normalize(
      Option.getOrElse(BigDecimal.fromString(this.text), () =>
        BigDecimal.make(1n, /e-/i.test(this.text) ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER)
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

/** The parser does not say where it is, so what was repeated is found again by its value, which is there once. */
const pointersTo = (repeated: ReadonlyArray<Repeated>, value: unknown, pointer = ""): ReadonlyArray<string> =>
  Predicate.isObjectOrArray(value) && !(value instanceof NumberLiteral)
    ? Object.entries(value).flatMap(([key, inner]) => {
        const at = `${pointer}/${JsonPointer.escapeToken(key)}`
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
          repeated.push({ key, value: newValue })
          return newValue
        }
      })
      return { value, duplicates: repeated.length === 0 ? [] : pointersTo(repeated, value) }
    },
    catch: (error) =>
      new MalformedJson({ reason: error instanceof SyntaxError ? error.message : "The text is nested too deeply" })
  })
