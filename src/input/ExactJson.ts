import { BigDecimal, Option, Result } from "effect"
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

/** A JSON text, parsed: numbers are `NumberLiteral`s, and the names that one object has twice are listed. */
export interface ExactJson {
  readonly value: unknown
  readonly duplicates: ReadonlyArray<string>
}

/** Parses JSON (RFC 8259) without losing digits or repeated names. Fails with MalformedJson. */
export const parseExactJson = (text: string): Result.Result<ExactJson, MalformedJson> =>
  Result.try({
    try: () => {
      const duplicates: Array<string> = []
      let count = 0
      const value = parse(text, undefined, {
        parseNumber: (literal) => new NumberLiteral(literal, count++),
        onDuplicateKey: ({ key, newValue }) => {
          duplicates.push(key)
          return newValue
        }
      })
      return { value, duplicates }
    },
    catch: (error) =>
      new MalformedJson({ reason: error instanceof SyntaxError ? error.message : "The text is nested too deeply" })
  })
