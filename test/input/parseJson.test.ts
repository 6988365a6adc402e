import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Predicate, Result, Schema } from "effect"
import { InvalidInput } from "../../src/input/InvalidInput.ts"
import { decodeParsed, parseJson } from "../../src/input/parseJson.ts"

const errorsOf = (text: string) =>
  Result.getOrThrow(parseJson(text)).errors.map(({ code, pointer }) => `${pointer} ${code}`)

const jsonOf = (text: string) => Result.getOrThrow(parseJson(text)).json

const reasonOf = (text: string) => Result.getOrThrow(Result.flip(parseJson(text))).reason

describe("parseJson", () => {
  it("skips one byte order mark", () => {
    assert.deepStrictEqual(jsonOf('\uFEFF{"a":1}'), { a: 1 })
    assert.match(reasonOf('\uFEFF\uFEFF{"a":1}'), /Unexpected token/)
    assert.match(reasonOf("\uFEFF"), /is empty/)
  })

  it("reports each name that an object has twice at its pointer, at any depth and in any spelling", () => {
    assert.deepStrictEqual(errorsOf('{"a":1,"b":2,"a":3,"a":4}'), ["/a duplicate_field", "/a duplicate_field"])
    assert.deepStrictEqual(
      errorsOf('{"campaigns":[{"a":1},{"a":1,"b":{"c d":1,"c d" :2}}],"x/y":1,"x\\/y":2,"z":1,"\\u007a":1}'),
      ["/campaigns/1/b/c d duplicate_field", "/x~1y duplicate_field", "/z duplicate_field"]
    )
    assert.deepStrictEqual(errorsOf('{"__proto__":1,"__proto__":2}'), ["/__proto__ duplicate_field"])
  })

  it("accepts equal names in different objects, and values that look like names or structure", () => {
    for (const text of [
      '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
      '{"a":":","b":"\\"a\\":1,","c":"{[","d":["a","a"],"e":"\\\\"}',
      '["a","a"]',
      '"a"',
      "1"
    ]) {
      assert.deepStrictEqual(errorsOf(text), [], text)
    }
  })

  it("reports half a surrogate pair in a text or a name, escaped or not, and accepts whole pairs", () => {
    assert.deepStrictEqual(
      errorsOf('{"a":["x","\\ud800"],"b":"\\udc00\\ud800","c":"\\ud83d\\ude00","d":"\\\\ud800"}'),
      ["/a/1 invalid_format", "/b invalid_format"]
    )
    assert.deepStrictEqual(errorsOf('{"a\\uDBFF":"\ud800"}'), ["/a\ufffd invalid_format", "/a\ufffd invalid_format"])
    assert.deepStrictEqual(errorsOf('{"a\\ud800":1,"a\\ud801":2}'), [
      "/a\ufffd invalid_format",
      "/a\ufffd invalid_format"
    ])
  })

  it("reports at most 50 errors", () =>
    assert.lengthOf(errorsOf(`{${Array.from({ length: 60 }, () => '"a":1').join(",")}}`), 50))

  it("counts the errors after 50, and those of the decoder with them", () => {
    const parsed = Result.getOrThrow(parseJson(`{${Array.from({ length: 60 }, () => '"a":1').join(",")}}`))
    assert.deepStrictEqual([parsed.errors.length, parsed.more], [50, 9])
    const wrong = { pointer: "/b", code: "required", message: "is required" } as const
    const decoded = decodeParsed(parsed, () => Result.fail(new InvalidInput({ errors: [wrong], more: 5 })))
    const { errors, more } = Result.getOrThrow(Result.flip(decoded))
    assert.deepStrictEqual([errors.length, more], [50, 9 + 1 + 5])
  })

  it("counts the members of a long list", () => {
    const parsed = parseJson(`{"a":[${"[],".repeat(300_000)}{"b":1,"b":2}]}`)
    assert.deepStrictEqual(
      Result.map(parsed, ({ errors }) => errors.map(({ pointer }) => pointer)),
      Result.succeed(["/a/300000/b"])
    )
  })

  it.prop("reports nothing in what JSON.stringify writes", [Arbitrary.schema(Schema.Json)], ([value]) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 1)]) {
      // It escapes nothing but halves of surrogate pairs with \ud.
      if (!text.includes("\\ud")) assert.deepStrictEqual(errorsOf(text), [], text)
    }
  })

  it("treats __proto__ like any other member", () => {
    assert.deepStrictEqual(Object.keys(jsonOf('{"__proto__":{"polluted":true}}') ?? {}), ["__proto__"])
    assert.notProperty({}, "polluted")
  })

  it("survives deep nesting", () => {
    const half = 128 * 1024
    assert.match(reasonOf("[".repeat(2 * half)), /./)
    for (const text of [
      `${"[".repeat(half)}${"]".repeat(half)}`,
      `${'{"a":'.repeat(half / 4)}":"${"}".repeat(half / 4)}`,
      `${'{"a":'.repeat(half / 8)}{"b":1,"b":2}${"}".repeat(half / 8)}`
    ]) {
      const read = parseJson(text)
      assert.isTrue(Result.isSuccess(read) || Predicate.isTagged(read.failure, "MalformedJson"))
    }
  })

  it("reports briefly where the text stops being JSON", () => {
    assert.match(reasonOf('{"a":1,}'), /at position 7 \(line 1 column 8\)$/)
    assert.match(reasonOf('{"reply_rate":}'), /"\{"reply_rate":\}"/)
    assert.strictEqual(
      reasonOf('{"a":1'),
      "Expected ',' or '}' after property value in JSON at position 6 (line 1 column 7)"
    )
    assert.isAtMost(reasonOf(`{"a":${"1".repeat(9000)}.}`).length, 200)
    assert.strictEqual(reasonOf(" "), "The body is empty; send a JSON object")
    for (const text of ["{", "{'a':1}", '{"a":NaN}', '{"a":Infinity}', '{"a":01}', '{"a":.5}', "{} {}", "undefined"]) {
      assert.notStrictEqual(reasonOf(text), "", text)
    }
  })
})
