import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import { NumberLiteral, parseExactJson } from "../../src/input/ExactJson.ts"

const parsed = (text: string) => Effect.fromResult(parseExactJson(text))

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
