import { assert, describe, it } from "@effect/vitest"
import { betaBinomial, smallestNotExceeded } from "../../../src/forecast/counts/BetaBinomial.ts"
import { exactBetaBinomial, weightWithin } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"

const levels = [0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999]

/** The count found, and the counts at which the chance was evaluated. */
const search = (mixture: Parameters<typeof betaBinomial>[0], level: number) => {
  const evaluated: Array<number> = []
  const { atLeast } = betaBinomial(mixture)
  const evaluate = (count: number) => {
    evaluated.push(count)
    return atLeast(count)
  }
  return { evaluated, found: smallestNotExceeded(mixture, evaluate, 1 - level) }
}

describe("a beta-binomial count", () => {
  it("has the chances and quantiles of whole numbers", () => {
    for (const [trials, alpha, beta] of [
      [1, 2, 3],
      [12, 1, 1],
      [40, 5, 30],
      [60, 30, 2],
      [90, 1, 80]
    ] as const) {
      const exact = exactBetaBinomial(trials, BigInt(alpha), BigInt(beta))
      const chanceOf = (low: number, high?: number) =>
        Number((weightWithin(exact, low, high) * 10n ** 15n) / exact.total) / 1e15
      const counts = betaBinomial({ trials, known: 1, shares: [{ alpha, beta }] })
      for (let count = -1; count <= trials + 1; count++) {
        assert.closeTo(counts.atLeast(count), chanceOf(count), 1e-10, `${count} of ${trials}`)
      }
      for (const level of levels) {
        const expected = exact.weights.findIndex((_, count) => chanceOf(0, count) >= level - 1e-12)
        // The integral may put an exact tie on either side.
        const isTie = Math.abs(chanceOf(0, expected) - level) < 1e-10
        if (!isTie) assert.strictEqual(counts.smallestReaching(level), expected, `${level} of ${trials}`)
      }
    }
  })

  it("has quantiles that fit its chances at any size, found with few evaluations", () => {
    const random = seeded(31)
    let evaluated = 0
    let searches = 0
    for (let round = 0; round < 60; round++) {
      const mixture = {
        trials: Math.ceil(10 ** (2 + random() * 6)),
        known: 10 ** (-3 * random()),
        shares: Array.from({ length: 1 + (round % 3) }, () => ({ alpha: 1 + random() * 60, beta: 1 + random() * 900 }))
      }
      const { atLeast } = betaBinomial(mixture)
      for (const level of [0.1, 0.5, 0.9]) {
        const { evaluated: counts, found } = search(mixture, level)
        assert.isAtMost(atLeast(found + 1), 1 - level)
        assert.isTrue(found === 0 || atLeast(found) > 1 - level)
        assert.strictEqual(new Set(counts).size, counts.length)
        assert.isAtMost(counts.length, 8, JSON.stringify({ mixture, level }))
        evaluated += counts.length
        searches++
      }
    }
    // Halving would take 7 to 27.
    assert.isBelow(evaluated / searches, 3)
  })

  it("has quantiles even if almost none or almost all are expected", () => {
    for (const [alpha, beta] of [
      [0.001, 1],
      [1, 0.001],
      [0.01, 0.01],
      [1, 1e6],
      [1e6, 1]
    ] as const) {
      const mixture = { trials: 10_000, known: 1, shares: [{ alpha, beta }] }
      const { atLeast } = betaBinomial(mixture)
      for (const level of levels) {
        const { evaluated, found } = search(mixture, level)
        assert.isAtMost(atLeast(found + 1), 1 - level)
        assert.isTrue(found === 0 || atLeast(found) > 1 - level, JSON.stringify({ mixture, level, found }))
        assert.isAtMost(evaluated.length, 24)
        assert.isTrue(evaluated.every((count) => count >= 1 && count <= 10_000))
      }
    }
  })

  it("has quantiles if interpolation makes no progress: it falls back to bisection", () => {
    const trials = 60_000_000
    for (const [known, [first, second]] of [
      [
        0.9774883,
        [
          { alpha: 2, beta: 0.018757 },
          { alpha: 1, beta: 0.100941 }
        ]
      ],
      [
        0.066,
        [
          { alpha: 2, beta: 0.75982 },
          { alpha: 3, beta: 0.000546 }
        ]
      ]
    ] as const) {
      const mixture = { trials, known, shares: [first, second] }
      const { atLeast } = betaBinomial(mixture)
      const { evaluated, found } = search(mixture, 0.9)
      assert.isTrue(atLeast(found + 1) <= 0.1 && atLeast(found) > 0.1)
      assert.isAtMost(evaluated.length, 10 + Math.log2(trials))
    }
  })
})
