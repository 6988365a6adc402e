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

describe("the grade of a mean above its range", () => {
  const dead = {
    reply_rate: 5,
    positive_reply_rate: 14,
    meeting_booking_rate: 45,
    close_rate: 20,
    average_deal_value: 6000
  }
  const past = [
    [2000, 0],
    [3000, 1],
    [4000, 1]
  ].map(([emails_sent = 0, replies = 0]) => ({ emails_sent, replies }))
  const after = (campaign_cost: number, emails_sent: number, history = past) =>
    Effect.map(
      assumptionsOf({ ...dead, campaign_cost, emails_sent }),
      (given) => computeForecast({ ...given, history }).forecast
    )

  it.effect("is that of the median, and a note says so", () =>
    Effect.gen(function* () {
      const cheap = yield* after(80, 5000)
      assert.isAbove(cheap.outlook.replies.expected, cheap.outlook.replies.high)
      assert.isAbove(cheap.roi_multiple ?? 0, 3)
      assert.strictEqual(cheap.performance_grade, "weak")
      assert.include(
        cheap.calculation_notes,
        "Grade weak: the ROI of the median, 0, is below 1. The 8.3329 replies on average are above their range, 0 to 3, as few campaigns with many replies make up most of the average."
      )
    })
  )

  it.effect("is that of the average where the range holds it, and unclear without a cost", () =>
    Effect.gen(function* () {
      const usual = yield* after(1600, 10_000, [{ emails_sent: 4000, replies: 120 }])
      assert.isAtMost(usual.outlook.replies.expected, usual.outlook.replies.high)
      assert.strictEqual(usual.performance_grade, "strong")
      assert.strictEqual((yield* after(0, 5000)).performance_grade, "break_even_or_unclear")
    })
  )
})

describe("a rate of 100%", () => {
  const base = { reply_rate: 2, positive_reply_rate: 20, meeting_booking_rate: 45, close_rate: 20, campaign_cost: 1500 }

  it.effect("is a step that does not exist: it has no flag, no advice and no comparison", () =>
    Effect.gen(function* () {
      for (const [changes, flags] of [
        [{ positive_reply_rate: 100, campaign_cost: 6000 }, []],
        // Close rates are published of meetings, not of positive replies; nor is what these cost.
        [{ meeting_booking_rate: 100, close_rate: 1 }, []],
        [{ meeting_booking_rate: 100, close_rate: 60, campaign_cost: 200 }, []],
        [
          { meeting_booking_rate: 99.99, close_rate: 60, campaign_cost: 6000 },
          ["optimistic_meeting_booking_rate", "optimistic_close_rate"]
        ],
        [{ close_rate: 100 }, []],
        // Who holds every booked meeting closes a share of the booked ones.
        [{ show_rate: 100, close_rate: 3 }, []],
        [{ show_rate: 99.99, close_rate: 3 }, ["low_close_rate"]]
      ] as const) {
        const forecast = yield* forecastOf({ ...base, emails_sent: 18_000, average_deal_value: 60_000, ...changes })
        const raised = forecast.risk_flags.filter((flag) => flag !== "small_sample")
        assert.deepStrictEqual<ReadonlyArray<string>>(raised, flags, JSON.stringify(changes))
        if (flags.length > 0) continue
        for (const text of forecast.recommendations) {
          assert.notMatch(text, / of 100%|to 100%|Does the cost/, JSON.stringify(changes))
          if ("meeting_booking_rate" in changes) assert.notInclude(text, "close rate")
        }
      }
    })
  )

  it.effect("changes no comparison if it is the delivery rate or the show rate", () =>
    Effect.gen(function* () {
      const rates = { reply_rate: 0.9, positive_reply_rate: 6, meeting_booking_rate: 15, close_rate: 3 }
      const all = { delivery_rate: 100, show_rate: 100 }
      for (const changes of [
        rates,
        { ...rates, positive_reply_rate: 30 },
        { ...base, close_rate: 50, reply_rate: 8 }
      ]) {
        const [without, withAll] = [yield* forecastOf(changes), yield* forecastOf({ ...changes, ...all })]
        assert.deepStrictEqual(withAll.risk_flags, without.risk_flags)
        assert.deepStrictEqual(
          withAll.recommendations.map((text) => text.replaceAll("delivered emails", "emails")),
          without.recommendations
        )
      }
    })
  )
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
