import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, Effect, Schema } from "effect"
import { NumberLiteral, parseExactJson } from "../../src/input/ExactJson.ts"

const parsed = (text: string) => Effect.fromResult(parseExactJson(text))

const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** Numbers as JSON or a cell of a table may have them: short and long, zeros, with and without sign, point, exponent. */
const literals = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.array(integer(-5, 9), { minLength: 1, maxLength: 18 }),
    integer(0, 30),
    integer(0, 9),
    integer(-40, 40)
  ]),
  ([digits, point, kind, exponent]) => {
    const text = digits.map((digit) => Math.max(digit, 0)).join("")
    const number = point > text.length ? text : `${text.slice(0, point)}.${text.slice(point)}`
    return `${kind % 3 === 0 ? "-" : ""}${number}${kind < 3 ? `e${exponent}` : ""}`
  }
)

/** A number as it is read, and as the library reads it. */
const readings = (text: string) => {
  const decimals = [new NumberLiteral(text, 0).decimal, BigDecimal.normalize(BigDecimal.fromStringUnsafe(text))]
  return decimals.map(({ scale, value }) => ({ text, scale, value }))
}

describe("parseExactJson", () => {
  it.effect("keeps every digit", () =>
    Effect.gen(function* () {
      const { value } = yield* parsed("0.12345678901234567890123")
      assert.isTrue(value instanceof NumberLiteral)
      if (value instanceof NumberLiteral) {
        assert.isTrue(BigDecimal.equals(value.decimal, BigDecimal.fromStringUnsafe("0.12345678901234567890123")))
      }
    })
  )

  it.prop("reads every number as the library does, normalised", [literals], ([text]) => {
    const [read, expected] = readings(text)
    assert.deepStrictEqual(read, expected)
  })

  it("reads numbers as the library does where a double still has all their digits, and where it has not", () => {
    for (const digits of ["999999999999999", "99999999999999.9", "9007199254740993", "900719925474.0993"]) {
      for (const sign of ["", "-", "+"]) {
        const [read, expected] = readings(`${sign}${digits}`)
        assert.deepStrictEqual(read, expected)
      }
    }
  })

  it.effect("points to names that are given twice, with other values or the same, however deep", () =>
    Effect.gen(function* () {
      const { duplicates } = yield* parsed('{"a":1,"a":2,"b":3,"b":3,"b":3,"c":4}')
      assert.deepStrictEqual(duplicates, ["/a", "/b"])
      const nested = yield* parsed('{"a":1,"b~":[{"a":1,"a":1}],"c":{"a":"x","a":"y"},"d":{"a":2}}')
      assert.deepStrictEqual(nested.duplicates, ["/b~0/0/a", "/c/a"])
    })
  )

  it.effect("keeps __proto__ as a field like any other", () =>
    Effect.gen(function* () {
      const { value } = yield* parsed('{"__proto__":{"polluted":true}}')
      assert.deepStrictEqual(Object.keys(value ?? {}), ["__proto__"])
      assert.notProperty({}, "polluted")
    })
  )

  const malformed = [
    "{",
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":01}',
    '{"a":.5}',
    "{} {}",
    "undefined"
  ]
  for (const text of [...malformed, "[".repeat(16_000)]) {
    it.effect(`refuses ${text.slice(0, 20)}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(parsed(text)))._tag, "MalformedJson")
      })
    )
  }
})
