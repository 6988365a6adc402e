import { assert, describe, it } from "@effect/vitest"
import { chanceOfAtLeast, chanceOfNone, chanceWithin, roundChance } from "../../../src/forecast/counts/Counts.ts"

describe("a chance in a response", () => {
  const counts = (least: number, most: number, chance: number) => ({
    least,
    most,
    atLeast: (count: number) => (count <= 1 ? chance : count === 2 ? chance / 2 : 0),
    smallestReaching: () => 0
  })

  it("has 4 decimals, and is never shown as 0 or 1", () => {
    assert.deepStrictEqual(
      [0, 1e-9, 0.00014, 0.00016, 0.12344, 0.99984, 0.99996, 1].map(roundChance),
      [0.0001, 0.0001, 0.0001, 0.0002, 0.1234, 0.9998, 0.9999, 0.9999]
    )
  })

  it("is 0 or 1 if and only if a count is impossible or certain", () => {
    const from2To5 = counts(2, 5, 0.4)
    assert.deepStrictEqual(
      [1, 2, 3, 5, 6].map((count) => chanceOfAtLeast(from2To5, count)),
      [1, 1, 0.0001, 0.0001, 0]
    )
    assert.deepStrictEqual([chanceOfNone(from2To5), chanceOfNone(counts(0, 0, 0.4))], [0, 1])
    assert.deepStrictEqual([chanceOfNone(counts(0, 1, 0.4)), chanceOfNone(counts(1, 1, 0.4))], [0.6, 0])
    assert.deepStrictEqual(
      (
        [
          [2, 5],
          [1, 6],
          [2, 4],
          [3, 5]
        ] as const
      ).map(([low, high]) => chanceWithin(from2To5, low, high)),
      [1, 1, 0.2, 0.0001]
    )
    assert.strictEqual(chanceWithin(counts(0, 5, 0.4), 1, 1), 0.2)
  })
})
