import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { summarize } from "../../../src/forecast/list/CampaignForecast.ts"
import type { NamedAssumptions } from "../../../src/campaign/Campaigns.ts"
import type { Campaign } from "../../../src/forecast/outlook/Campaign.ts"
import { compareCampaigns, contender } from "../../../src/forecast/outlook/Comparison.ts"
import { Ranking } from "../../../src/forecast/outlook/PortfolioAnswer.ts"
import { campaignOf, chanceOf } from "../../support/Campaigns.ts"
import { exactBinomial, exactChance } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"

const certain = { positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

const compare = (first: Campaign, second: Campaign, measure: "profit" | "clients" = "profit") => {
  const [a, b] = [contender(first, measure), contender(second, measure)]
  return a === undefined || b === undefined ? undefined : compareCampaigns(a, b)
}

const random = seeded(5)
const integer = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))

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

  it("is sure where the results are: of certain clients, or of none", () => {
    const sure = (emails_sent: number, campaign_cost: number) =>
      campaignOf({ ...certain, reply_rate: 100, emails_sent, campaign_cost })
    const chances = (better: number, equal: number) => ({ chance_first_is_better: better, chance_equal: equal })
    assert.deepStrictEqual(compare(sure(3, 600), sure(3, 600)), chances(0, 1))
    assert.deepStrictEqual(compare(sure(4, 600), sure(3, 600)), chances(1, 0))
    // 2,500 more for one more client.
    assert.deepStrictEqual(compare(sure(4, 3100), sure(3, 600)), chances(0, 1))
    const nobody = campaignOf({ close_rate: 0 })
    const cheaper = campaignOf({ campaign_cost: 599.99 })
    assert.deepStrictEqual(compare(nobody, cheaper), chances(0, 0))
    assert.deepStrictEqual(compare(cheaper, nobody), chances(1, 0))
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

describe("the ranking of campaigns", () => {
  const rank = (...campaigns: ReadonlyArray<NamedAssumptions>) => summarize(campaigns).ranking

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
    assert.deepStrictEqual(Schema.encodeSync(Ranking)(ranking), ranking)
    for (const unknown of ["average_deal_value", "campaign_cost"] as const) {
      const { by, order } = rank(campaignOf(), campaignOf({ emails_sent: 5001, [unknown]: undefined }))
      assert.deepStrictEqual([by, order], ["clients", [1, 0]])
    }
    assert.strictEqual(
      ranking.neighbours[0]?.chance_equal,
      compare(campaignOf(), campaignOf(), "clients")?.chance_equal
    )
  })

  it("does not compare what has evidence", () => {
    const ranking = rank(campaignOf(), campaignOf({}, { reply_rate: [1, 20] }))
    const unknown = { chance_first_is_better: null, chance_equal: null }
    assert.deepStrictEqual(ranking.neighbours, [{ first: 0, second: 1, ...unknown }])
    const measuredFirst = rank(campaignOf({}, { reply_rate: [1, 20] }), campaignOf({ emails_sent: 10 }))
    assert.deepStrictEqual(measuredFirst.neighbours, [{ first: 0, second: 1, ...unknown }])
  })
})
