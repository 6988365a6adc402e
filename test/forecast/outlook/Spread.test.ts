import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { betaBinomial, urn } from "../../../src/forecast/counts/BetaBinomial.ts"
import { binomial, cdf, type Counts, quantile } from "../../../src/forecast/counts/Counts.ts"
import type { Campaign } from "../../../src/forecast/Campaign.ts"
import { toDouble } from "../../../src/forecast/Decimal.ts"
import { priorOf } from "../../../src/forecast/outlook/Posterior.ts"
import { countsOf, meanChance, type Stage, stagesOf } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { VaryingCounts } from "../../../src/forecast/counts/VaryingBinomial.ts"
import { campaignOf } from "../../support/Campaigns.ts"
import { exactBetaBinomial, weightWithin } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"

import vectors from "../../vectors/spread.json" with { type: "json" }

const stages = ["replies", "positive_replies", "meetings", "clients"] as const
const of = BigDecimal.fromStringUnsafe
const spread = "published"

const quantiles = (counts: Counts): ReadonlyArray<number> => [0.1, 0.5, 0.9].map((level) => quantile(counts, level))

const meanOf = (stage: Stage): number => {
  const { denominator, numerator } = meanChance(stage)
  return toDouble(numerator) / toDouble(denominator)
}

type StageVectors = (typeof vectors.published)[number]["outlook"]

/** The quantiles of each stage, by the service and by the reference, and the greatest difference of all other figures. */
const compareStages = (campaign: Campaign, expected: StageVectors) => {
  const emails = toDouble(campaign.emails_sent)
  const of = stagesOf(campaign)
  const compared = stages.map((stage) => {
    const { chance_within, expected: mean, high, low, median, none } = expected[stage]
    const counts = countsOf(of[stage], emails)
    return {
      actual: quantiles(counts),
      right: [low, median, high],
      errors: [
        counts.atLeast(low) - counts.atLeast(high + 1) - chance_within,
        1 - counts.atLeast(1) - none,
        (emails * meanOf(of[stage])) / mean - 1
      ]
    }
  })
  return {
    actual: compared.map(({ actual }) => actual),
    right: compared.map(({ right }) => right),
    worst: Math.max(...compared.flatMap(({ errors }) => errors.map(Math.abs)))
  }
}

describe("rates that vary as published", () => {
  for (const { outlook, request } of vectors.published) {
    it(`give the counts of the reference: ${request.emails_sent} emails, ${request.reply_rate}%`, () => {
      const { actual, right, worst } = compareStages({ ...campaignOf(request), spread }, outlook)
      assert.deepStrictEqual(actual, right)
      // The reference itself is right to 2e-7 at a million emails, to 1e-10 at a thousand.
      assert.isBelow(worst, 1e-6)
    })
  }

  it("agree with the contour from 1 to 100,000,000 emails, in every quantile", () => {
    const random = seeded(26)
    const rate = (low: number, high: number) => (10 ** (low + (high - low) * random())).toFixed(2)
    let worst = 0
    for (let repeat = 0; repeat < 1_000; repeat++) {
      const emails = Math.ceil(10 ** (8 * random()))
      const campaign = campaignOf({
        emails_sent: emails,
        reply_rate: repeat % 5 === 0 ? rate(1, 1.999) : rate(-1, 1.5),
        positive_reply_rate: rate(0, 2),
        meeting_booking_rate: rate(0, 2),
        close_rate: rate(0, 2),
        delivery_rate: repeat % 3 === 0 ? rate(1.9, 2) : undefined,
        show_rate: repeat % 4 === 0 ? rate(1, 2) : undefined
      })
      const of = stagesOf({ ...campaign, spread })
      // One stage of each campaign, in turn.
      const stage = of[stages[repeat % 4] ?? "clients"]
      const exact = betaBinomial({ trials: emails, known: toDouble(stage.known), shares: stage.uncertain })
      const counts = countsOf(stage, emails)
      const [low = 0, median = 0, high = 0] = quantiles(counts)
      assert.deepStrictEqual([low, median, high], quantiles(exact), JSON.stringify({ repeat, emails }))
      for (const count of [1, low, median + 1, high + 1, 2 * high + 3, Math.ceil(emails / 2), emails]) {
        worst = Math.max(worst, Math.abs(counts.atLeast(count) - exact.atLeast(count)))
      }
    }
    assert.isBelow(worst, 1e-10)
  })

  it("leave rates of 0 and 100, and rates without a published variation, as they are", () => {
    const certain = campaignOf({ reply_rate: 100, close_rate: 25 })
    assert.deepStrictEqual(stagesOf({ ...certain, spread }), stagesOf(certain))
    const none = campaignOf({ reply_rate: 0 })
    assert.deepStrictEqual(stagesOf({ ...none, spread }), stagesOf(none))
    assert.strictEqual(stagesOf({ ...campaignOf(), spread }).clients.uncertain.length, 1)
  })

  it("give the plain binomial without a spread", () => {
    assert.deepStrictEqual(stagesOf({ ...campaignOf(), spread: "none" }), stagesOf(campaignOf()))
  })

  it("count cases of the rarer outcome, with the mean exactly as given", () => {
    const prior = (rate: string) => priorOf({ ...campaignOf(), spread }, "reply_rate", of(rate))
    const rare = prior("5")
    assert.isTrue(rare?.alpha === 2.3 && Math.abs(rare.beta - 43.7) < 1e-13)
    const common = prior("95")
    assert.isTrue(common?.beta === 2.3 && Math.abs(common.alpha - 43.7) < 1e-13)
  })

  it("are practically exact for rates whose doubles are 0 or 1", () => {
    for (const reply_rate of [`0.${"0".repeat(400)}1`, `99.${"9".repeat(400)}`]) {
      const { replies } = stagesOf({ ...campaignOf({ reply_rate, delivery_rate: 50 }), spread })
      const [low = 0, , high = 0] = quantiles(countsOf(replies, 5_000))
      assert.isTrue(reply_rate.startsWith("0") ? high === 0 : low > 2_400 && high < 2_600, reply_rate)
    }
  })
})

describe("rates that were learned", () => {
  for (const { outlook, rates, request } of vectors.history) {
    it(`give the counts of the reference: ${request.emails_sent} emails, ${request.reply_rate}%`, () => {
      const { actual, right, worst } = compareStages({ ...campaignOf(request), learned: rates }, outlook)
      assert.deepStrictEqual(actual, right)
      assert.isBelow(worst, 1e-6)
    })
  }
})

describe("counts with one varying share", () => {
  it("have the exact chances if no other rate matters", () => {
    for (const [trials, alpha, beta] of [
      [1, 2, 3],
      [12, 1, 1],
      [40, 5, 30],
      [60, 40, 2],
      [90, 1, 80]
    ] as const) {
      const exact = exactBetaBinomial(trials, BigInt(alpha), BigInt(beta))
      const counts = new VaryingCounts({ trials, known: 1, rest: 0, share: { alpha, beta } })
      for (let count = -1; count <= trials + 1; count++) {
        const chance = Number((weightWithin(exact, count) * 10n ** 15n) / exact.total) / 1e15
        assert.closeTo(counts.atLeast(count), chance, 1e-12, `${count} of ${trials}`)
      }
    }
  })

  it("agree with an urn model for any share, however rare, common or certain", () => {
    const random = seeded(8)
    let worst = 0
    for (let repeat = 0; repeat < 300; repeat++) {
      const trials = 1 + Math.floor(random() * 150)
      const known = repeat % 3 === 0 ? 1 : repeat % 3 === 1 ? random() : 1 - 10 ** (-9 * random())
      const share = { alpha: 10 ** (-2 + 6 * random()), beta: 10 ** (-6 + 10 * random()) }
      const summed = urn(trials, binomial(trials, known, 1 - known), [share])
      const counts = new VaryingCounts({ trials, known, rest: 1 - known, share })
      for (let count = 1; count <= trials; count += 1 + Math.floor(trials / 9)) {
        worst = Math.max(worst, Math.abs(counts.atLeast(count) - (1 - cdf(summed, count - 1))))
      }
    }
    assert.isBelow(worst, 1e-10)
  })

  it("agree with the contour for any share at any size", () => {
    const random = seeded(9)
    let worst = 0
    for (let repeat = 0; repeat < 300; repeat++) {
      const trials = Math.ceil(10 ** (2 + 4 * random()))
      const known = repeat % 3 === 0 ? 1 : 10 ** (-3 * random())
      const share = { alpha: 10 ** (-1 + 5 * random()), beta: 10 ** (-1 + 6 * random()) }
      const exact = betaBinomial({ trials, known, shares: [share] })
      const counts = new VaryingCounts({ trials, known, rest: 1 - known, share })
      const mean = (trials * known * share.alpha) / (share.alpha + share.beta)
      for (const multiple of [0.1, 0.5, 1, 1.1, 1.9, 3]) {
        const count = Math.min(Math.max(Math.round(mean * multiple), 1), trials)
        worst = Math.max(worst, Math.abs(counts.atLeast(count) - exact.atLeast(count)))
      }
    }
    assert.isBelow(worst, 1e-9)
  })
})
