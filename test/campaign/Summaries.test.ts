import { assert, describe, it } from "@effect/vitest"
import { summariesAmong } from "../../src/campaign/Summaries.ts"

const summed = [
  { name: "A", emails: 2 },
  { name: "B", emails: 3 }
]

describe("summariesAmong", () => {
  // With every way to split them, these brackets take longer than a test may.
  it("reads a long name of brackets once", () => {
    const name = `Total ${"(".repeat(300_000)}x`
    assert.deepStrictEqual(summariesAmong([{ name, emails: 5 }, ...summed]), [undefined, undefined, undefined])
    assert.deepStrictEqual(summariesAmong([{ name: "Total (2 campaigns)", emails: 5 }, ...summed])[0], "total")
  })
})
