import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { jsonMembers } from "../../src/input/JsonMembers.ts"

describe("jsonMembers", () => {
  it("gives the texts of members as they stand", () => {
    const text = ' { "a" : 1e999 , "b\\u0062":{"c":[1,"}"],"d":"\\""} ,"e":[ ] } '
    assert.deepStrictEqual(
      [...(jsonMembers(text) ?? [])],
      [
        ["a", "1e999"],
        ["bb", '{"c":[1,"}"],"d":"\\""}'],
        ["e", "[ ]"]
      ]
    )
    assert.deepStrictEqual(jsonMembers("{}")?.size, 0)
  })

  it("is undefined for what is not the text of an object", () => {
    for (const text of [
      "",
      "[]",
      "1",
      "{",
      '{"a"}',
      '{"a":1',
      '{"a":1,}',
      '{"a":1} 2',
      '{"a":1}}',
      "{a:1}",
      '{"a":1]',
      '{"\\x":1}'
    ]) {
      assert.isUndefined(jsonMembers(text), text)
    }
  })

  it.prop("takes apart what JSON.parse reads as an object", [Schema.Record(Schema.String, Schema.Json)], ([object]) => {
    const text = JSON.stringify(object, null, 1)
    const members = [...(jsonMembers(text) ?? [])].map(([name, member]): [string, unknown] => [
      name,
      JSON.parse(member)
    ])
    assert.deepStrictEqual(Object.fromEntries(members), JSON.parse(text))
  })
})
