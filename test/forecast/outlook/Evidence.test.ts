import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { betaBinomial, urn } from "../../../src/forecast/outlook/BetaBinomial.ts"
import { binomial, cdf } from "../../../src/forecast/outlook/Counts.ts"
import type { RateName } from "../../../src/forecast/Campaign.ts"
import { outlook } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { beliefOf } from "../../../src/forecast/outlook/Posterior.ts"
import { campaignOf, type Measured } from "../../support/Campaigns.ts"
import { exactBetaBinomial, exactChance, exactQuantile, weightWithin } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"
import vectors from "../../vectors/uncertainty.json" with { type: "json" }

const stages = ["replies", "positive_replies", "meetings", "clients"] as const
const of = BigDecimal.fromStringUnsafe
const round = (text: string) => Math.round(Number(text) * 10_000) / 10_000

const certain = { reply_rate: 100, positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

describe("the posterior of a rate with evidence", () => {
  const observation = (observed: number, outOf: number) => ({ observed: of(`${observed}`), out_of: of(`${outOf}`) })
  const posterior = (rate: BigDecimal.BigDecimal, observed: ReturnType<typeof observation>) =>
    beliefOf({ ...campaignOf(), evidence: { close_rate: observed } }, "close_rate", rate)

  it("starts from the request's rate, worth one success", () => {
    const belief = posterior(of("5"), observation(31, 800))
    assert.isTrue("alpha" in belief && belief.alpha === 32 && belief.beta === 788)
    assert.deepInclude(posterior(of("30"), observation(0, 0)), { alpha: 1, beta: 7 / 3 })
  })

  it("leaves 100% unchanged, and for 0% uses only the observations", () => {
    assert.deepStrictEqual(posterior(of("100"), observation(3, 10)), of("1"))
    assert.deepInclude(posterior(of("0"), observation(3, 10)), { alpha: 3, beta: 7 })
    assert.deepStrictEqual(posterior(of("0"), observation(0, 10)), of("0"))
    assert.deepStrictEqual(posterior(of("0"), observation(0, 0)), of("0"))
    assert.deepStrictEqual(posterior(of("0"), observation(10, 10)), of("1"))
  })
})

describe("outlook with evidence", () => {
  for (const { break_even, evidence, input, name, stages: expected } of vectors.evidence) {
    it(`is right to the digit: ${name}`, () => {
      const measured: Measured = Object.fromEntries(
        Object.entries(evidence).map(([rate, { observed, out_of }]) => [rate, [observed, out_of]])
      )
      const actual = outlook(campaignOf(input, measured))
      for (const stage of stages) {
        const { chance_within_low_high, expected: mean, high, low, median } = expected[stage]
        assert.deepStrictEqual(actual[stage], {
          expected: round(mean),
          low,
          median,
          high,
          chance_within: round(chance_within_low_high)
        })
      }
      assert.strictEqual(actual.chance_of_no_client, round(expected.clients.chance_of_none))
      assert.strictEqual(actual.chance_to_break_even, round(break_even.chance))
      assert.closeTo(
        actual.uncertainty_from?.chance ?? 0,
        Number(expected.clients.share_of_variance_from_luck),
        1.01e-4
      )
    })
  }

  it("agrees with an exact sum for one measured rate, above and below 200 emails", () => {
    const random = seeded(7)
    for (let repeat = 0; repeat < 60; repeat++) {
      const emails = 1 + Math.floor(random() * (repeat % 2 === 0 ? 200 : 500))
      // Beta(1 + observed, 1/rate - 1 + missed) is whole for a rate of 100 / m percent.
      const [rate, m] = (
        [
          ["50", 2],
          ["20", 5],
          ["10", 10],
          ["4", 25],
          ["2", 50]
        ] as const
      )[repeat % 5] ?? ["50", 2]
      const outOf = Math.floor(random() * 60)
      const observed = Math.floor(random() * (outOf + 1))
      const exact = exactBetaBinomial(emails, BigInt(1 + observed), BigInt(m - 1 + outOf - observed))
      const { replies } = outlook(
        campaignOf({ ...certain, emails_sent: emails, reply_rate: rate }, { reply_rate: [observed, outOf] })
      )
      const [low, median, high] = [exactQuantile(exact, 10n), exactQuantile(exact, 50n), exactQuantile(exact, 90n)]
      assert.deepStrictEqual(
        { ...replies, expected: 0 },
        { expected: 0, low, median, high, chance_within: exactChance(weightWithin(exact, low, high), exact.total) },
        `${emails} emails, ${observed} of ${outOf} at ${rate}%`
      )
    }
  })

  it("gives the same result by integration as by summation, for several shares", () => {
    const random = seeded(11)
    let worst = 0
    for (let repeat = 0; repeat < 40; repeat++) {
      const trials = 50 + Math.floor(random() * 250)
      const known = random()
      const shares = Array.from({ length: 1 + (repeat % 4) }, () => ({
        alpha: 1 + Math.floor(random() * 40),
        beta: 0.5 + random() * 200
      }))
      const summed = urn(trials, binomial(trials, known, 1 - known), shares)
      const integrated = betaBinomial({ trials, known, shares })
      for (let count = 1; count <= trials; count += 7) {
        worst = Math.max(worst, Math.abs(integrated.atLeast(count) - (1 - cdf(summed, count - 1))))
      }
    }
    assert.isBelow(worst, 1e-10)
  })

  it("is the plain binomial if the evidence leaves no doubt", () => {
    const measured = outlook(campaignOf({ reply_rate: 100 }, { reply_rate: [1, 9] }))
    assert.deepStrictEqual(measured, outlook(campaignOf({ reply_rate: 100 })))
    assert.strictEqual(measured.basis, "as_given")
  })

  it("approaches the plain binomial as evidence grows", () => {
    const measured = outlook(campaignOf({}, { reply_rate: [5_000_000, 100_000_000] }))
    const plain = outlook(campaignOf())
    assert.deepStrictEqual(
      [measured.clients.low, measured.clients.median, measured.clients.high],
      [plain.clients.low, plain.clients.median, plain.clients.high]
    )
    assert.closeTo(measured.chance_of_no_client, plain.chance_of_no_client, 1e-4)
  })

  it("ignores evidence of a rate that the campaign does not have", () => {
    assert.deepStrictEqual(outlook(campaignOf({}, { show_rate: [3, 4] })), outlook(campaignOf()))
  })

  it("handles rates that are 0 as doubles, but not exactly", () => {
    const tiny = `0.${"0".repeat(400)}1`
    for (const changes of [{ reply_rate: tiny }, { close_rate: tiny }]) {
      const { chance_of_no_client, clients } = outlook(campaignOf(changes, { reply_rate: [3, 10] }))
      assert.deepStrictEqual(
        [clients, chance_of_no_client],
        [{ expected: 0, low: 0, median: 0, high: 0, chance_within: 0.9999 }, 0.9999]
      )
    }
  })

  it("says nothing about uncertainty if there is none", () => {
    assert.isNull(outlook(campaignOf({ reply_rate: 0 }, { reply_rate: [0, 50] })).uncertainty_from)
    assert.notProperty(outlook(campaignOf(certain, { close_rate: [1, 2] })), "uncertainty_from")
  })

  it("handles odd evidence and large campaigns: quantiles are in order, shares sum to 1", () => {
    const random = seeded(3)
    const names: ReadonlyArray<RateName> = [
      "delivery_rate",
      "reply_rate",
      "meeting_booking_rate",
      "show_rate",
      "close_rate"
    ]
    const odd = [0, 1e-9, 0.5, 50, 99.9, 99.999_999, 100]
    for (let repeat = 0; repeat < 40; repeat++) {
      const pick = () => odd[Math.floor(random() * odd.length)] ?? 1
      const measured = Object.fromEntries(
        names.map((name) => {
          const outOf = Math.floor(10 ** (random() * 8))
          return [name, [Math.floor(outOf * random() ** 2), outOf] as const]
        })
      )
      const { uncertainty_from: shares, ...actual } = outlook(
        campaignOf(
          {
            emails_sent: Math.ceil(10 ** (random() * 8)),
            delivery_rate: pick(),
            reply_rate: pick(),
            meeting_booking_rate: pick(),
            show_rate: pick(),
            close_rate: pick()
          },
          measured
        )
      )
      for (const stage of stages) {
        const { chance_within, high, low, median } = actual[stage]
        assert.isTrue(low >= 0 && low <= median && median <= high && high <= 1e8, JSON.stringify(actual[stage]))
        assert.isTrue(chance_within >= 0.7999, JSON.stringify(actual[stage]))
      }
      if (shares === null || shares === undefined) continue
      const units = Object.values(shares).map((share) => Math.round((share ?? 0) * 10_000))
      assert.strictEqual(
        units.reduce((sum, each) => sum + each, 0),
        10_000
      )
    }
  })
})
