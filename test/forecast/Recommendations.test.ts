import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { assumptions } from "../support/Arbitraries.ts"
import { assumptionsOf } from "../support/Samples.ts"

const adviceOf = (changes: Readonly<Record<string, number | undefined>>) =>
  Effect.map(assumptionsOf(changes), (assumptions) => computeForecast(assumptions).forecast.recommendations)

describe("recommendations", () => {
  it.effect("name the lever of the sample and its break-even", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* adviceOf({}), [
        "Work on the meeting booking rate first: at 20 % it is furthest below its reference of 45 % (planning middle, " +
          "Alchemail 2025–26, per positive reply), and reaching that would bring 8.4375 clients instead of 3.75; at " +
          "this cost, break-even needs a reply rate of 0.32 %."
      ])
    })
  )

  it.effect("tell what breaks even, and that is true: at the reply rate they name the grade is not weak", () =>
    Effect.gen(function* () {
      const loss = { emails_sent: 1000, reply_rate: 1, average_deal_value: 900, campaign_cost: 400 }
      const [, , breakEven] = yield* adviceOf(loss)
      assert.strictEqual(
        breakEven,
        "Change one thing at least, as break-even needs a reply rate of 2.97 % or a campaign cost of 135 or a deal value of 2,666.67."
      )
      for (const [change, isWeak] of [
        [{ reply_rate: 2.97 }, false],
        [{ reply_rate: 2.96 }, true],
        [{ campaign_cost: 135 }, false],
        [{ average_deal_value: 2666.67 }, false],
        [{ average_deal_value: 2666.66 }, true]
      ] as const) {
        const { forecast } = computeForecast(yield* assumptionsOf({ ...loss, ...change }))
        assert.strictEqual(forecast.performance_grade === "weak", isWeak)
      }
    })
  )

  it.effect("do not name a reply rate above 100 %", () =>
    Effect.gen(function* () {
      const advice = yield* adviceOf({ emails_sent: 10_000, average_deal_value: 1, campaign_cost: 1_000_000 })
      assert.isTrue(advice.every((sentence) => !sentence.includes("needs a reply rate")))
    })
  )

  it.effect("find words where nothing comes out", () =>
    Effect.gen(function* () {
      const advice = yield* adviceOf({ reply_rate: 0, average_deal_value: undefined })
      assert.deepStrictEqual(advice, [
        "Raise the reply rate from 0 % to at least 2 %: the same 5,000 emails would then bring 1.5 clients instead of 0.",
        "Give every rate a value above 0 %: a stage at 0 % leaves 0 clients however many emails are sent.",
        "Add average_deal_value to see revenue; with 0 clients it is 0, whatever a client is worth.",
        "Work on the reply rate first: at 0 % it is furthest below its reference of 5.5 % (top quartile, Instantly " +
          "2026, per contact), and reaching that would bring 4.125 clients instead of 0."
      ])
    })
  )

  it.effect("name the volume when every rate reaches its reference", () =>
    Effect.gen(function* () {
      const rates = { reply_rate: 6, positive_reply_rate: 55, meeting_booking_rate: 50, close_rate: 25 }
      const [lever] = yield* adviceOf({ ...rates, campaign_cost: 0 })
      assert.strictEqual(
        lever,
        "Work on the volume first, as all four rates reach their references: each further client takes about 243 more emails."
      )
    })
  )

  it.effect("say how many emails make a sample, and that is true", () =>
    Effect.gen(function* () {
      const [sample] = yield* adviceOf({ emails_sent: 1000 })
      assert.match(sample ?? "", /^Send at least 2,134 emails instead of 1,000/)
      const enough = yield* assumptionsOf({})
      const { forecast } = computeForecast({ ...enough, emails_sent: BigDecimal.make(2134n, 0) })
      assert.notInclude(forecast.risk_flags, "small_sample")
    })
  )

  it.prop("name ways to break even that do break even, and that a request can have", [assumptions], ([input]) => {
    const { forecast } = computeForecast(input)
    const [, ways = ""] = /break-even needs (?:a )(.*)\.$/.exec(forecast.recommendations.join("\n")) ?? []
    const numberAfter = (name: string) => {
      const text = new RegExp(`${name} of ([\\d,.]*\\d)`).exec(ways)?.[1]
      return text === undefined ? undefined : BigDecimal.fromStringUnsafe(text.replaceAll(",", ""))
    }
    const fields = { "reply rate": "reply_rate", "campaign cost": "campaign_cost", "deal value": "average_deal_value" }
    if (!forecast.risk_flags.includes("negative_roi")) return
    for (const [name, field] of Object.entries(fields)) {
      const value = numberAfter(name)
      if (value === undefined) continue
      const limit = field === "reply_rate" ? 100 : 1_000_000_000
      assert.isTrue(BigDecimal.isLessThanOrEqualTo(value, BigDecimal.fromNumberUnsafe(limit)))
      const changed = computeForecast({ ...input, [field]: value }).forecast
      assert.notStrictEqual(changed.performance_grade, "weak", `${name} ${BigDecimal.format(value)}`)
    }
  })

  it.prop(
    "never promise that a change changes nothing, and never show a number as 0 that is not",
    [assumptions],
    ([input]) => {
      const { forecast, funnel } = computeForecast(input)
      for (const sentence of forecast.recommendations) assert.notMatch(sentence, /bring 0 clients|is 0 clients/)
      for (const note of forecast.calculation_notes) {
        if (!BigDecimal.isZero(funnel.clients)) assert.notMatch(note, /÷ 0 |: 0 expected clients/)
      }
    }
  )
})
