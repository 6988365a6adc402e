import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFields } from "../../src/input/readFields.ts"

const errorsOf = (text: string, large?: ReadonlyArray<string>) =>
  Result.match(readFields(text, large), {
    onFailure: ({ errors }) => errors.map(({ message, pointer }) => `${pointer} ${message}`),
    onSuccess: () => []
  })

const fields = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join("&")

describe("readFields", () => {
  it("reads what a browser sends", () =>
    assert.deepStrictEqual(
      [...Result.getOrThrow(readFields("a=1&b=%C3%A4+x&a=2&c"))],
      [
        ["a", "1"],
        ["b", "ä x"],
        ["a", "2"],
        ["c", ""]
      ]
    ))

  it("takes at most 200 fields, whether they have names or not", () => {
    assert.deepStrictEqual(errorsOf(fields(200)), [])
    assert.deepStrictEqual(errorsOf(fields(201)), [" must have at most 200 fields"])
    assert.deepStrictEqual(errorsOf("&".repeat(200)), [" must have at most 200 fields"])
  })

  it("takes at most 1 KiB in a field that is not a table, in bytes", () => {
    const long = "é".repeat(512)
    assert.deepStrictEqual(errorsOf(`a=${long}&b=${encodeURIComponent(long)}`), [])
    assert.deepStrictEqual(errorsOf(`a=${long}1&b=2&${"c".repeat(1025)}=3`), [
      "/a must have at most 1 KiB",
      `/${"c".repeat(100)} must have at most 1 KiB`
    ])
    assert.deepStrictEqual(errorsOf(`history=${long}1`, ["history"]), [])
  })
})
