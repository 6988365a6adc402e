import { assert, describe, it } from "@effect/vitest"
import { wrap } from "../../src/cli/Layout.ts"

describe("the layout", () => {
  it("breaks lines between words", () => {
    assert.deepStrictEqual(wrap("of 100: 2%", 11, "- "), ["- of 100:", "  2%"])
    assert.deepStrictEqual(wrap("unbreakable", 5, "  "), ["  unbreakable"])
  })
})
