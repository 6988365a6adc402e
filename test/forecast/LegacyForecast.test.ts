import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Schema } from "effect"
import { computeLegacyForecast, LegacyForecast, RiskLevel, scoreCampaign } from "../../src/forecast/LegacyForecast.ts"
import type { Assumptions } from "../../src/campaign/Assumptions.ts"
import { funnel } from "../../src/forecast/Campaign.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { assumptions } from "../support/Arbitraries.ts"
import { assumptionsOf } from "../support/Samples.ts"

const scoreOf = (input: Assumptions) => {
  const { forecast, funnel } = computeForecast(input)
  return scoreCampaign(input, funnel, forecast.risk_flags)
}

/** Flags change the risk, not the score. */
const bareScoreOf = (input: Assumptions) => scoreCampaign(input, funnel(input), []).campaign_score

describe("scoreCampaign", () => {
  it.effect("scores the sample by the formula in its notes", () =>
    Effect.gen(function* () {
      // 15 × 0.5 + 15 × 0.5 + 15 × 0.4 + 15 × 25/30 + 40 = 73.5
      const { campaign_score, notes, risk_level } = scoreOf(yield* assumptionsOf())
      assert.strictEqual(campaign_score, 74)
      assert.strictEqual(risk_level, "medium")
      assert.match(
        notes[0] ?? "",
        /weights of our own: 15 × min\(reply rate ÷ 10, 1\).* \+ 40 × min\(ROI ÷ 10, 1\) = 74,/
      )
    })
  )

  it.effect("rounds the exact sum once", () =>
    Effect.gen(function* () {
      // 33.5 for the rates and 4 × 9375/9375 for the ROI: 37.5
      assert.strictEqual(scoreOf(yield* assumptionsOf({ campaign_cost: 9375 })).campaign_score, 38)
      assert.strictEqual(scoreOf(yield* assumptionsOf({ campaign_cost: 9375.01 })).campaign_score, 37)
      assert.strictEqual(scoreOf(yield* assumptionsOf({ campaign_cost: 0 })).campaign_score, 34)
    })
  )

  it.effect("calls the risk medium with one or two flags, high with three or an alarming one", () =>
    Effect.gen(function* () {
      assert.strictEqual(scoreOf(yield* assumptionsOf({ emails_sent: 1000 })).risk_level, "medium")
      assert.strictEqual(scoreOf(yield* assumptionsOf({ campaign_cost: 10_000 })).risk_level, "high")
      const three = { emails_sent: 1000, average_deal_value: undefined, campaign_cost: undefined }
      assert.strictEqual(scoreOf(yield* assumptionsOf(three)).risk_level, "high")
    })
  )

  it.effect("gives each rate up to 15 points, in proportion", () =>
    Effect.gen(function* () {
      const none = { reply_rate: 0, positive_reply_rate: 0, meeting_booking_rate: 0, close_rate: 0 }
      const noMoney = { average_deal_value: undefined, campaign_cost: undefined }
      for (const [rate, full] of [
        ["reply_rate", 10],
        ["positive_reply_rate", 60],
        ["meeting_booking_rate", 50],
        ["close_rate", 30]
      ] as const) {
        for (const [value, points] of [
          [0, 0],
          [full / 3, 5],
          [full, 15],
          [full + 1, 15],
          [100, 15]
        ] as const) {
          const { campaign_score } = scoreOf(yield* assumptionsOf({ ...none, ...noMoney, [rate]: value }))
          assert.strictEqual(campaign_score, points, `${rate} ${value}`)
        }
      }
    })
  )

  it.effect("rates the risk by the number of flags and by their severity", () =>
    Effect.gen(function* () {
      const input = yield* assumptionsOf()
      const { funnel } = computeForecast(input)
      for (const [flags, level] of [
        [[], "low"],
        [["small_sample"], "medium"],
        [["small_sample", "low_reply_rate"], "medium"],
        [["small_sample", "low_reply_rate", "low_close_rate"], "high"],
        [["negative_roi"], "high"],
        [["rates_look_like_fractions"], "high"]
      ] as const) {
        const { notes, risk_level } = scoreCampaign(input, funnel, flags)
        assert.strictEqual(risk_level, level)
        assert.isTrue(Schema.is(RiskLevel)(level))
        assert.include(
          notes[1],
          `Risk level ${level}: ${flags.length} risk flag${flags.length === 1 ? "" : "s"}; high from 3 flags`
        )
      }
    })
  )

  it.prop("is an integer from 0 to 100", [assumptions], ([input]) => {
    const campaign_score = bareScoreOf(input)
    assert.isTrue(Number.isInteger(campaign_score) && campaign_score >= 0 && campaign_score <= 100)
  })

  const rising = ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const
  it.prop("never falls when a rate rises", [assumptions, assumptions], ([input, other]) => {
    for (const rate of rising) {
      const [low, high] = BigDecimal.isLessThan(input[rate], other[rate]) ? [input, other] : [other, input]
      const before = bareScoreOf({ ...input, [rate]: low[rate] })
      assert.isAtLeast(bareScoreOf({ ...input, [rate]: high[rate] }), before, rate)
    }
  })

  it.prop("never falls when the deal value rises or is added", [assumptions, assumptions], ([input, other]) => {
    const { average_deal_value: _, ...untold } = input
    const values = [input.average_deal_value, other.average_deal_value].filter((value) => value !== undefined)
    const [low, high = low] = values.toSorted((a, b) => (BigDecimal.isLessThan(a, b) ? -1 : 1))
    if (low === undefined || high === undefined) return
    const scores = [untold, { ...untold, average_deal_value: low }, { ...untold, average_deal_value: high }].map(
      bareScoreOf
    )
    assert.deepStrictEqual(
      scores,
      scores.toSorted((a, b) => a - b)
    )
  })
})

describe("a forecast of the legacy endpoint", () => {
  it.effect("is the forecast with the score, the risk level and their notes at the end", () =>
    Effect.gen(function* () {
      const input = yield* assumptionsOf({ emails_sent: 1000 })
      const { calculation_notes, summary: _, ...forecast } = computeForecast(input).forecast
      const { campaign_score, notes, risk_level } = scoreOf(input)
      assert.deepStrictEqual(computeLegacyForecast(input), {
        ...forecast,
        calculation_notes: [...calculation_notes, ...notes],
        campaign_score: campaign_score,
        risk_level: risk_level
      })
    })
  )

  it.effect("has a score from 0 to 100", () =>
    Effect.gen(function* () {
      const legacy = computeLegacyForecast(yield* assumptionsOf())
      const scores = [-1, 0, 100, 101, 50.5].map((campaign_score) => ({ ...legacy, campaign_score }))
      assert.deepStrictEqual(scores.map(Schema.is(LegacyForecast)), [false, true, true, false, false])
    })
  )
})
