import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, Effect, Predicate, Result, Schema } from "effect"
import { decimalOf, exactText, NumberLiteral, parseBody, parseExactJson } from "../../src/input/ExactJson.ts"

const parsed = (text: string) => Effect.fromResult(parseExactJson(text))

const tagOf = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  Result.isFailure(result) ? result.failure._tag : undefined

const integer = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** Numbers in JSON or a table cell: short and long, zeros, with and without sign, point and exponent. */
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

/** A parsed number, and the one that the library parses. */
const readings = (text: string) => {
  const decimals = [decimalOf(new NumberLiteral(text)), BigDecimal.normalize(BigDecimal.fromStringUnsafe(text))]
  return decimals.map(({ scale, value }) => ({ text, scale, value }))
}

/** The parsed number in plain digits. */
const digitsOf = (text: string) => {
  const value = Result.getOrThrow(parseExactJson(text))
  assert.isTrue(Predicate.isNumber(value) || value instanceof NumberLiteral, text)
  return Predicate.isNumber(value) || value instanceof NumberLiteral ? BigDecimal.format(decimalOf(value)) : ""
}

describe("parseExactJson", () => {
  it("keeps every digit", () => {
    for (const text of [
      "0.12345678901234567890123",
      "9007199254740993",
      "-100000000000000.1",
      "123456789012345",
      "99999999999999.9",
      "0.0000001",
      "0.1"
    ]) {
      assert.strictEqual(digitsOf(text), BigDecimal.format(BigDecimal.fromStringUnsafe(text)), text)
    }
    assert.strictEqual(digitsOf("-0"), "0")
    assert.strictEqual(digitsOf("-0.0"), "0")
  })

  it("reads numbers as doubles if these are exact, and as text if they have more digits or an exponent", () => {
    const text = '[0,5,-0.25,123456789012345,1234567890123456,1e3,1E-400,1e999,"1e999",{"a":0.1}]'
    const literal = (text: string) => new NumberLiteral(text)
    assert.deepStrictEqual(Result.getOrThrow(parseExactJson(text)), [
      0,
      5,
      -0.25,
      123456789012345,
      literal("1234567890123456"),
      literal("1e3"),
      literal("1E-400"),
      literal("1e999"),
      "1e999",
      { a: 0.1 }
    ])
  })

  it.prop("reads numbers exactly among other values", [literals], ([text]) => {
    const json = text.replace(/^-?0*(?=\d)/, (zeros) => (zeros.startsWith("-") ? "-" : "")).replace(/^(-?)\./, "$10.")
    if (Result.isFailure(parseExactJson(json))) return
    assert.strictEqual(digitsOf(json), BigDecimal.format(BigDecimal.fromStringUnsafe(json)))
  })

  it("writes numbers back with every digit", () => {
    const text = '{"a":[1e999,0.12345678901234567890123,5],"b":"1e3","__proto__":{"c":null}}'
    const value = Result.getOrThrow(parseExactJson(text))
    assert.strictEqual(Result.getOrThrow(exactText(value)), text)
  })

  it.prop("agrees with a reference parser on every number, normalized", [literals], ([text]) => {
    const [read, expected] = readings(text)
    assert.deepStrictEqual(read, expected)
  })

  it("agrees with a reference parser on numbers that a double can and cannot represent", () => {
    for (const digits of ["999999999999999", "99999999999999.9", "9007199254740993", "900719925474.0993"]) {
      for (const sign of ["", "-", "+"]) {
        const [read, expected] = readings(`${sign}${digits}`)
        assert.deepStrictEqual(read, expected)
      }
    }
  })

  it("uses the last value of a repeated member", () =>
    assert.deepStrictEqual(Result.getOrThrow(parseExactJson('{"a":1e3,"b":[{"a":1,"a":2}],"a":3}')), {
      a: 3,
      b: [{ a: 2 }]
    }))

  it("treats __proto__ like any other member", () => {
    for (const text of ['{"__proto__":{"polluted":true}}', '{"__proto__":{"polluted":1e3}}']) {
      assert.deepStrictEqual(Object.keys(Result.getOrThrow(parseExactJson(text)) ?? {}), ["__proto__"])
      assert.notProperty({}, "polluted")
    }
  })

  it("survives a mebibyte of the deepest possible nesting", () => {
    const half = 512 * 1024
    assert.strictEqual(tagOf(parseExactJson("[".repeat(2 * half))), "MalformedJson")
    assert.strictEqual(tagOf(parseExactJson(`${"[".repeat(half)}1e3${"]".repeat(half)}`)), "MalformedJson")
    assert.strictEqual(tagOf(parseExactJson(`${'{"a":'.repeat(half / 4)}1e3${"}".repeat(half / 4)}`)), "MalformedJson")
    const deep = parseExactJson(`${"[".repeat(half)}${"]".repeat(half)}`)
    assert.isTrue(Result.isSuccess(deep))
    assert.strictEqual(tagOf(Result.flatMap(deep, exactText)), "MalformedJson")
  })

  it("reports briefly where the text stops being JSON", () => {
    const reasonOf = (text: string) => Result.getOrThrow(Result.flip(parseBody(text))).reason
    assert.match(reasonOf('{"a":1,}'), /at position 7 \(line 1 column 8\)$/)
    assert.match(reasonOf('{"reply_rate":}'), /"\{"reply_rate":\}"/)
    assert.strictEqual(
      reasonOf('{"a":1'),
      "Expected ',' or '}' after property value in JSON at position 6 (line 1 column 7)"
    )
    assert.isAtMost(reasonOf(`{"a":${"1".repeat(9000)}.}`).length, 200)
    assert.strictEqual(reasonOf(" "), "The body is empty; send a JSON object")
  })

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
