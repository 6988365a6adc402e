import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Campaign } from "../../../src/forecast/outlook/Campaign.ts"
import { compareCampaigns, contender } from "../../../src/forecast/outlook/Comparison.ts"
import { finish } from "../../../src/forecast/outlook/Pieces.ts"
import { portfolioTotals } from "../../../src/forecast/outlook/Portfolio.ts"
import { PortfolioTotals, Ranking } from "../../../src/forecast/outlook/PortfolioAnswer.ts"
import { rankCampaigns } from "../../../src/forecast/outlook/RankCampaigns.ts"
import { campaignOf, chanceOf } from "../../support/Campaigns.ts"
import { exactBinomial, exactChance, exactSum, weightWithin } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"

const certain = { positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

const totalsOf = (...campaigns: ReadonlyArray<Campaign>) => finish(portfolioTotals(campaigns))

const compare = (first: Campaign, second: Campaign, measure: "profit" | "clients" = "profit") => {
  const [a, b] = [contender(first, measure), contender(second, measure)]
  return a === undefined || b === undefined ? undefined : finish(compareCampaigns(a, b))
}

const random = seeded(5)
const integer = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))

describe("portfolioTotals", () => {
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
    assert.deepStrictEqual(Schema.encodeSync(PortfolioTotals)(totals), totals)
  })

  it("knows the chances of the whole to the digit", () => {
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

  it("tells the chance to break even only for one deal value, without evidence, up to 20 campaigns", () => {
    const many = (count: number) => Array.from({ length: count }, () => campaignOf({ campaign_cost: 9000 }))
    assert.isNotNull(totalsOf(...many(20)).chance_to_break_even)
    assert.isNull(totalsOf(...many(21)).chance_to_break_even)
    assert.isNull(totalsOf(campaignOf(), campaignOf({ average_deal_value: 2500.01 })).chance_to_break_even)
    assert.isNotNull(totalsOf(campaignOf(), campaignOf({ average_deal_value: "2500.00" })).chance_to_break_even)
    assert.isNull(totalsOf(campaignOf(), campaignOf({ campaign_cost: undefined })).chance_to_break_even)
    assert.isNull(totalsOf(campaignOf(), campaignOf({}, { reply_rate: [1, 20] })).chance_to_break_even)
  })

  it("multiplies chances of no client, with evidence too", () => {
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

  it("answers rates that are 0 or 1 as doubles, but not exactly", () => {
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

describe("compareCampaigns", () => {
  it("agrees with all outcomes of two campaigns in whole numbers", () => {
    for (let round = 0; round < 80; round++) {
      const make = () => ({
        emails: integer(1, 15),
        rate: round % 8 === 0 ? "100" : (random() * 100).toFixed(1),
        value: integer(0, 6),
        cost: integer(0, 12)
      })
      const [a, b] = [make(), make()]
      const campaigns = [a, b].map(({ cost, emails, rate, value }) =>
        campaignOf({
          ...certain,
          emails_sent: emails,
          reply_rate: rate,
          average_deal_value: value / 10,
          campaign_cost: cost / 10
        })
      )
      const [first, second] = [exactBinomial(a.emails, chanceOf(a.rate)), exactBinomial(b.emails, chanceOf(b.rate))]
      let better = 0n
      let equal = 0n
      for (const [i, x] of first.weights.entries()) {
        for (const [j, y] of second.weights.entries()) {
          const difference = i * a.value - a.cost - (j * b.value - b.cost)
          if (difference > 0) better += x * y
          if (difference === 0) equal += x * y
        }
      }
      const total = first.total * second.total
      assert.deepStrictEqual(
        compare(campaigns[0] ?? campaignOf(), campaigns[1] ?? campaignOf()),
        { chance_first_is_better: exactChance(better, total), chance_equal: exactChance(equal, total) },
        JSON.stringify({ a, b })
      )
    }
  })

  it("is fair to a campaign and its twin", () => {
    const { chance_equal = 0, chance_first_is_better = 0 } = compare(campaignOf(), campaignOf()) ?? {}
    assert.closeTo(2 * chance_first_is_better + chance_equal, 1, 2e-4)
  })

  it("takes values of any precision", () => {
    const fine = campaignOf({
      average_deal_value: "0.1",
      campaign_cost: "0.30000000000000000000000001",
      emails_sent: 1e6
    })
    assert.deepStrictEqual(
      compare(fine, campaignOf({ average_deal_value: "0.1", campaign_cost: "0.3", emails_sent: 1e6 }))?.chance_equal,
      0
    )
  })
})

describe("rankCampaigns", () => {
  const rank = (...campaigns: Parameters<typeof rankCampaigns>[0]) => finish(rankCampaigns(campaigns))

  it("ranks by expected profit and says how sure each place is", () => {
    const ranking = rank({ ...campaignOf({ emails_sent: 500 }), name: "small" }, campaignOf({ emails_sent: 4000 }), {
      ...campaignOf(),
      name: "large"
    })
    assert.strictEqual(ranking.by, "profit")
    assert.deepStrictEqual(ranking.order, ["large", 1, "small"])
    assert.deepStrictEqual(
      ranking.neighbours.map(({ first, second }) => [first, second]),
      [
        ["large", 1],
        [1, "small"]
      ]
    )
    for (const { chance_equal, chance_first_is_better } of ranking.neighbours) {
      assert.isTrue((chance_first_is_better ?? 0) + (chance_equal ?? 0) > 0.5)
    }
    assert.deepStrictEqual(Schema.encodeSync(Ranking)(ranking), ranking)
  })

  it("ranks by clients where a value is missing, and keeps the order of equals", () => {
    const ranking = rank(campaignOf({ campaign_cost: undefined }), campaignOf({ average_deal_value: 1 }))
    assert.deepStrictEqual([ranking.by, ranking.order], ["clients", [0, 1]])
    assert.strictEqual(
      ranking.neighbours[0]?.chance_equal,
      compare(campaignOf(), campaignOf(), "clients")?.chance_equal
    )
  })

  it("does not compare what has evidence", () => {
    const ranking = rank(campaignOf(), campaignOf({}, { reply_rate: [1, 20] }))
    assert.deepStrictEqual(ranking.neighbours, [
      { first: 0, second: 1, chance_first_is_better: null, chance_equal: null }
    ])
  })
})
