import { assert, describe, it } from "@effect/vitest"
import {
  binomial,
  cdf,
  type Distribution,
  pmf,
  quantile as countsQuantile,
  smallestReaching,
  SummedCounts
} from "../../../src/forecast/counts/Counts.ts"

/** As `Counts` reads it from a distribution. */
const quantile = (distribution: Distribution, level: number) =>
  countsQuantile(new SummedCounts(distribution, 0, Infinity), level)

describe("binomial", () => {
  it("treats a level as reached if it is met exactly, even where doubles fall short", () => {
    // F(0) = 0.1 exactly, though 1 - 0.9 is less than 0.1 in doubles.
    assert.strictEqual(quantile(binomial(1, 0.9, 0.1), 0.1), 0)
    // F(1) = 0.75 = 1 - 0.5², and F(49,999) = 0.5 by symmetry.
    assert.strictEqual(quantile(binomial(2, 0.5, 0.5), 0.75), 1)
    assert.strictEqual(quantile(binomial(99_999, 0.5, 0.5), 0.5), 49_999)
  })

  it("handles impossible and certain outcomes", () => {
    const none = binomial(5000, 0, 1)
    const all = binomial(5000, 1, 0)
    assert.deepStrictEqual([quantile(none, 0.1), quantile(none, 0.9), cdf(none, 0), pmf(none, 1)], [0, 0, 1, 0])
    assert.deepStrictEqual([quantile(all, 0.1), quantile(all, 0.9), cdf(all, 4999), pmf(all, 5000)], [5000, 5000, 0, 1])
    // No other count is kept.
    for (const certain of [none, all]) assert.strictEqual(certain.last, certain.first)
    assert.deepStrictEqual([none.lowest, all.lowest], [0, 5000])
  })

  it("keeps a chance near 1 that computing 1 - p would lose", () => {
    // The chance that none of 1e8 fails, (1 - 1e-17)^1e8, where p itself is 1 as a double.
    const distribution = binomial(100_000_000, 1, 1e-17)
    assert.closeTo(pmf(distribution, 99_999_999), 1e-9, 1e-15)
  })

  it("has chances that sum to 1 and the mean and variance of a binomial", () => {
    for (const [trials, p] of [
      [1, 0.3],
      [17, 0.5],
      [5000, 0.00075],
      [5000, 0.997],
      [1_000_000, 0.01],
      // More counts than initially fit.
      [4_000_000, 0.5]
    ] as const) {
      const distribution = binomial(trials, p, 1 - p)
      let sum = 0
      let mean = 0
      let square = 0
      for (let index = 0; index < distribution.sums.length; index++) {
        const count = distribution.lowest + index
        const chance = pmf(distribution, count)
        sum += chance
        mean += chance * count
        square += chance * (count - trials * p) ** 2
      }
      assert.closeTo(sum, 1, 1e-12)
      assert.closeTo(mean / (trials * p), 1, 1e-11)
      assert.closeTo(square / (trials * p * (1 - p)), 1, 1e-9)
    }
  })

  it("counts a level that is met exactly as reached", () => {
    assert.strictEqual(smallestReaching(binomial(1, 0.5, 0.5), 0.5), 0)
  })

  it("assigns no chance to counts that are too far off to be stored, on either side", () => {
    const distribution = binomial(1_000_000, 0.5, 0.5)
    assert.isAbove(distribution.lowest, 400_000)
    for (const count of [0, distribution.lowest - 1]) {
      assert.deepStrictEqual([pmf(distribution, count), cdf(distribution, count)], [0, 0])
    }
    for (const count of [600_000, 1_000_000]) {
      assert.deepStrictEqual([pmf(distribution, count), cdf(distribution, count)], [0, 1])
    }
  })
})
