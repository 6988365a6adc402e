import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { reachGoal } from "../../../src/forecast/outlook/Goals.ts"
import { assumptions } from "../../support/Arbitraries.ts"
import { decodeText, sample } from "../../support/Samples.ts"

/** What is answered to a request as somebody would send it. */
const answerTo = (request: object) =>
  Effect.map(decodeText(JSON.stringify(request)), (assumptions) => computeForecast(assumptions).forecast)

/** A campaign whose rates nobody would object to. */
const usual = {
  emails_sent: 12_000,
  reply_rate: 3,
  positive_reply_rate: 30,
  meeting_booking_rate: 40,
  close_rate: 20,
  average_deal_value: 12_000,
  campaign_cost: 6000
}

describe("advice that a practitioner would sign", () => {
  it.effect("finds fault with the show rate, not with the close rate, where meetings are not held", () =>
    Effect.gen(function* () {
      const { average_deal_value: _, campaign_cost: __, ...rates } = usual
      for (const request of [rates, usual]) {
        const { recommendations } = yield* answerTo({ ...request, show_rate: 10 })
        const all = recommendations.join("\n")
        assert.include(all, "Work on the show rate: at 80 % (planning figure, Alchemail 2025/26) instead of 10 %")
        assert.notInclude(all, "100 %")
        assert.notInclude(all, "close rate")
      }
      // A loss of less than half of the cost.
      const [breakEven] = (yield* answerTo({ ...usual, show_rate: 10, campaign_cost: 18_000 })).recommendations
      assert.include(breakEven, "the show rate from 10 % to 17.37 %")
      assert.notInclude(breakEven, "100 %")
    })
  )

  it.prop("never asks for a rate of 100 %", [assumptions], ([input]) => {
    const { recommendations } = computeForecast(input).forecast
    assert.notMatch(recommendations.join("\n"), /\b(?:at|to|a [a-z ]+ rate of) 100 %/i)
  })

  it.effect(
    "says what a reference is, and nothing about a rate between what is measured and what is planned with",
    () =>
      Effect.gen(function* () {
        for (const positive_reply_rate of [14.1, 20, 30, 39, 50]) {
          const { recommendations, risk_flags } = yield* answerTo({
            ...sample,
            positive_reply_rate,
            campaign_cost: 900
          })
          assert.notInclude(risk_flags, "low_positive_reply_rate")
          assert.notInclude(recommendations.join("\n"), "positive reply rate")
          assert.include(recommendations.join("\n"), "(planning figure, Alchemail 2025/26)")
        }
        const { recommendations, risk_flags } = yield* answerTo({ ...usual, positive_reply_rate: 10 })
        assert.include(risk_flags, "low_positive_reply_rate")
        assert.include(
          recommendations.join("\n"),
          "Raise the positive reply rate of 10 %: the lowest published figure is 14.1 % of replies. At 14.1 % (measured mean, Prospeo 2026, quoted by another), "
        )
      })
  )

  it.effect("holds rates against what was published in their unit, and close rates against deals of their size", () =>
    Effect.gen(function* () {
      for (const published of [{ close_rate: 4 }, { close_rate: 4, show_rate: 75 }, { reply_rate: 10.5 }]) {
        const { risk_flags } = yield* answerTo({ ...usual, ...published })
        assert.isFalse(
          risk_flags.some((flag) => flag.endsWith("_rate")),
          risk_flags.join()
        )
      }
      // 12 % is within 5 to 15 %, which is what deals above 100,000 close at.
      const large = { ...usual, close_rate: 12, average_deal_value: 150_000 }
      assert.notInclude((yield* answerTo(large)).recommendations.join("\n"), "close rate")
      const huge = yield* answerTo({ ...large, close_rate: 6 })
      assert.include(huge.recommendations.join("\n"), "the middle of 5 to 15 % for deals above 100,000 USD")
    })
  )

  it.effect("takes a reply rate of 0.05 beside rates in percent for a fraction", () =>
    Effect.gen(function* () {
      const { recommendations, risk_flags } = yield* answerTo({ ...sample, reply_rate: 0.05 })
      assert.include(risk_flags, "rates_look_like_fractions")
      assert.deepStrictEqual(recommendations, [
        "Check the unit of the reply rate: 0.05 % looks like a fraction. If you meant 5 %, enter 5: 5,000 emails would bring 3.75 clients instead of 0.04."
      ])
    })
  )

  it.effect("does not offer as a way to pay a cost what leaves a good part of it unpaid", () =>
    Effect.gen(function* () {
      const saas = {
        emails_sent: 4000,
        reply_rate: 1.2,
        positive_reply_rate: 30,
        meeting_booking_rate: 35,
        close_rate: 15,
        average_deal_value: 600,
        campaign_cost: 2500
      }
      const { recommendations } = yield* answerTo(saas)
      assert.notInclude(recommendations.join("\n"), "Work on")
      assert.notInclude(recommendations.join("\n"), "short of the cost")
      const nearly = yield* answerTo({ ...saas, campaign_cost: 680 })
      assert.include(nearly.recommendations.join("\n"), "still 33.62 short of the cost")
    })
  )

  it.prop("has at most one thing to do first", [assumptions], ([input]) => {
    const { recommendations } = computeForecast(input).forecast
    const all = recommendations.join("\n")
    assert.isAtMost(all.match(/\bfirst\b|before anything else/g)?.length ?? 0, 1)
  })

  it.effect(
    "asks what a cost leaves out that is far below what a meeting costs, and says what the campaign can bear",
    () =>
      Effect.gen(function* () {
        const cheap = { ...usual, campaign_cost: 300 }
        const { performance_grade, recommendations, risk_flags } = yield* answerTo(cheap)
        assert.deepStrictEqual(risk_flags, ["cost_looks_incomplete"])
        assert.strictEqual(performance_grade, "break_even_or_unclear")
        assert.deepStrictEqual(recommendations, [
          "Does the cost of 300 leave something out? 6.94 per meeting is far below the 150 to 400 USD that others pay (Instantly 2026): add hours, list and tools. At these rates, the campaign pays for itself on average up to a cost of 103,680."
        ])
        // A cost of 0 is a question of its own, and one that is missing too.
        for (const campaign_cost of [0, undefined]) {
          assert.notInclude((yield* answerTo({ ...usual, campaign_cost })).risk_flags, "cost_looks_incomplete")
        }
        // Without a deal value nobody knows what it can bear.
        const { recommendations: unknown } = yield* answerTo({ ...cheap, average_deal_value: undefined })
        assert.match(unknown[0] ?? "", /^Does the cost of 300 .*: add hours, list and tools\.$/)
      })
  )

  it.effect("asks whether a deal value far below the cost of a meeting is a month's fee", () =>
    Effect.gen(function* () {
      const monthly = { ...usual, average_deal_value: 49 }
      const { recommendations } = yield* answerTo(monthly)
      assert.deepStrictEqual(recommendations, [
        "Is the deal value of 49 a month's fee? A meeting alone costs 138.89. If it is, the campaign breaks even once clients have paid for 15 months on average: enter what a client pays in all the months that you plan with. As planned, it costs 6,000 and brings in 423.36."
      ])
      const paid = yield* answerTo({ ...monthly, average_deal_value: 15 * 49 })
      assert.notInclude(paid.risk_flags, "negative_roi")
      // What a client from every meeting would pay for is a loss like others, and so is what no years would pay for.
      for (const average_deal_value of [139, 1]) {
        const [first = ""] = (yield* answerTo({ ...usual, average_deal_value })).recommendations
        assert.match(first, /^(?:To break even|Do not run)/)
      }
    })
  )

  it.effect("takes 400 emails for deals of 200,000 as a test, and asks for no list of 8,515", () =>
    Effect.gen(function* () {
      const enterprise = {
        emails_sent: 400,
        reply_rate: 3,
        positive_reply_rate: 30,
        meeting_booking_rate: 35,
        close_rate: 6,
        average_deal_value: 200_000,
        campaign_cost: 5000
      }
      const { recommendations, risk_flags } = yield* answerTo(enterprise)
      assert.deepStrictEqual(risk_flags, ["small_sample"])
      assert.match(
        recommendations[0] ?? "",
        /^Take this campaign as a test of the reply rate: a client takes about 5,291 emails on average, and 93 of 100 such campaigns win none\. Judge it by its 12 expected replies\.$/
      )
      assert.notMatch(recommendations.join("\n"), /\bSend\b|worth/)
    })
  )

  it.prop("never sends more than three times the emails", [assumptions], ([input]) => {
    const all = computeForecast(input).forecast.recommendations.join("\n")
    const now = BigDecimal.toNumberUnsafe(input.emails_sent)
    const [, instead] = /^Send ([\d,]+) emails? rather/m.exec(all) ?? []
    const [, more] = /so ([\d,]+) more would bring/.exec(all) ?? []
    const count = (text: string | undefined) => Number((text ?? "0").replaceAll(",", ""))
    assert.isAtMost(Math.max(count(instead), count(more) + now), 3 * now, all)
  })

  it.effect("says how often the cost is not covered before it says what holds on average", () =>
    Effect.gen(function* () {
      const thin = { ...usual, campaign_cost: 70_000 }
      const { outlook, recommendations } = yield* answerTo(thin)
      const loss = Math.round((1 - (outlook.chance_to_break_even ?? 1)) * 100)
      assert.isAbove(loss, 1)
      const margin = recommendations.find((text) => text.startsWith("Watch the margin")) ?? "nothing"
      assert.match(
        margin,
        new RegExp(
          `^Watch the margin: in ${loss} of 100 such campaigns the revenue does not cover the cost\\. On average it does`
        )
      )
    })
  )

  it.effect("refuses more replies than contacts, in the caller's spelling, and never asks for them", () =>
    Effect.gen(function* () {
      const tenEach = { ...usual, emails_per_contact: 10, spread: "none" }
      for (const [request, pointer] of [
        [{ ...tenEach, reply_rate: 11.3 }, "/reply_rate"],
        [{ ...tenEach, reply_rate: undefined, replyRate: 10.000_01 }, "/replyRate"]
      ] as const) {
        const failure = yield* Effect.flip(decodeText(JSON.stringify(request)))
        assert.deepStrictEqual(failure._tag === "InvalidInput" ? failure.errors : [], [
          {
            pointer,
            code: "out_of_range",
            message: "makes more replies than contacts: with 10 emails to each contact it must be at most 10"
          }
        ])
      }
      yield* decodeText(JSON.stringify({ ...tenEach, reply_rate: 10 }))
      // 12,000 emails to 1,200 contacts.
      const { break_even } = yield* answerTo({ ...tenEach, campaign_cost: 300_000 })
      assert.deepInclude(break_even, { reply_rate: 8.69 })
      assert.isNull((yield* answerTo({ ...tenEach, campaign_cost: 350_000 })).break_even.reply_rate)
      const campaign = yield* decodeText(JSON.stringify(tenEach))
      for (const chance of [undefined, BigDecimal.make(8n, 1)]) {
        const needed = (clients: bigint) =>
          reachGoal({ aim: "clients", target: BigDecimal.make(clients, 0), chance }, campaign).needed.reply_rate?.needed
        assert.isAtMost(needed(20n) ?? Infinity, 10)
        // 28.8 at a reply rate of 10 %.
        assert.isNull(needed(29n))
      }
    })
  )

  it.effect("says to measure a rate that nothing is known of, rather than one that was measured", () =>
    Effect.gen(function* () {
      const evidence = { reply_rate: { observed: 31, out_of: 800 }, close_rate: { observed: 6, out_of: 30 } }
      const { calculation_notes } = yield* answerTo({ ...usual, evidence })
      assert.deepStrictEqual(
        calculation_notes.filter((note) => note.startsWith("Measure ")),
        ["Measure positive_reply_rate next: nothing was measured of it, and the outlook takes it as given."]
      )
    })
  )
})
