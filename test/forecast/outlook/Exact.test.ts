import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { chanceOfAtLeast, chanceOfNone, chanceWithin, roundChance } from "../../../src/forecast/outlook/Chance.ts"
import { complement, quotientSigned, roundSigned, toDouble } from "../../../src/forecast/outlook/Exact.ts"

const of = BigDecimal.fromStringUnsafe
const { make } = BigDecimal

describe("exact decimals", () => {
  it("become the nearest double, where one division would not", () => {
    for (const [value, scale, double] of [
      [25n, 1, 2.5],
      [25n, -2, 2500],
      [9_007_199_254_740_991n, 0, 9_007_199_254_740_991],
      // Dividing doubles gives the one above, and 1.0000000000000001e-23.
      [79_314_753_436_462_732n, 1, 7_931_475_343_646_273],
      [1n, 23, 1e-23]
    ] as const) {
      assert.strictEqual(toDouble(make(value, scale)), double)
    }
  })

  it("have an exact rest to 1", () => {
    for (const [chance, rest] of [
      [make(1n, 3), "0.999"],
      [make(1n, 0), "0"],
      [make(0n, 0), "1"],
      [make(0n, -3), "1"]
    ] as const) {
      assert.isTrue(BigDecimal.equals(complement(chance), of(rest)), rest)
    }
  })

  it("are rounded half away from zero on both sides of it, and never to -0", () => {
    assert.deepStrictEqual(
      ["2.345", "-2.345", "2.3449", "-2.3449", "-0.005", "-0.0049", "0"].map((text) => roundSigned(of(text), 2)),
      [2.35, -2.35, 2.34, -2.34, -0.01, 0, 0]
    )
    assert.deepStrictEqual(
      ["1", "-1", "-0.01", "0"].map((text) => quotientSigned(of(text), of("8"), 2)),
      [0.13, -0.13, 0, 0]
    )
  })
})

describe("a chance in an answer", () => {
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

  it("is 0 or 1 exactly where a count cannot happen, or has to", () => {
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
