import { assert, describe, it } from "@effect/vitest"
import { shorten, widthOf, wrap } from "../../src/cli/Layout.ts"

describe("the layout", () => {
  it("breaks lines between words", () => {
    assert.deepStrictEqual(wrap("of 100: 2%", 11, "- "), ["- of 100:", "  2%"])
    assert.deepStrictEqual(wrap("unbreakable", 5, "  "), ["  unbreakable"])
  })

  it("counts columns as a terminal does", () => {
    assert.strictEqual(widthOf("漢字 e\u0301"), 6)
    assert.strictEqual(shorten("漢字漢字", 6), "漢字…")
  })
})
