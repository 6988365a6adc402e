import { assert, describe, it } from "@effect/vitest"
import { sizeNear } from "../../scripts/docTables/Page.ts"

describe("the sizes in README.md", () => {
  it("stay while they are near, and are rounded once they are not", () => {
    assert.strictEqual(sizeNear(93, undefined, 20), "100")
    for (const lines of [81, 93, 100, 119]) assert.strictEqual(sizeNear(lines, "100", 20), "100")
    assert.strictEqual(sizeNear(80, "100", 20), "80")
    assert.strictEqual(sizeNear(121, "100", 20), "120")
    assert.strictEqual(sizeNear(93, "93", 20), "100")
    assert.strictEqual(sizeNear(28_900, "28,000", 1000), "28,000")
    assert.strictEqual(sizeNear(29_000, "28,000", 1000), "29,000")
  })
})
