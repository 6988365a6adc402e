import { assert, describe, it } from "@effect/vitest"
import { chanceOfSum } from "../../../src/forecast/outlook/SumOfBinomials.ts"
import { exactBinomial, exactSum, weightWithin } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"

/** Counts that succeed with so many thousandths. */
const trialsOf = (trials: number, thousandths: number) => ({
  trials,
  p: thousandths / 1000,
  q: (1000 - thousandths) / 1000
})

describe("the chance of a sum of binomial counts", () => {
  it("agrees with sums of whole numbers at every count, whether below or above the mean", () => {
    const random = seeded(17)
    for (let round = 0; round < 25; round++) {
      const parts = Array.from({ length: 1 + (round % 4) }, () => ({
        trials: 1 + Math.floor(random() * 30),
        thousandths: round % 5 === 0 ? 1 + Math.floor(random() * 3) : 1 + Math.floor(random() * 999)
      }))
      const exact = parts
        .map(({ thousandths, trials }) => exactBinomial(trials, { numerator: BigInt(thousandths), denominator: 1000n }))
        .reduce(exactSum)
      const given = parts.map(({ thousandths, trials }) => trialsOf(trials, thousandths))
      for (let count = 0; count <= exact.weights.length; count++) {
        const chance = Number((weightWithin(exact, count) * 10n ** 18n) / exact.total) / 1e18
        assert.closeTo(chanceOfSum(given, count), chance, 1e-12, JSON.stringify({ parts, count }))
      }
    }
  })

  it("is right for the largest campaigns, and for many of them", () => {
    // By symmetry half, and half of the chance of the middle: C(2n, n) / 4ⁿ = (1 - 1/8n + …) / √(πn).
    const middle = (1 - 1 / 4e8) / Math.sqrt(Math.PI * 5e7)
    assert.closeTo(chanceOfSum([trialsOf(1e8, 500)], 5e7), (1 + middle) / 2, 1e-10)
    const many = Array.from({ length: 20 }, () => trialsOf(5e6, 500))
    assert.closeTo(chanceOfSum(many, 5e7), (1 + middle) / 2, 1e-10)
    // Hardly anybody of very many: two or more have Poisson's chance, 1 - 1.1 e^-0.1, to 1e-10.
    const rare = { trials: 1e8, p: 1e-9, q: 1 - 1e-9 }
    assert.closeTo(chanceOfSum([rare], 2), 1 - 1.1 * Math.exp(-0.1), 1e-10)
    assert.closeTo(chanceOfSum([{ trials: 1e8, p: rare.q, q: rare.p }], 1e8 - 1), 1.1 * Math.exp(-0.1), 1e-10)
  })

  it("is certain or impossible where it is so", () => {
    const parts = [trialsOf(3, 500), trialsOf(2, 250)]
    assert.deepStrictEqual(
      [-1, 0, 6].map((count) => chanceOfSum(parts, count)),
      [1, 1, 0]
    )
    // 0.5³ × 0.25²
    assert.closeTo(chanceOfSum(parts, 5), 0.0078125, 1e-16)
  })

  it("counts what is sure but for a double, and leaves out what never happens", () => {
    const sure = { trials: 4, p: 1, q: 1e-26 }
    const never = { trials: 4, p: 1e-26, q: 1 }
    const chances = [4, 5, 6, 7].map((count) => chanceOfSum([sure, never, trialsOf(2, 500)], count))
    for (const [i, chance] of [1, 0.75, 0.25, 0].entries()) assert.closeTo(chances[i] ?? 2, chance, 1e-12)
    assert.deepStrictEqual(
      [4, 5].map((count) => chanceOfSum([sure, never], count)),
      [1, 0]
    )
  })
})
