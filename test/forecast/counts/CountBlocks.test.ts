import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { blocksOf, chanceBelow, chanceOfBlock, sumOf } from "../../../src/forecast/counts/CountBlocks.ts"
import { whole } from "../../../src/forecast/Decimal.ts"
import type { Posterior } from "../../../src/forecast/outlook/Posterior.ts"
import { countsOf } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { exactBetaBinomial, exactBinomial, exactSum, weightWithin } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"

/** Counts that succeed with this many thousandths, and with each of some shares. */
const countsWith = (trials: number, thousandths: number, ...shares: ReadonlyArray<readonly [number, number]>) =>
  countsOf(
    {
      known: BigDecimal.make(BigInt(thousandths), 3),
      uncertain: shares.map(([alpha, beta]): Posterior => ({
        alpha,
        beta,
        mean: { numerator: whole(alpha), denominator: whole(alpha + beta) }
      }))
    },
    trials
  )

describe("the chance of a sum of counts", () => {
  it("agrees with an exact sum at every count, whether rates vary or not", () => {
    const random = seeded(17)
    for (let round = 0; round < 25; round++) {
      const parts = Array.from({ length: 1 + (round % 4) }, (_, index) => ({
        trials: 1 + Math.floor(random() * 30),
        thousandths: round % 5 === 0 ? 1 + Math.floor(random() * 3) : 1 + Math.floor(random() * 999),
        alpha: 1 + Math.floor(random() * 9),
        beta: 1 + Math.floor(random() * 40),
        isVarying: (round + index) % 2 === 0
      }))
      const exact = parts
        .map(({ alpha, beta, isVarying, thousandths, trials }) =>
          isVarying
            ? exactBetaBinomial(trials, BigInt(alpha), BigInt(beta))
            : exactBinomial(trials, { numerator: BigInt(thousandths), denominator: 1000n })
        )
        .reduce(exactSum)
      const given = parts.map(({ alpha, beta, isVarying, thousandths, trials }) =>
        isVarying ? countsWith(trials, 1000, [alpha, beta]) : countsWith(trials, thousandths)
      )
      for (let count = 0; count <= exact.weights.length; count++) {
        const chance = Number((weightWithin(exact, count) * 10n ** 18n) / exact.total) / 1e18
        assert.closeTo(1 - chanceBelow(sumOf(given), count), chance, 1e-11, JSON.stringify({ parts, count }))
      }
    }
  })

  it("is correct for the largest campaigns, and for many of them", () => {
    // By symmetry half, and half of the chance of the middle: C(2n, n) / 4ⁿ = (1 - 1/8n + …) / √(πn).
    const middle = (1 - 1 / 4e8) / Math.sqrt(Math.PI * 5e7)
    assert.closeTo(1 - chanceBelow(sumOf([countsWith(1e8, 500)]), 5e7), (1 + middle) / 2, 1e-6)
    const many = Array.from({ length: 20 }, () => countsWith(5e6, 500))
    assert.closeTo(1 - chanceBelow(sumOf(many), 5e7), (1 + middle) / 2, 1e-6)
  })
})

describe("blocks of counts", () => {
  it("have the total chance of their counts, however those are computed", () => {
    for (const counts of [
      countsWith(40, 300),
      countsWith(5_000, 15, [2, 38]),
      countsWith(60_000, 500),
      countsWith(400_000, 500, [3, 50]),
      countsWith(5_000, 1000, [32, 788], [10, 28], [4, 20]),
      countsWith(2_000_000, 1000, [2, 60], [3, 5]),
      countsWith(100_000_000, 1000, [400, 9_000], [90, 60], [1, 9])
    ]) {
      const blocks = blocksOf(counts)
      let sum = 0
      for (let index = 0; index < blocks.sums.length; index++) sum += chanceOfBlock(blocks, index)
      assert.closeTo(sum, 1, 1e-12)
      const step = Math.ceil(blocks.sums.length / 50)
      for (let index = 0; index + 1 < blocks.sums.length; index += step) {
        const end = blocks.lowest + (index + 1) * blocks.width
        assert.closeTo(chanceBelow(blocks, end), 1 - counts.atLeast(end), 1e-8, `${index} of ${blocks.sums.length}`)
      }
      assert.deepStrictEqual([chanceBelow(blocks, blocks.lowest), chanceBelow(blocks, 2e8)], [0, 1])
    }
  })
})
