import { assert, describe, it } from "@effect/vitest"
import { table } from "../../src/cli/Printing.ts"

describe("table", () => {
  it("is as wide as its widest row, however many there are", () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => ({ id: `key_${i}`, email: "ada@example.com" }))
    const lines = table(rows).split("\n")
    assert.lengthOf(lines, 200_001)
    assert.deepStrictEqual([lines[0], lines[1]], ["id          email", "key_0       ada@example.com"])
    assert.strictEqual(lines.at(-1), "key_199999  ada@example.com")
  })
})
