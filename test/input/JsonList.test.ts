import { assert, describe, it } from "@effect/vitest"
import { splitList } from "../../src/input/JsonList.ts"

const split = (text: string, most = 10) => splitList(text, "list", most)

describe("splitList", () => {
  it("takes the items out, and leaves the rest of the object as it is", () =>
    assert.deepStrictEqual(split('{"a":[1],"list" : [{"b":[2,"]"]}, "x,\\"y" ,3],"c":{"list":[4]}}'), {
      rest: '{"a":[1],"list" : [0],"c":{"list":[4]}}',
      items: ['{"b":[2,"]"]}', ' "x,\\"y" ', "3"],
      count: 3,
      isOpen: false
    }))

  it("knows the name with escapes, and no value or inner name that is the same", () => {
    assert.deepStrictEqual(split('{"\\u006cist":[1]}').items, ["1"])
    for (const text of ['{"a":"list","b":[1]}', '{"a":{"list":[1]}}', '{"list":{"a":[1]}}', "[1]", '"list"', ""]) {
      assert.deepStrictEqual(split(text), { rest: text, items: undefined, count: 0, isOpen: false })
    }
  })

  it("leaves a second list of the name to be seen as a repetition", () =>
    assert.strictEqual(split('{"list":[1],"list":[]}').rest, '{"list":[0],"list":[]}'))

  it("keeps what is between commas, also nothing, and counts what it does not keep", () => {
    assert.deepStrictEqual(split('{"list":[ ]}').items, [])
    assert.deepStrictEqual(split('{"list":[1,]}').items, ["1", ""])
    assert.deepInclude(split('{"list":[1,2,3,4]}', 2), { count: 4, isOpen: false })
  })

  it("says where a text ends within the list", () => {
    for (const text of ['{"list":[', '{"list":[1,{"a":"]}', '{"list":["\\']) assert.isTrue(split(text).isOpen, text)
  })
})
