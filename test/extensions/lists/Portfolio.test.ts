import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Campaign } from "../../../src/forecast/Campaign.ts"
import { clientsTogether, contributionOf, portfolioTotals } from "../../../src/extensions/lists/Portfolio.ts"
import { PortfolioTotals } from "../../../src/extensions/lists/PortfolioAnswer.ts"
import { campaignOf, chanceOf } from "../../support/Campaigns.ts"
import { exactBinomial, exactChance, exactSum, weightWithin } from "../../support/ExactCounts.ts"
import { learnRates } from "../../../src/forecast/outlook/Learning.ts"
import { takeAllSteps } from "../../../src/workers/Steps.ts"
import { outlook } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { atLearnedRates } from "../../../src/forecast/outlook/Posterior.ts"
import vectors from "../../vectors/level.json" with { type: "json" }
import withoutHistory from "../../vectors/lists_without_history.json" with { type: "json" }
import { seeded } from "../../support/Seeded.ts"

const certain = { positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

const totalsIf = (isShared: boolean, campaigns: ReadonlyArray<Campaign>) => {
  const contributions = campaigns.map((campaign) => contributionOf(campaign))
  return portfolioTotals(contributions, takeAllSteps(clientsTogether(contributions, isShared)), isShared)
}

/** The totals of one sender's campaigns. */
const totalsOf = (...campaigns: ReadonlyArray<Campaign>) => totalsIf(true, campaigns)

const random = seeded(5)
const integer = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))

describe("portfolioTotals", () => {
  for (const { independent, request, totals } of vectors.lists) {
    it(`shares the level that a history leaves unknown, as simulated: ${request.campaigns.length} campaigns`, () => {
      const campaigns = request.campaigns.map((given) => {
        const { name: _, ...plan } = given
        const campaign = campaignOf(plan)
        return { ...campaign, learned: takeAllSteps(learnRates(campaign, request.history)) }
      })
      const actual = totalsOf(...campaigns)
      assert.closeTo(actual.chance_of_no_client, totals.chance_of_no_client, 0.01)
      assert.isAbove(actual.chance_of_no_client - independent.chance_of_no_client, 0.03)
      assert.closeTo(actual.chance_to_break_even ?? 0, totals.chance_to_break_even, 0.01)
      assert.closeTo(actual.estimated_clients, totals.clients_mean, 0.02)
      const { low = NaN, median = NaN, high = NaN } = actual.clients ?? {}
      assert.closeTo(low, totals.clients_low, 1)
      assert.closeTo(median, totals.clients_median, 1)
      assert.closeTo(high, totals.clients_high, 1)
    })
  }

  for (const [index, list] of withoutHistory.lists.entries()) {
    for (const [isShared, expected] of [
      [true, list.totals],
      [false, list.independent]
    ] as const) {
      it(`has the figures of the reference without a history, ${isShared ? "shared" : "independent"}: list ${index + 1}`, () => {
        const campaigns = list.request.campaigns.map((given) => {
          const { name: _, ...plan } = given
          return { ...campaignOf(plan), spread: "published" as const }
        })
        const actual = totalsIf(isShared, campaigns)
        // Columns keep the mean and the variance only; without any, every digit is right.
        const [chance, people] = isShared ? [0.01, 1] : [1e-4, 0]
        assert.closeTo(actual.chance_of_no_client, expected.chance_of_no_client, chance)
        assert.closeTo(actual.chance_to_break_even ?? 0, expected.chance_to_break_even, chance)
        assert.strictEqual(actual.clients?.expected, expected.clients.expected)
        for (const name of ["low", "median", "high"] as const) {
          assert.closeTo(actual.clients?.[name] ?? NaN, expected.clients[name], people, name)
        }
      })
    }
  }

  it("has the figures of its own forecast for a single campaign, with a history too", () => {
    const history = vectors.lists.flatMap(({ request }) => request.history)
    const campaign = campaignOf({ average_deal_value: 5000 })
    for (const plan of [campaign, { ...campaign, learned: takeAllSteps(learnRates(campaign, history)) }]) {
      const { chance_of_no_client, chance_to_break_even, clients, profit } = outlook(atLearnedRates(plan))
      assert.deepInclude(totalsOf(plan), { chance_of_no_client, chance_to_break_even, clients, profit })
    }
  })

  it("has a range of clients and of profit for up to 250 campaigns", () => {
    const many = (count: number) => totalsOf(...Array.from({ length: count }, () => campaignOf()))
    const { clients, profit } = many(250)
    assert.deepStrictEqual([clients?.low, clients?.median, clients?.high], [898, 937, 977])
    assert.deepStrictEqual(profit, {
      low: 898 * 2500 - 150_000,
      median: 937 * 2500 - 150_000,
      high: 977 * 2500 - 150_000
    })
    assert.deepInclude(many(251), { clients: null, profit: null })
    const { clients: of, profit: unknown } = totalsOf(campaignOf(), campaignOf({ average_deal_value: 1 }))
    assert.deepStrictEqual([of?.expected, unknown], [7.5, null])
  })

  it("sums up exact expectations and rounds once", () => {
    const totals = totalsOf(campaignOf(), campaignOf({ emails_sent: 500, campaign_cost: 0.005 }))
    assert.deepInclude(totals, {
      campaigns: 2,
      emails_sent: 5500,
      estimated_replies: 275,
      estimated_positive_replies: 82.5,
      estimated_meetings: 16.5,
      estimated_clients: 4.125,
      estimated_revenue: 10_312.5,
      campaign_cost: 600.01,
      estimated_profit: 9712.5,
      roi_multiple: 17.2
    })
    const whole = { summary: "", ...totals }
    assert.deepStrictEqual(Schema.encodeSync(PortfolioTotals)(whole), whole)
  })

  it("has null for what cannot be summed up or divided", () => {
    const moneyOf = (...campaigns: ReadonlyArray<Campaign>) => {
      const { campaign_cost, estimated_profit, estimated_revenue, roi_multiple } = totalsOf(...campaigns)
      return { campaign_cost, estimated_profit, estimated_revenue, roi_multiple }
    }
    const unknown = { estimated_profit: null, roi_multiple: null }
    assert.deepStrictEqual(moneyOf(campaignOf(), campaignOf({ average_deal_value: undefined })), {
      ...unknown,
      campaign_cost: 1200,
      estimated_revenue: null
    })
    assert.deepStrictEqual(moneyOf(campaignOf({ campaign_cost: undefined }), campaignOf()), {
      ...unknown,
      campaign_cost: null,
      estimated_revenue: 18_750
    })
    assert.deepStrictEqual(moneyOf(campaignOf({ campaign_cost: 0 })), {
      campaign_cost: 0,
      estimated_profit: 9375,
      estimated_revenue: 9375,
      roi_multiple: null
    })
    assert.strictEqual(moneyOf(campaignOf({ campaign_cost: 20_000 })).estimated_profit, -10_625)
  })

  it("expects no clients from a campaign that cannot win any", () => {
    const half = { average_deal_value: 1, campaign_cost: 5.5 }
    const ten = campaignOf({ ...certain, ...half, emails_sent: 10, reply_rate: 100 })
    assert.strictEqual(totalsOf(campaignOf({ ...half, reply_rate: 0 }), ten).chance_to_break_even, 0)
  })

  it("computes the chances of the total to the digit", () => {
    for (let round = 0; round < 60; round++) {
      const parts = Array.from({ length: integer(1, 5) }, () => ({
        emails: integer(1, 25),
        rate: round % 10 === 0 && random() < 0.3 ? "100" : (random() * 100).toFixed(1),
        cost: integer(0, 60)
      }))
      const totals = totalsOf(
        ...parts.map(({ cost, emails, rate }) =>
          campaignOf({ ...certain, emails_sent: emails, reply_rate: rate, average_deal_value: 3, campaign_cost: cost })
        )
      )
      const exact = parts.map(({ emails, rate }) => exactBinomial(emails, chanceOf(rate))).reduce(exactSum)
      const needed = Math.ceil(parts.reduce((sum, { cost }) => sum + cost, 0) / 3)
      assert.strictEqual(totals.chance_of_no_client, exactChance(weightWithin(exact, 0, 0), exact.total))
      assert.strictEqual(
        totals.chance_to_break_even,
        exactChance(weightWithin(exact, needed), exact.total),
        JSON.stringify({ parts, needed })
      )
    }
  })

  it("has a chance to break even only for one common deal value, up to 20 campaigns", () => {
    const many = (count: number) => Array.from({ length: count }, () => campaignOf({ campaign_cost: 9000 }))
    assert.isNotNull(totalsOf(...many(20)).chance_to_break_even)
    assert.isNull(totalsOf(...many(21)).chance_to_break_even)
    assert.isNull(totalsOf(campaignOf(), campaignOf({ average_deal_value: 2500.01 })).chance_to_break_even)
    assert.isNotNull(totalsOf(campaignOf(), campaignOf({ average_deal_value: "2500.00" })).chance_to_break_even)
    assert.isNull(totalsOf(campaignOf(), campaignOf({ campaign_cost: undefined })).chance_to_break_even)
  })

  it("sums up clients if rates vary, like the convolution of the reference's chances", () => {
    // scipy: betabinom on nodes of the share, 2 × Beta(2.3, 43.7) at 5,000 emails of 1.5% each; 20 with 3.75 clients each.
    const varying = { ...campaignOf({ campaign_cost: 9000 }), spread: "published" } as const
    assert.deepStrictEqual(
      [2, 20].map(
        (count) =>
          totalsIf(
            false,
            Array.from({ length: count }, () => varying)
          ).chance_to_break_even
      ),
      [0.4393, 0.5833]
    )
    assert.isNotNull(totalsOf(varying, campaignOf({}, { reply_rate: [1, 20] })).chance_to_break_even)
  })

  it("multiplies chances of no client, with learned rates too", () => {
    const totals = totalsOf(
      campaignOf(),
      campaignOf(
        {},
        { reply_rate: [31, 800], positive_reply_rate: [9, 31], meeting_booking_rate: [3, 9], close_rate: [1, 3] }
      )
    )
    assert.strictEqual(totals.chance_of_no_client, Math.round(0.02348468 * 0.11157477 * 1e4) / 1e4)
    assert.strictEqual(totalsOf(campaignOf({ reply_rate: 0 })).chance_of_no_client, 1)
  })

  it("handles rates that are 0 or 1 as doubles, but not exactly", () => {
    const almostNone = campaignOf({ reply_rate: `0.${"0".repeat(400)}1` })
    const almostAll = campaignOf({ ...certain, emails_sent: 10, reply_rate: `99.${"9".repeat(400)}` })
    const needing = (clients: number) => ({ average_deal_value: 1, campaign_cost: clients / 2 })
    const chance = (clients: number) =>
      totalsOf(
        campaignOf({ reply_rate: `0.${"0".repeat(400)}1`, ...needing(clients) }),
        campaignOf({ ...certain, emails_sent: 10, reply_rate: `99.${"9".repeat(400)}`, ...needing(clients) })
      ).chance_to_break_even
    assert.deepStrictEqual([chance(10), chance(11), chance(5011)], [0.9999, 0.0001, 0])
    assert.strictEqual(totalsOf(almostNone, almostAll).chance_of_no_client, 0.0001)
  })

  it("is quick for the largest campaigns", () => {
    const large = Array.from({ length: 20 }, () =>
      campaignOf({ ...certain, emails_sent: 1e8, reply_rate: 50, average_deal_value: 1, campaign_cost: 5e7 })
    )
    assert.strictEqual(totalsOf(...large).chance_to_break_even, 0.5)
  })
})
