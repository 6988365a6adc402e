import { assert, describe, it } from "@effect/vitest"
import { betaBinomial, urn } from "../../../src/forecast/counts/BetaBinomial.ts"
import { binomial, cdf } from "../../../src/forecast/counts/Counts.ts"
import type { RateName } from "../../../src/forecast/Campaign.ts"
import { outlook } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { campaignOf, type Measured } from "../../support/Campaigns.ts"
import { exactBetaBinomial, exactChance, exactQuantile, weightWithin } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"
import vectors from "../../vectors/uncertainty.json" with { type: "json" }

const stages = ["replies", "positive_replies", "meetings", "clients"] as const
const round = (text: string) => Math.round(Number(text) * 10_000) / 10_000

const certain = { reply_rate: 100, positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

describe("outlook of learned rates", () => {
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
    })
  }

  it("agrees with an exact sum for one learned rate, above and below 200 emails", () => {
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

  it("approaches the plain binomial as counts grow", () => {
    const measured = outlook(campaignOf({}, { reply_rate: [5_000_000, 100_000_000] }))
    const plain = outlook(campaignOf())
    assert.deepStrictEqual(
      [measured.clients.low, measured.clients.median, measured.clients.high],
      [plain.clients.low, plain.clients.median, plain.clients.high]
    )
    assert.closeTo(measured.chance_of_no_client, plain.chance_of_no_client, 1e-4)
  })

  it("ignores what was learned of a rate that the campaign does not have", () => {
    assert.deepStrictEqual(outlook(campaignOf({}, { show_rate: [3, 4] })), outlook(campaignOf()))
  })

  it("handles odd counts and large campaigns: quantiles are in order", () => {
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
      const actual = outlook(
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
    }
  })
})
