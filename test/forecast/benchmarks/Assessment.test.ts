import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RiskFlag } from "../../../src/forecast/benchmarks/RiskFlags.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { assumptionsOf } from "../../support/Samples.ts"

type Changes = Readonly<Record<string, number | string | undefined>>

const forecastOf = (changes: Changes) =>
  Effect.map(assumptionsOf(changes), (assumptions) => computeForecast(assumptions).forecast)

describe("performance_grade", () => {
  // The sample's revenue is 9,375.
  const grades: ReadonlyArray<readonly [string, Changes]> = [
    ["strong", { campaign_cost: 937.5 }],
    ["healthy", { campaign_cost: 937.51 }],
    ["healthy", { campaign_cost: 3125 }],
    ["break_even_or_unclear", { campaign_cost: 3125.01 }],
    ["break_even_or_unclear", { campaign_cost: 9375 }],
    ["weak", { campaign_cost: 9375.01 }],
    ["break_even_or_unclear", { campaign_cost: 0 }],
    ["break_even_or_unclear", { campaign_cost: undefined }],
    ["break_even_or_unclear", { average_deal_value: undefined }],
    ["weak", { average_deal_value: 0 }],
    // More than 20 of 100 campaigns of 3,050 such emails win no client; by chance alone, of 2,145.
    ["strong", { emails_sent: 3051, campaign_cost: 300 }],
    ["break_even_or_unclear", { emails_sent: 3050, campaign_cost: 300 }],
    ["break_even_or_unclear", { emails_sent: 3050, campaign_cost: 1000 }],
    ["weak", { emails_sent: 3050, campaign_cost: 10_000 }],
    ["strong", { emails_sent: 2146, campaign_cost: 200, spread: "none" }],
    ["break_even_or_unclear", { emails_sent: 2145, campaign_cost: 200, spread: "none" }],
    // 15 meetings at 30 each.
    ["strong", { campaign_cost: 450 }],
    ["break_even_or_unclear", { campaign_cost: 449.99 }],
    ["weak", { campaign_cost: 449.99, average_deal_value: 100 }]
  ]
  for (const [grade, changes] of grades) {
    it.effect(`is ${grade} for ${JSON.stringify(changes)}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* forecastOf(changes)).performance_grade, grade)
      })
    )
  }
})

describe("risk_flags", () => {
  const big = { emails_sent: 18_000 }
  const many = { ...big, reply_rate: 10, campaign_cost: 5000 }
  /** A plausible cost of the meetings in all of these. */
  const paid = { campaign_cost: 2400 }
  /** Each flag, with changes that just raise it and changes that just do not. */
  const flags: ReadonlyArray<readonly [RiskFlag, Changes, Changes]> = [
    ["low_reply_rate", { ...big, reply_rate: 1.0499 }, { ...big, reply_rate: 1.05 }],
    // 1.05% of emails, however many emails each contact gets.
    [
      "low_reply_rate",
      { ...big, reply_rate: 1.0499, emails_per_contact: 4 },
      { ...big, reply_rate: 1.05, emails_per_contact: 4 }
    ],
    // Per email sent, with the emails that do not arrive.
    [
      "low_reply_rate",
      { ...big, reply_rate: 1.1051, delivery_rate: 95 },
      { ...big, reply_rate: 1.1053, delivery_rate: 95 }
    ],
    ["optimistic_reply_rate", { reply_rate: 3.7901 }, { reply_rate: 3.79 }],
    ["optimistic_reply_rate", { reply_rate: 3.9895, delivery_rate: 95 }, { reply_rate: 3.9894, delivery_rate: 95 }],
    // 10.7% of contacts, or 3.79% of emails, whichever is less.
    [
      "optimistic_reply_rate",
      { reply_rate: 2.6751, emails_per_contact: 4 },
      { reply_rate: 2.675, emails_per_contact: 4 }
    ],
    [
      "optimistic_reply_rate",
      { reply_rate: 3.7901, emails_per_contact: 2 },
      { reply_rate: 3.79, emails_per_contact: 2 }
    ],
    ["low_positive_reply_rate", { ...big, positive_reply_rate: 6.9999 }, { ...big, positive_reply_rate: 7 }],
    ["optimistic_positive_reply_rate", { positive_reply_rate: 60.0001 }, { positive_reply_rate: 60 }],
    ["low_meeting_booking_rate", { meeting_booking_rate: 19.9999 }, { meeting_booking_rate: 20 }],
    ["optimistic_meeting_booking_rate", { meeting_booking_rate: 80.0001 }, { meeting_booking_rate: 80 }],
    ["low_close_rate", { ...many, close_rate: 2.5999 }, { ...many, close_rate: 2.6 }],
    ["low_close_rate", { ...many, close_rate: 3.7499, show_rate: 80 }, { ...many, close_rate: 3.75, show_rate: 80 }],
    // Missed meetings do not count against the close rate.
    ["low_close_rate", { ...many, close_rate: 3.7499, show_rate: 60 }, { ...many, close_rate: 3.75, show_rate: 60 }],
    ["optimistic_close_rate", { close_rate: 30.0001 }, { close_rate: 30 }],
    ["optimistic_close_rate", { close_rate: 37.51, show_rate: 80 }, { close_rate: 37.5, show_rate: 80 }],
    ["optimistic_close_rate", { close_rate: 30.01, show_rate: 100 }, { close_rate: 30, show_rate: 100 }],
    ["optimistic_close_rate", { close_rate: 37.51, show_rate: 60 }, { close_rate: 37.5, show_rate: 60 }],
    ["high_volume", { emails_sent: 18_001 }, { emails_sent: 18_000 }],
    // (1 − 0.00075)^2145 is 0.200017, (1 − 0.00075)^2146 is 0.199867.
    ["small_sample", { emails_sent: 2145, spread: "none" }, { emails_sent: 2146, spread: "none" }],
    // By the reference arithmetic 0.200042 and 0.199965.
    ["small_sample", { emails_sent: 3050 }, { emails_sent: 3051 }],
    ["high_bounce_rate", { delivery_rate: 93.7199 }, { delivery_rate: 93.72 }],
    ["negative_roi", { campaign_cost: 9375.01 }, { campaign_cost: 9375 }],
    ["missing_deal_value", { average_deal_value: undefined }, {}],
    ["missing_campaign_cost", { campaign_cost: undefined }, {}],
    ["zero_campaign_cost", { campaign_cost: 0 }, {}],
    ["cost_looks_incomplete", { campaign_cost: 0.01 }, { campaign_cost: 450 }],
    ["cost_looks_incomplete", { campaign_cost: 449.99 }, { campaign_cost: 450 }]
  ]
  for (const [flag, raised, clear] of flags) {
    it.effect(`has ${flag} for ${JSON.stringify(raised)} and not for ${JSON.stringify(clear)}`, () =>
      Effect.gen(function* () {
        const flags = (yield* forecastOf({ ...paid, ...raised })).risk_flags
        assert.include(flags, flag)
        assert.deepStrictEqual(
          (yield* forecastOf({ ...paid, ...clear })).risk_flags,
          flags.filter((other) => other !== flag)
        )
      })
    )
  }

  it.effect("has small_sample for one email above a chance of 20%, and not at it", () =>
    Effect.gen(function* () {
      const certain = { emails_sent: 1, positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }
      const flagsAt = (reply_rate: number) => Effect.map(forecastOf({ ...certain, reply_rate }), (of) => of.risk_flags)
      assert.notInclude(yield* flagsAt(80), "small_sample")
      assert.include(yield* flagsAt(79.999_999), "small_sample")
    })
  )

  it.effect("has rates_look_like_fractions when all four rates are above 0 and at most 1", () =>
    Effect.gen(function* () {
      const rates = { reply_rate: 0.05, positive_reply_rate: 0.3, meeting_booking_rate: 1, close_rate: 0.25 }
      assert.include((yield* forecastOf(rates)).risk_flags, "rates_look_like_fractions")
      const one = yield* forecastOf({ ...rates, meeting_booking_rate: 1.0001 })
      assert.notInclude(one.risk_flags, "rates_look_like_fractions")
      const zero = yield* forecastOf({ ...rates, close_rate: 0 })
      assert.notInclude(zero.risk_flags, "rates_look_like_fractions")
    })
  )

  it.effect("has rates_look_like_fractions when only the reply rate is too low to be in percent", () =>
    Effect.gen(function* () {
      const others = { positive_reply_rate: 30, meeting_booking_rate: 20, close_rate: 25 }
      for (const [changes, expected] of [
        [{ reply_rate: 0.05 }, true],
        [{ reply_rate: 0.1999 }, true],
        [{ reply_rate: 0.2 }, false],
        [{ reply_rate: 0 }, false],
        [{ reply_rate: 0.05, close_rate: 1.01 }, true],
        // One other looks like a fraction too: neither all are percentages nor all fractions.
        [{ reply_rate: 0.05, close_rate: 1 }, false],
        [{ reply_rate: 0.05, close_rate: 0 }, false]
      ] as const) {
        const { risk_flags } = yield* forecastOf({ ...others, ...changes })
        assert.strictEqual(risk_flags.includes("rates_look_like_fractions"), expected, JSON.stringify(changes))
      }
    })
  )

  it.effect("lists them in the order of the contract", () =>
    Effect.gen(function* () {
      const forecast = yield* forecastOf({
        emails_sent: 50_000,
        reply_rate: 0.5,
        positive_reply_rate: 0.5,
        meeting_booking_rate: 0.5,
        close_rate: 0.5,
        average_deal_value: 1
      })
      assert.deepStrictEqual(forecast.risk_flags, [
        "low_reply_rate",
        "low_positive_reply_rate",
        "low_meeting_booking_rate",
        "low_close_rate",
        "high_volume",
        "small_sample",
        "negative_roi",
        "rates_look_like_fractions"
      ])
      // Rates that look like fractions are the only thing to act on.
      assert.lengthOf(forecast.recommendations, 1)
      assert.match(forecast.recommendations[0] ?? "", /^Check the unit of the reply rate/)
    })
  )
})
