import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { outlook } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { Outlook } from "../../../src/forecast/outlook/Outlook.ts"
import { assumptions } from "../../support/Arbitraries.ts"
import { campaignOf, chanceOf } from "../../support/Campaigns.ts"
import { exactBinomial, exactChance, exactQuantile, weightWithin } from "../../support/ExactCounts.ts"
import { quantilesOf } from "../../support/Quadrature.ts"
import { seeded } from "../../support/Seeded.ts"
import vectors from "../../vectors/uncertainty.json" with { type: "json" }

const stages = ["replies", "positive_replies", "meetings", "clients"] as const

/** A chance of the vectors as shown in responses. */
const shown = (text: string, isCertain: boolean) => {
  const rounded = Math.round(Number(text) * 10_000) / 10_000
  return isCertain ? rounded : Math.min(Math.max(rounded, 0.0001), 0.9999)
}

describe("published_percentile", () => {
  it("says how many of 100 published campaigns get fewer replies per email sent", () => {
    // By numeric integration of the density of Beta(2.3, 113.8).
    for (const [changes, percentile] of [
      [{ reply_rate: 0 }, 1],
      [{ reply_rate: 0.1 }, 1],
      [{ reply_rate: 1.05 }, 26],
      [{ reply_rate: 1.71 }, 50],
      [{ reply_rate: 3.79 }, 91],
      [{ reply_rate: 5 }, 97],
      [{ reply_rate: 5, delivery_rate: 60 }, 81],
      [{ reply_rate: 10 }, 99],
      [{ reply_rate: 100 }, 99]
    ] as const) {
      const { reply_rate } = outlook(campaignOf(changes)).rates
      assert.strictEqual(reply_rate.published_percentile, percentile, JSON.stringify(changes))
    }
  })
})

describe("outlook", () => {
  for (const vector of [{ ...vectors.sample, name: "the sample" }, ...vectors.vectors]) {
    it(`is right to the digit: ${vector.name}`, () => {
      const emails = vector.input.emails_sent
      const absent = "average_deal_value" in vector.input ? {} : { average_deal_value: undefined }
      const actual = outlook(campaignOf({ ...absent, ...vector.input }))
      for (const name of stages) {
        const { chance_within_low_high: within, high, low, median, probability_per_email: p } = vector.stages[name]
        const isCertain = Number(p) === 0 || (low === 0 && high === emails)
        assert.deepStrictEqual(
          { ...actual[name], expected: 0 },
          { expected: 0, low, median, high, chance_within: shown(within, isCertain) }
        )
        assert.closeTo(actual[name].expected, Number(vector.stages[name].expected), 5.1e-5)
      }
      const none = vector.stages.clients.chance_of_none
      assert.strictEqual(actual.chance_of_no_client, shown(none, none.startsWith("1.000000")))
      assert.strictEqual(actual.clients_to_break_even, vector.break_even?.clients_needed ?? null)
      if (vector.break_even === null) {
        assert.isNull(actual.chance_to_break_even)
      } else {
        const { chance } = vector.break_even
        assert.strictEqual(actual.chance_to_break_even, shown(chance, chance === "0.0" || chance.startsWith("1.000")))
      }
    })
  }

  it("shows the sample's revenue and ROI as the contract does", () => {
    const { revenue, roi_multiple } = outlook(campaignOf())
    assert.deepStrictEqual(revenue, { low: 2500, median: 10_000, high: 15_000 })
    assert.deepStrictEqual(roi_multiple, { low: 4.2, median: 16.7, high: 25 })
  })

  it("agrees with exact sums in 1,000 campaigns: no wrong quantile, no wrong chance", () => {
    const random = seeded(20_261)
    const rate = () => {
      const kind = random()
      if (kind < 0.05) return "100"
      return kind < 0.5 ? String(1 + Math.floor(random() * 99)) : (random() * 100).toFixed(1)
    }
    for (let round = 0; round < 1000; round++) {
      const emails = 1 + Math.floor(random() ** 3 * 400)
      const rates = [rate(), rate(), rate(), rate()]
      const cost = Math.floor(random() * 5000) / 100
      const [reply_rate, positive_reply_rate, meeting_booking_rate, close_rate] = rates
      const actual = outlook(
        campaignOf({
          emails_sent: emails,
          reply_rate,
          positive_reply_rate,
          meeting_booking_rate,
          close_rate,
          average_deal_value: 7.31,
          campaign_cost: cost
        })
      )
      for (const [index, name] of stages.entries()) {
        const exact = exactBinomial(emails, chanceOf(...rates.slice(0, index + 1)))
        const [low, median, high] = [exactQuantile(exact, 10n), exactQuantile(exact, 50n), exactQuantile(exact, 90n)]
        assert.deepStrictEqual(
          { ...actual[name], expected: 0 },
          { expected: 0, low, median, high, chance_within: exactChance(weightWithin(exact, low, high), exact.total) },
          `${emails} emails at ${rates.join(", ")}: ${name}`
        )
        if (name !== "clients") continue
        assert.strictEqual(actual.chance_of_no_client, exactChance(weightWithin(exact, 0, 0), exact.total))
        const needed = Math.ceil(Math.round(cost * 100) / 731)
        assert.strictEqual(actual.clients_to_break_even, needed)
        assert.strictEqual(actual.chance_to_break_even, exactChance(weightWithin(exact, needed), exact.total))
      }
    }
  })

  it("counts replies of delivered emails and clients of held meetings", () => {
    const actual = outlook(campaignOf({ delivery_rate: 90, show_rate: 80 }))
    assert.strictEqual(actual.replies.expected, 225)
    assert.strictEqual(actual.meetings.expected, 13.5)
    assert.strictEqual(actual.clients.expected, 2.7)
    const { cost_per_meeting_held, rates, ...whole } = outlook(campaignOf({ delivery_rate: 100, show_rate: 100 }))
    const { cost_per_meeting_held: __, rates: _, ...plain } = outlook(campaignOf())
    assert.deepStrictEqual(whole, plain)
    assert.deepStrictEqual(cost_per_meeting_held, whole.cost_per_meeting)
    assert.deepStrictEqual(rates.show_rate, { basis: "as_given", expected: 100, low: 100, high: 100 })
  })

  it("divides the cost by the high, median and low number of meetings, as a plain sum has them", () => {
    const spread = { alpha: 2.3, beta: 43.7 }
    const costs = (people: ReadonlyArray<number>) =>
      people.map((count) => (count === 0 ? null : Math.round(60_000 / count) / 100))
    for (const [emails_sent, known, changes] of [
      [5000, 0.06, {}],
      [400, 0.06, {}],
      [90, 0.06, {}],
      [7000, 0.0546, { meeting_booking_rate: 18.2 }],
      [20_000, 0.0588, { delivery_rate: 98 }]
    ] as const) {
      const campaign = { ...campaignOf({ emails_sent, ...changes, show_rate: 70 }), spread: "published" as const }
      const { cost_per_meeting: booked, cost_per_meeting_held: held } = outlook(campaign)
      const of = (share: number) => costs(quantilesOf(emails_sent, share, spread, [0.1, 0.5, 0.9]))
      assert.deepStrictEqual([booked.high, booked.median, booked.low], of(known), String(emails_sent))
      assert.deepStrictEqual([held?.high, held?.median, held?.low], of(known * 0.7), String(emails_sent))
    }
  })

  it("has no cost per meeting without a cost or anybody, none of held ones without a show rate, and 0 for nothing", () => {
    const nothing = { low: null, median: null, high: null }
    assert.deepStrictEqual(outlook(campaignOf({ campaign_cost: undefined })).cost_per_meeting, nothing)
    assert.deepStrictEqual(outlook(campaignOf({ reply_rate: 0 })).cost_per_meeting, nothing)
    assert.deepStrictEqual(outlook(campaignOf({ campaign_cost: 0 })).cost_per_meeting, { low: 0, median: 0, high: 0 })
    assert.isNull(outlook(campaignOf()).cost_per_meeting_held)
  })

  it("divides exactly where doubles do not: a cost of 0.3 at 0.1 per client takes 3 clients", () => {
    assert.strictEqual(outlook(campaignOf({ average_deal_value: 0.1, campaign_cost: 0.3 })).clients_to_break_even, 3)
    assert.strictEqual(outlook(campaignOf({ average_deal_value: 0.07, campaign_cost: 0.42 })).clients_to_break_even, 6)
  })

  it("has null for what is missing, and reports a cost that no number of clients covers", () => {
    const noValue = outlook(campaignOf({ average_deal_value: undefined }))
    assert.deepStrictEqual(
      [noValue.revenue, noValue.roi_multiple, noValue.clients_to_break_even, noValue.chance_to_break_even],
      [null, null, null, null]
    )
    const noCost = outlook(campaignOf({ campaign_cost: 0 }))
    assert.deepStrictEqual(
      [noCost.roi_multiple, noCost.clients_to_break_even, noCost.chance_to_break_even],
      [null, 0, 1]
    )
    const worthless = outlook(campaignOf({ average_deal_value: 0 }))
    assert.deepStrictEqual([worthless.clients_to_break_even, worthless.chance_to_break_even], [null, 0])
  })

  it("never shows a chance as 0 or 1 unless it is exactly that", () => {
    const tiny = outlook(campaignOf({ emails_sent: 1, close_rate: `0.${"0".repeat(1000)}1` }))
    assert.strictEqual(tiny.chance_of_no_client, 0.9999)
    const close = outlook(campaignOf({ emails_sent: 1e8, reply_rate: 99.9999 }))
    assert.strictEqual(close.chance_of_no_client, 0.0001)
    assert.strictEqual(outlook(campaignOf({ reply_rate: 0 })).chance_of_no_client, 1)
    const uncertain = outlook({ ...campaignOf({ close_rate: 0 }), spread: "published" })
    assert.strictEqual(uncertain.chance_alone?.chance_of_no_client, 1)
    const all = { reply_rate: 100, positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }
    assert.strictEqual(outlook(campaignOf(all)).chance_of_no_client, 0)
    assert.strictEqual(outlook(campaignOf({ ...all, reply_rate: `99.${"9".repeat(900)}` })).chance_of_no_client, 0.0001)
  })

  it.prop("can be encoded, is in order, and is deterministic", [assumptions], ([input]) => {
    const actual = outlook(input)
    assert.deepStrictEqual(Schema.encodeSync(Outlook)(actual), actual)
    assert.strictEqual(JSON.stringify(outlook(input)), JSON.stringify(actual))
    for (const name of stages) {
      const { chance_within, high, low, median } = actual[name]
      assert.isTrue(low <= median && median <= high && chance_within >= 0.8)
    }
  })
})
