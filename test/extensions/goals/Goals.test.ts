import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import type { Campaign } from "../../../src/forecast/Campaign.ts"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"
import { GoalAnswer } from "../../../src/extensions/goals/GoalAnswer.ts"
import { type Aim, aims, type Goal } from "../../../src/extensions/goals/GoalTarget.ts"
import { campaignOf, chanceOf, type Measured } from "../../support/Campaigns.ts"
import { exactBinomial, weightWithin } from "../../support/ExactCounts.ts"
import { seeded } from "../../support/Seeded.ts"
import vectors from "../../vectors/uncertainty.json" with { type: "json" }

const goalOf = (aim: Aim, target: number, chance?: number): Goal => ({
  aim,
  target: BigDecimal.fromStringUnsafe(String(target)),
  ...(chance === undefined ? {} : { chance: BigDecimal.fromStringUnsafe(String(chance)) })
})

const certain = { positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

describe("reachGoal", () => {
  it("solves the documented example", () => {
    const {
      calculation_notes,
      model_version,
      summary: _,
      ...answer
    } = reachGoal(goalOf("clients", 4, 0.8), campaignOf())
    assert.match(model_version, /^\d{4}-\d\d-\d\d$/)
    assert.deepStrictEqual(answer, {
      goal: { clients: 4, chance: 0.8 },
      expected_now: 3.75,
      chance_now: 0.5163,
      reached: false,
      needed: {
        emails_sent: { current: 5000, needed: 7353, factor: 1.4706 },
        reply_rate: { current: 5, needed: 7.36, factor: 1.472, beyond_published: true },
        positive_reply_rate: { current: 30, needed: 44.11, factor: 1.4703, beyond_published: false },
        meeting_booking_rate: { current: 20, needed: 29.41, factor: 1.4705, beyond_published: false },
        close_rate: { current: 25, needed: 36.76, factor: 1.4704, beyond_published: true }
      }
    })
    assert.isNotEmpty(calculation_notes)
  })

  for (const { chance_wanted, clients, emails_sent, probability_per_email: p } of vectors.smallest_emails_sent) {
    it(`needs ${emails_sent} emails for ${clients} of p = ${p} with a chance of ${chance_wanted}`, () => {
      const campaign = campaignOf({
        ...certain,
        reply_rate: BigDecimal.format(BigDecimal.multiply(BigDecimal.fromStringUnsafe(p), BigDecimal.make(100n, 0)))
      })
      const answer = reachGoal(goalOf("clients", clients, Number(chance_wanted)), campaign)
      assert.strictEqual(answer.needed.emails_sent.needed, emails_sent)
    })
  }

  it("needs exactly as much: one email less or 0.01% less does not reach it", () => {
    const random = seeded(99)
    let checked = 0
    for (let round = 0; round < 150; round++) {
      const emails = 20 + Math.floor(random() * 300)
      const rates = [20 + random() * 80, 30 + random() * 70].map((rate) => rate.toFixed(2))
      const [reply_rate = "1", close_rate = "1"] = rates
      const count = 1 + Math.floor(random() * 12)
      const chance = 500 + Math.floor(random() * 500)
      const campaign = campaignOf({ ...certain, emails_sent: emails, reply_rate, close_rate })
      const { emails_sent, reply_rate: reply } = reachGoal(goalOf("clients", count, chance / 1000), campaign).needed
      const isReached = (trials: number, rate: string) => {
        const exact = exactBinomial(trials, chanceOf(rate, close_rate))
        return weightWithin(exact, count) * 1000n >= exact.total * BigInt(chance)
      }
      assert.isNotNull(emails_sent.needed)
      assert.isTrue(isReached(emails_sent.needed ?? 0, reply_rate), `${emails_sent.needed} emails`)
      assert.isFalse(isReached((emails_sent.needed ?? 0) - 1, reply_rate), `${emails_sent.needed} emails less 1`)
      const needed = reply?.needed
      if (needed === null || needed === undefined) {
        assert.isFalse(isReached(emails, "100"))
        continue
      }
      checked++
      assert.isTrue(isReached(emails, needed.toFixed(2)), `reply rate ${needed}`)
      assert.isFalse(isReached(emails, (needed - 0.01).toFixed(2)), `reply rate ${needed} less 0.01`)
    }
    assert.isAbove(checked, 100)
  })

  it("solves amounts: the result is sufficient, and a cent less is not", () => {
    const reached = (goal: Goal, campaign: Campaign) => reachGoal(goal, campaign).reached
    for (const aim of ["revenue", "profit", "roi_multiple"] as const) {
      for (const chance of [undefined, 0.5, 0.9]) {
        const goal = goalOf(aim, aim === "roi_multiple" ? 7.3 : 4001.5, chance)
        const campaign = campaignOf({ emails_sent: 9000 })
        const { average_deal_value: value, campaign_cost: cost } = reachGoal(goal, campaign).needed
        const at = (field: "average_deal_value" | "campaign_cost", amount: number) =>
          reached(goal, campaignOf({ emails_sent: 9000, [field]: amount.toFixed(2) }))
        assert.isTrue(at("average_deal_value", value?.needed ?? 0), `${aim} ${chance}: value ${value?.needed}`)
        assert.isFalse(at("average_deal_value", (value?.needed ?? 0) - 0.01))
        if (aim === "revenue") {
          assert.isUndefined(cost)
        } else {
          assert.isTrue(at("campaign_cost", cost?.needed ?? 0), `${aim} ${chance}: cost ${cost?.needed}`)
          assert.isFalse(at("campaign_cost", (cost?.needed ?? 0) + 0.01))
        }
      }
    }
  })

  it("solves expectations on exact fractions", () => {
    // 3.75 clients of 5,000 emails: 4 take 5,333.3 emails.
    const { needed, reached } = reachGoal(goalOf("clients", 4), campaignOf())
    assert.deepStrictEqual([reached, needed.emails_sent.needed, needed.reply_rate?.needed], [false, 5334, 5.34])
    const tie = reachGoal(goalOf("clients", 3.75), campaignOf())
    assert.deepStrictEqual(
      [tie.reached, tie.needed.emails_sent.needed, tie.needed.close_rate?.needed],
      [true, 5000, 25]
    )
  })

  it("is null if no value within the bounds is sufficient", () => {
    const hopeless = reachGoal(goalOf("clients", 10, 0.9), campaignOf({ close_rate: 0 }))
    assert.deepStrictEqual(
      [hopeless.chance_now, hopeless.needed.emails_sent.needed, hopeless.needed.reply_rate?.needed],
      [0, null, null]
    )
    assert.isNotNull(hopeless.needed.close_rate?.needed)
    assert.isNull(hopeless.needed.close_rate?.factor)
    assert.isNull(reachGoal(goalOf("clients", 5001, 0.5), campaignOf()).needed.reply_rate?.needed)
    assert.isNull(reachGoal(goalOf("clients", 1e9), campaignOf()).needed.emails_sent.needed)
    assert.isNull(reachGoal(goalOf("profit", 1e9), campaignOf()).needed.campaign_cost?.needed)
  })

  it("is partly unknown if a value is missing", () => {
    const noValue = reachGoal(goalOf("profit", 1000), campaignOf({ average_deal_value: undefined }))
    assert.deepStrictEqual([noValue.expected_now, noValue.chance_now, noValue.reached], [null, null, false])
    assert.deepStrictEqual(noValue.needed.average_deal_value, { current: null, needed: 426.67, factor: null })
    const noCost = reachGoal(goalOf("roi_multiple", 3), campaignOf({ campaign_cost: undefined }))
    assert.deepStrictEqual(noCost.needed.campaign_cost, { current: null, needed: 3125, factor: null })
    for (const { calculation_notes } of [
      noCost,
      reachGoal(goalOf("clients", 4), campaignOf({ campaign_cost: undefined }))
    ])
      assert.notMatch(calculation_notes.join(" "), /campaign_cost does not change|cost as much each/)
    const free = reachGoal(goalOf("roi_multiple", 3), campaignOf({ campaign_cost: 0 }))
    assert.deepStrictEqual([free.expected_now, free.chance_now, free.reached], [null, null, false])
  })

  it("needs nothing for a goal of 0", () => {
    const { chance_now, needed, reached } = reachGoal(goalOf("clients", 0, 0.9), campaignOf())
    assert.deepStrictEqual([chance_now, reached, needed.emails_sent.needed, needed.close_rate?.needed], [1, true, 1, 0])
  })

  it("solves only emails and cost with learned rates", () => {
    const measured: Measured = { reply_rate: [31, 800], close_rate: [1, 3] }
    const goal = goalOf("profit", 2000, 0.8)
    const { needed } = reachGoal(goal, campaignOf({ emails_sent: 20_000 }, measured))
    assert.deepStrictEqual(Object.keys(needed), ["emails_sent", "campaign_cost"])
    const at = (changes: Parameters<typeof campaignOf>[0]) =>
      reachGoal(goal, campaignOf({ emails_sent: 20_000, ...changes }, measured)).reached
    const emails = needed.emails_sent.needed ?? 0
    assert.deepStrictEqual(
      [emails, emails - 1].map((count) => at({ emails_sent: count, campaign_cost: Math.round(count * 3) / 100 })),
      [true, false]
    )
    const cost = needed.campaign_cost?.needed ?? 0
    assert.deepStrictEqual([at({ campaign_cost: cost }), at({ campaign_cost: cost + 0.01 })], [true, false])
  })

  it("can be encoded, with the inputs in the order of the funnel", () => {
    for (const aim of aims) {
      for (const chance of [undefined, 0.75]) {
        const answer = reachGoal(goalOf(aim, 3, chance), campaignOf({ delivery_rate: 95, show_rate: 80 }))
        assert.deepStrictEqual(Schema.encodeSync(GoalAnswer)(answer), answer)
        const order = [
          "emails_sent",
          "delivery_rate",
          "reply_rate",
          "positive_reply_rate",
          "meeting_booking_rate",
          "show_rate",
          "close_rate",
          "average_deal_value",
          "campaign_cost"
        ]
        const levers = Object.keys(answer.needed)
        assert.deepStrictEqual(
          levers,
          order.filter((lever) => levers.includes(lever))
        )
      }
    }
  })

  it("solves a chance at 100,000,000 emails too", () => {
    const { needed } = reachGoal(goalOf("replies", 20_000_000, 0.9), campaignOf({ emails_sent: 1e8, reply_rate: 50 }))
    assert.strictEqual(needed.emails_sent.needed, 40_008_106)
  })
})
