import { assert, describe, it } from "@effect/vitest"
import { betaBinomial, smallestNotExceeded } from "../../../src/forecast/counts/BetaBinomial.ts"
import { outlook } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { makeAtLeast } from "../../../src/forecast/counts/Contour.ts"
import { addGammaStep } from "../../../src/forecast/counts/SpecialFunctions.ts"
import { campaignOf } from "../../support/Campaigns.ts"
import { seeded } from "../../support/Seeded.ts"

/** P(X ≥ count) for one share Beta(1, beta): Γ(n+1) Γ(n-count+1+beta) / (Γ(n-count+1) Γ(n+1+beta)). */
const closedForm = (trials: number, count: number, beta: number): number => {
  const sum = { re: 0, im: 0 }
  addGammaStep(sum, 1, beta, trials - count + 1, 0)
  addGammaStep(sum, -1, beta, trials + 1, 0)
  return Math.exp(sum.re)
}

describe("the contour", () => {
  // By mpmath 1.3 with 60 digits.
  for (const [rate, count, chance] of [
    [97, 1, 0.9999999996907216],
    [97, 56_746_521, 0.974412662533252],
    [97, 96_684_815, 0.9000000018454137],
    [97, 96_684_816, 0.8999999934491851],
    [90, 61_257_951, 0.9000000011365479],
    [90, 61_257_952, 0.8999999985553732],
    [99.99, 56_746_521, 0.9999161858798384],
    [99.99, 100_000_000, 0.998101832389678],
    [99, 99_999_999, 0.8337980091407927],
    [50, 56_746_521, 0.43253479567465203],
    [5, 5_000_000, 0.3773536402706647]
  ] as const) {
    it(`is right for a share Beta(1, 1/rate - 1) of ${rate}% and ${count} of 100,000,000`, () => {
      const share = { alpha: 1, beta: 100 / rate - 1 }
      assert.closeTo(makeAtLeast({ trials: 1e8, known: 1, shares: [share] })(count), chance, 1e-11)
    })
  }

  it("agrees with the closed form of one share Beta(1, beta) at any size", () => {
    const random = seeded(41)
    for (let repeat = 0; repeat < 400; repeat++) {
      const trials = Math.ceil(10 ** (2 + 6 * random()))
      const beta = 10 ** (-7 + 10 * random())
      const missing = Math.floor(trials ** random())
      const count = repeat % 2 === 0 ? trials - missing : 1 + missing
      if (count < 1 || count > trials) continue
      const actual = makeAtLeast({ trials, known: 1, shares: [{ alpha: 1, beta }] })(count)
      assert.closeTo(actual, closedForm(trials, count, beta), 1e-10, JSON.stringify({ trials, beta, count }))
    }
  })

  it("converges for any shares, from extremely small to almost certain", () => {
    const random = seeded(43)
    const size = (low: number, high: number) => 10 ** (low + (high - low) * random())
    for (let repeat = 0; repeat < 1_000; repeat++) {
      const trials = Math.ceil(size(2.4, 8))
      const shares = Array.from({ length: 1 + (repeat % 5) }, () => ({
        alpha: random() < 0.3 ? 1 : size(-3, 8),
        beta: size(-7, 8)
      }))
      const known = [1, 1 - size(-8, 0), size(-6, 0)][repeat % 3] ?? 1
      const mean = shares.reduce((product, { alpha, beta }) => product * (alpha / (alpha + beta)), known)
      const count = [
        trials + 1 - Math.ceil(size(0, Math.log10(trials))),
        Math.ceil(size(0, Math.log10(trials))),
        Math.round(trials * mean * (1 + size(-5, 0) * (random() - 0.5)))
      ][Math.floor(3 * random())]
      const chance = makeAtLeast({ trials, known, shares })(Math.min(Math.max(count ?? 1, 1), trials))
      assert.isTrue(chance > -1e-9 && chance < 1 + 1e-9, JSON.stringify({ trials, known, shares, count, chance }))
    }
  })

  it("is as exact for the counts next to its own as for its own", () => {
    const random = seeded(47)
    const size = (low: number, high: number) => 10 ** (low + (high - low) * random())
    for (let repeat = 0; repeat < 500; repeat++) {
      const trials = Math.ceil(size(2.4, 6))
      const shares = Array.from({ length: 1 + (repeat % 4) }, () => ({ alpha: size(-0.5, 2), beta: size(-0.5, 4) }))
      const count = Math.ceil(trials * shares.reduce((mean, { alpha, beta }) => mean * (alpha / (alpha + beta)), 1))
      const mixture = { trials, known: 1, shares }
      const atLeast = makeAtLeast(mixture)
      atLeast(count)
      const other = Math.min(count + 1 + Math.floor(30 * random()), trials)
      assert.closeTo(atLeast(other), makeAtLeast(mixture)(other), 1e-10, JSON.stringify({ ...mixture, count, other }))
    }
  })

  it("throws if no two results agree", () => {
    const mixture = { trials: 1_000, known: Number.NaN, shares: [{ alpha: 1, beta: 1 }] }
    assert.throws(() => makeAtLeast(mixture)(10), /no contour converges/u)
  })
})

describe("a forecast of 100,000,000 emails with evidence", () => {
  const certain = {
    emails_sent: 1e8,
    positive_reply_rate: 100,
    meeting_booking_rate: 100,
    close_rate: 100,
    average_deal_value: 1,
    campaign_cost: 56_746_521
  }

  for (const [rate, chance, low, median] of [
    [97, 0.9744, 96_684_815, 100_000_000],
    [90, 0.9111, 61_257_951, 99_804_688]
  ] as const) {
    it(`is right for a reply rate of ${rate}% without observations`, () => {
      const actual = outlook(campaignOf({ ...certain, reply_rate: rate }, { reply_rate: [0, 0] }))
      assert.strictEqual(actual.chance_to_break_even, chance)
      assert.deepInclude(actual.clients, { low, median, high: 100_000_000, chance_within: 0.9 })
    })
  }

  it("needs no memory per email if the evidence leaves almost no doubt", () => {
    const { low, high } = outlook(
      campaignOf({ ...certain, reply_rate: 99.999_999_9, close_rate: 50 }, { reply_rate: [0, 0] })
    ).clients
    assert.isTrue(low > 49_990_000 && high < 50_010_000, JSON.stringify({ low, high }))
  })

  it("finds quantiles in a few evaluations if almost all of the chance lies within a few counts", () => {
    const mixture = {
      trials: 93_890_580,
      known: 1,
      shares: [
        { alpha: 11_289_944, beta: 453_440.2 },
        { alpha: 1, beta: 0.000_005_26 }
      ]
    }
    for (const level of [0.1, 0.5, 0.9]) {
      let evaluations = 0
      const { atLeast } = betaBinomial(mixture)
      const evaluate = (count: number) => {
        evaluations++
        return atLeast(count)
      }
      const found = smallestNotExceeded(mixture, evaluate, 1 - level)
      assert.isTrue(atLeast(found + 1) <= 1 - level && atLeast(found) > 1 - level)
      // Halving took up to 29.
      assert.isAtMost(evaluations, 18)
    }
  })
})
