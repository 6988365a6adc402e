import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import { summarize } from "../../../src/extensions/lists/CampaignForecast.ts"
import type { ListedCampaign } from "../../../src/extensions/lists/Campaigns.ts"
import type { Campaign } from "../../../src/forecast/Campaign.ts"
import { compareCampaigns, compareNeighbours, contender } from "../../../src/extensions/lists/CompareCampaigns.ts"
import { Ranking } from "../../../src/extensions/lists/PortfolioAnswer.ts"
import { learnRates } from "../../../src/forecast/outlook/Learning.ts"
import { takeAllSteps } from "../../../src/workers/Steps.ts"
import { countsOf, stagesOf } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { campaignOf, chanceOf } from "../../support/Campaigns.ts"
import { exactBinomial, exactChance } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"

const certain = { positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

/** Compares campaigns that share nothing. */
const compare = (first: Campaign, second: Campaign, measure: "profit" | "clients" = "profit") =>
  compareCampaigns(contender(first, measure, undefined), contender(second, measure, undefined))

const of = BigDecimal.fromStringUnsafe
const random = seeded(5)
const integer = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))

describe("compareCampaigns", () => {
  it("agrees with an enumeration of all outcomes of two campaigns", () => {
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

  it("agrees with an enumeration if rates vary, were learned or measured, and for many clients", () => {
    const varying = campaignOf({ emails_sent: 2000, average_deal_value: 700 })
    const learned = { reply_rate: { alpha: 2, beta: 60 }, close_rate: { alpha: 3, beta: 8 } }
    const campaigns: ReadonlyArray<Campaign> = [
      { ...varying, spread: "published" },
      { ...varying, learned, average_deal_value: of("350") },
      campaignOf({ emails_sent: 1500, campaign_cost: 300 }, { reply_rate: [12, 300], close_rate: [2, 9] }),
      { ...campaignOf({ ...certain, emails_sent: 90_000, average_deal_value: "0.35" }), spread: "published" },
      campaignOf({ ...certain, emails_sent: 90_000, average_deal_value: "0.35", reply_rate: 4.9 }),
      { ...campaignOf({ ...certain, emails_sent: 60_000, average_deal_value: "0.5" }), spread: "published" }
    ]
    const chancesOf = (campaign: Campaign) => {
      const counts = countsOf(stagesOf(campaign).clients, Number(campaign.emails_sent.value))
      const last = counts.smallestReaching(1 - 1e-9)
      const below = Float64Array.from({ length: last + 2 }, (_, count) => 1 - counts.atLeast(count))
      const value = Number(BigDecimal.format(campaign.average_deal_value ?? of("0")))
      const cost = Number(BigDecimal.format(campaign.campaign_cost ?? of("0")))
      return { below, value, cost }
    }
    const chances = campaigns.map((campaign) => ({ campaign, ...chancesOf(campaign) }))
    for (const [index, a] of chances.entries()) {
      for (const b of chances) {
        let better = 0
        let equal = 0
        for (let clients = 0; clients + 1 < a.below.length; clients++) {
          const chance = (a.below[clients + 1] ?? 1) - (a.below[clients] ?? 1)
          const needed = (clients * a.value - a.cost + b.cost) / b.value
          if (needed < -1e-9) continue
          const isTie = Math.abs(needed - Math.round(needed)) < 1e-7
          const behind = isTie ? Math.round(needed) : Math.floor(needed) + 1
          better += chance * (b.below[behind] ?? 1)
          if (isTie) equal += chance * ((b.below[behind + 1] ?? 1) - (b.below[behind] ?? 1))
        }
        const actual = compare(a.campaign, b.campaign)
        assert.closeTo(actual.chance_first_is_better, better, 6e-5, `${index}`)
        // A chance is never shown as 0 unless it is 0.
        assert.closeTo(actual.chance_equal, equal === 0 ? 0 : Math.max(equal, 1e-4), 6e-5, `${index}`)
      }
    }
  })

  it("gives a campaign and its twin equal chances", () => {
    const { chance_equal, chance_first_is_better } = compare(campaignOf(), campaignOf())
    assert.closeTo(2 * chance_first_is_better + chance_equal, 1, 2e-4)
  })

  it("is certain if the results are: for certain clients, or for none", () => {
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

  it("shares the level that a history leaves unknown: the larger campaign is more often better", () => {
    const past = { emails_sent: 3000, replies: 40, positive_replies: 10, meetings: 2, clients: 1 }
    const learnedOf = (emails_sent: number): Campaign => {
      const campaign = campaignOf({ emails_sent, campaign_cost: 0 })
      return { ...campaign, learned: takeAllSteps(learnRates(campaign, [past, past, past])) }
    }
    const [large, small] = [learnedOf(20_000), learnedOf(5000)]
    const shared = compareNeighbours("profit", large, small).chance_first_is_better
    assert.isAbove(shared, compare(large, small).chance_first_is_better + 0.01)
    const twins = compareNeighbours("profit", large, large)
    assert.closeTo(2 * twins.chance_first_is_better + twins.chance_equal, 1, 2e-3)
  })

  it("shares the published spread, whatever the reply rates: the better rate is more often better", () => {
    const varying = (reply_rate: number): Campaign => ({ ...campaignOf({ reply_rate }), spread: "published" })
    const [better, worse] = [varying(6), varying(3)]
    const shared = compareNeighbours("clients", better, worse)
    const independent = compare(better, worse, "clients")
    assert.isAbove(shared.chance_first_is_better, independent.chance_first_is_better + 0.03)
    const back = compareNeighbours("clients", worse, better)
    const { chance_equal, chance_first_is_better } = shared
    assert.closeTo(chance_first_is_better + chance_equal + back.chance_first_is_better, 1, 2e-4)
    assert.closeTo(back.chance_equal, chance_equal, 1e-4)
  })

  it("accepts values of any precision", () => {
    const fine = campaignOf({
      average_deal_value: "0.1",
      campaign_cost: "0.30000000000000000000000001",
      emails_sent: 1e6
    })
    assert.deepStrictEqual(
      compare(fine, campaignOf({ average_deal_value: "0.1", campaign_cost: "0.3", emails_sent: 1e6 })).chance_equal,
      0
    )
  })
})

describe("the ranking of campaigns", () => {
  const rank = (...campaigns: ReadonlyArray<ListedCampaign>) => summarize(campaigns).ranking

  it("ranks by expected profit and says how certain each place is", () => {
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

  it("ranks by clients if a value is missing, and keeps the order of equals", () => {
    const ranking = rank(campaignOf({ campaign_cost: undefined }), campaignOf({ average_deal_value: 1 }))
    assert.deepStrictEqual([ranking.by, ranking.order], ["clients", [0, 1]])
    assert.deepStrictEqual(Schema.encodeSync(Ranking)(ranking), ranking)
    for (const unknown of ["average_deal_value", "campaign_cost"] as const) {
      const { by, order } = rank(campaignOf(), campaignOf({ emails_sent: 5001, [unknown]: undefined }))
      assert.deepStrictEqual([by, order], ["clients", [1, 0]])
    }
    assert.strictEqual(ranking.neighbours[0]?.chance_equal, compare(campaignOf(), campaignOf(), "clients").chance_equal)
  })
})
