import { compare, one, zero } from "../../../src/forecast/Decimal.ts"
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { priorOf } from "../../../src/forecast/outlook/Posterior.ts"
import { decidedBelief } from "../../../src/extensions/progress/decidedBelief.ts"
import { campaignOf } from "../../support/Campaigns.ts"

const of = BigDecimal.fromStringUnsafe

describe("the belief about a rate after decided cases", () => {
  const belief = (rate: string, passed: number, cases: number) => decidedBelief(undefined, of(rate), { passed, cases })

  it("starts from the planned rate, worth one success", () => {
    assert.deepInclude(belief("5", 31, 800), { alpha: 32, beta: 788 })
  })

  it("leaves 100% unchanged, and for 0% uses only the cases", () => {
    assert.deepStrictEqual(belief("100", 3, 10), one)
    assert.deepInclude(belief("0", 3, 10), { alpha: 3, beta: 7 })
    assert.deepStrictEqual(belief("0", 0, 10), zero)
    assert.deepStrictEqual(belief("0", 10, 10), one)
  })

  it("starts from the published spread, with an exact mean", () => {
    const prior = priorOf({ ...campaignOf(), spread: "published" }, "reply_rate", of("5"))
    const after = decidedBelief(prior, of("5"), { passed: 12, cases: 800 })
    // (2.3 + 12) / (46 + 800), in units of 1/5
    assert.isTrue("alpha" in after && compare(after.mean.numerator, of("71.5")) === 0)
    assert.isTrue("alpha" in after && compare(after.mean.denominator, of("4230")) === 0)
    assert.isTrue("alpha" in after && after.alpha === 14.3 && Math.abs(after.beta - 831.7) < 1e-12)
  })

  it("starts from what past campaigns have shown", () => {
    const prior = priorOf({ ...campaignOf(), learned: { reply_rate: { alpha: 4, beta: 96 } } }, "reply_rate", of("5"))
    assert.deepInclude(decidedBelief(prior, of("5"), { passed: 12, cases: 800 }), { alpha: 16, beta: 884 })
  })
})
