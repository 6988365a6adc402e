import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"
import { ofHundred } from "../../../src/forecast/Words.ts"
import { assumptions } from "../../support/Arbitraries.ts"
import { decodeText, sample } from "../../support/Samples.ts"

/** The response to a realistic request. */
const answerTo = (request: object) =>
  Effect.map(decodeText(JSON.stringify(request)), (assumptions) => computeForecast(assumptions).forecast)

/** A campaign with unremarkable rates. */
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
  it.effect("blames the show rate, not the close rate, if meetings are not held", () =>
    Effect.gen(function* () {
      const { average_deal_value: _, campaign_cost: __, ...rates } = usual
      for (const request of [rates, usual]) {
        const { recommendations } = yield* answerTo({ ...request, show_rate: 10 })
        const all = recommendations.join("\n")
        assert.include(
          all,
          "Confirm meetings and remind people of them, which costs nothing: only 10% of those booked are held, and plans count on 70 to 85% (planning figure, Alchemail 2025/26)."
        )
        assert.notInclude(all, "100%")
        assert.notInclude(all, "close rate")
      }
      // A loss of less than half of the cost.
      const [breakEven] = (yield* answerTo({ ...usual, show_rate: 10, campaign_cost: 18_000 })).recommendations
      assert.include(breakEven, "the show rate from 10% to 17.37%")
      assert.notInclude(breakEven, "100%")
    })
  )

  it.prop("never asks for a rate of 100%", [assumptions], ([input]) => {
    const { recommendations } = computeForecast(input).forecast
    assert.notMatch(recommendations.join("\n"), /\b(?:at|to|a [a-z ]+ rate of) 100%/i)
  })

  it.effect("names its references, and does not comment on a rate between measured and planning figures", () =>
    Effect.gen(function* () {
      for (const positive_reply_rate of [14.1, 20, 30, 39, 50]) {
        const { recommendations, risk_flags } = yield* answerTo({
          ...sample,
          reply_rate: 3,
          positive_reply_rate,
          campaign_cost: 900
        })
        assert.notInclude(risk_flags, "low_positive_reply_rate")
        assert.notInclude(recommendations.join("\n"), "positive reply rate")
        assert.include(recommendations.join("\n"), "(planning figure, Alchemail 2025/26)")
      }
      const { recommendations, risk_flags } = yield* answerTo({ ...usual, positive_reply_rate: 10 })
      assert.notInclude(risk_flags, "low_positive_reply_rate")
      assert.include(
        recommendations.join("\n"),
        "Work on the positive reply rate: at 14.1% (measured mean, Prospeo 2026, quoted by another) instead of 10%, "
      )
    })
  )

  it.effect("compares rates with figures published in their unit, and close rates with deals of their size", () =>
    Effect.gen(function* () {
      for (const published of [{ close_rate: 4 }, { close_rate: 4, show_rate: 75 }, { reply_rate: 3.79 }]) {
        const { risk_flags } = yield* answerTo({ ...usual, ...published })
        assert.isFalse(
          risk_flags.some((flag) => flag.endsWith("_rate")),
          risk_flags.join()
        )
      }
      // 12% is within 5 to 15%, the close rates of deals above 100,000.
      const large = { ...usual, close_rate: 12, average_deal_value: 150_000 }
      assert.notInclude((yield* answerTo(large)).recommendations.join("\n"), "close rate")
      const huge = yield* answerTo({ ...large, close_rate: 6 })
      assert.include(huge.recommendations.join("\n"), "the middle of 5 to 15% for deals above 100,000 USD")
    })
  )

  it.effect("takes a reply rate of 0.05 for a fraction if the other rates are in percent", () =>
    Effect.gen(function* () {
      const { recommendations, risk_flags } = yield* answerTo({ ...sample, reply_rate: 0.05 })
      assert.include(risk_flags, "rates_look_like_fractions")
      assert.deepStrictEqual(recommendations, [
        "Check the unit of the reply rate: 0.05% looks like a fraction. If you meant 5%, enter 5: 5,000 emails would bring 3.75 clients instead of 0.04."
      ])
    })
  )

  it.effect("does not offer a way to break even that leaves much of the cost uncovered", () =>
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
      assert.include(nearly.recommendations.join("\n"), "still 33.70 short of the cost")
    })
  )

  it.prop("has at most one thing to do first", [assumptions], ([input]) => {
    const { recommendations } = computeForecast(input).forecast
    const all = recommendations.join("\n")
    assert.isAtMost(all.match(/\bfirst\b|before anything else/g)?.length ?? 0, 1)
  })

  it.effect("asks what is missing from a cost far below that of a meeting, and says what the campaign can bear", () =>
    Effect.gen(function* () {
      const cheap = { ...usual, campaign_cost: 300 }
      const { performance_grade, recommendations, risk_flags } = yield* answerTo(cheap)
      assert.deepStrictEqual(risk_flags, ["cost_looks_incomplete"])
      assert.strictEqual(performance_grade, "break_even_or_unclear")
      assert.deepStrictEqual(recommendations, [
        "Does the cost of 300 leave something out? 6.94 per meeting is far below the 150 to 400 USD that others pay (Instantly 2026, quoted by another): add hours, list and tools. As forecast, the campaign pays for itself on average up to a cost of 103,000."
      ])
      // A cost of 0, or a missing one, is covered by other advice.
      for (const campaign_cost of [0, undefined]) {
        assert.notInclude((yield* answerTo({ ...usual, campaign_cost })).risk_flags, "cost_looks_incomplete")
      }
      // Without a deal value, the cost that the campaign can bear is unknown.
      const { recommendations: unknown } = yield* answerTo({ ...cheap, average_deal_value: undefined })
      assert.match(unknown[0] ?? "", /^Does the cost of 300 .*: add hours, list and tools\.$/)
    })
  )

  it.effect("asks whether a small deal value is a month's fee, and says how many months break even", () =>
    Effect.gen(function* () {
      const monthly = { ...usual, average_deal_value: 49 }
      const { recommendations } = yield* answerTo(monthly)
      assert.deepStrictEqual(recommendations, [
        "If 49 is a month's fee, enter what a client pays in all: 15 months break even on average. As it stands, in more than 99 of 100 such campaigns the revenue does not cover the cost of 6,000; on average the revenue is 423."
      ])
      const paid = yield* answerTo({ ...monthly, average_deal_value: 15 * 49 })
      assert.notInclude(paid.risk_flags, "negative_roi")
      // A fee of 100 or more, or one that takes more than 60 months, is an ordinary loss.
      for (const average_deal_value of [100, 11]) {
        const [first = ""] = (yield* answerTo({ ...usual, average_deal_value })).recommendations
        assert.match(first, /^(?:This campaign loses money|Do not run)/)
      }
    })
  )

  it.effect("treats 400 emails for deals of 200,000 as a test, and does not ask for a list of 8,515", () =>
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
        /^Take this campaign as a test of the reply rate: 93 of 100 such campaigns win no client; half have the first client after 4,256 emails, 80 of 100 after 12,197\. Fewer than 3 replies would be bad: at most 10 of 100 such campaigns get so few\.$/
      )
      assert.notMatch(recommendations.join("\n"), /\bSend\b|worth/)
    })
  )

  it.prop("never recommends more than three times the emails", [assumptions], ([input]) => {
    const all = computeForecast(input).forecast.recommendations.join("\n")
    const now = BigDecimal.toNumberUnsafe(input.emails_sent)
    const [, instead] = /^Send ([\d,]+) emails? rather/m.exec(all) ?? []
    const [, more] = /so ([\d,]+) more would bring/.exec(all) ?? []
    const count = (text: string | undefined) => Number((text ?? "0").replaceAll(",", ""))
    assert.isAtMost(Math.max(count(instead), count(more) + now), 3 * now, all)
  })

  it.effect(
    "forecasts, grades, flags and advises by learned rates, and says so first if the plan is far from them",
    () =>
      Effect.gen(function* () {
        const request = { ...sample, history: [{ emails_sent: 8000, replies: 20 }] }
        const { calculation_notes: notes, ...answer } = yield* answerTo(request)
        assert.deepInclude(answer, {
          estimated_clients: 1.0955,
          roi_multiple: 4.6,
          performance_grade: "break_even_or_unclear"
        })
        assert.deepStrictEqual(answer.risk_flags, ["small_sample"])
        assert.strictEqual(
          answer.recommendations[0],
          "Your past campaigns point to a reply rate of 1.46% instead of 5%. With that, 5,000 emails would bring 1.1 clients instead of 3.75, an ROI of 4.6 instead of 15.6. All figures are based on it."
        )
        assert.include(
          notes,
          "All figures use the rates learned from your past campaigns: 1.0955 clients on average, 70.8% fewer. The rates of the request alone would give 3.75."
        )
        const past = { emails_sent: 3000, replies: 15, positive_replies: 4, meetings: 1, clients: 0 }
        const learned = yield* answerTo({ ...sample, history: [past, past, past] })
        assert.match(
          learned.recommendations[1] ?? "",
          /^Your past campaigns point to a reply rate of 0\.\d+% instead of 5%/
        )
        assert.include(learned.risk_flags, "low_reply_rate")
      })
  )

  it.effect("does not say that past campaigns at the rates of the plan point to better ones", () =>
    Effect.gen(function* () {
      const history = [{ emails_sent: 5000, replies: 250, positive_replies: 75, meetings: 15, clients: 4 }]
      assert.strictEqual(
        (yield* answerTo({ ...sample, history })).recommendations[0],
        "Your past campaigns are near your rates, but leave them uncertain. Higher rates gain more clients than lower ones lose: on average, 5,000 emails would bring 4.74 clients instead of 3.75, an ROI of 19.7 instead of 15.6. All figures are based on it."
      )
    })
  )

  it.effect("does not ask for past campaigns that it has, where a rate is 0", () =>
    Effect.gen(function* () {
      const history = [{ emails_sent: 2000, replies: 40, positive_replies: 12, meetings: 5, clients: 1 }]
      assert.match(
        (yield* answerTo({ ...sample, reply_rate: 0, history })).recommendations[0] ?? "",
        /^Replace the reply rate of 0%, which leaves no client however many emails you send: a rate of 0 learns nothing from your past campaigns, so start from 1\.71% for the reply rate \(/
      )
    })
  )

  it.effect("compares no figures that look the same", () =>
    Effect.gen(function* () {
      const past = { emails_sent: 2000, replies: 40, positive_replies: 2 }
      const small = { ...sample, emails_sent: 20, close_rate: 2.6, campaign_cost: 900 }
      const [first] = (yield* answerTo({ ...small, history: [past] })).recommendations
      assert.match(
        first ?? "",
        /With that, 20 emails would bring fewer than 0\.01 clients. All figures are based on it\.$/
      )
    })
  )

  it.effect("does not comment on a measured rate near the plan, and does not take it for a fraction", () =>
    Effect.gen(function* () {
      const history = [{ emails_sent: 800, replies: 39 }]
      const { performance_grade, recommendations } = yield* answerTo({ ...sample, history })
      assert.strictEqual(performance_grade, "strong")
      assert.notInclude(recommendations.join("\n"), " point to ")
      // The given rate is a fraction, whatever was measured.
      const fraction = yield* answerTo({ ...sample, reply_rate: 0.05, history })
      assert.match(fraction.recommendations.join("\n"), /^Check the unit of the reply rate: 0\.05% .*$/)
    })
  )

  it.effect("says how often a campaign loses before it names a rate at which it breaks even, which is an average", () =>
    Effect.gen(function* () {
      for (const campaign_cost of [70_000, 125_000]) {
        const { outlook, recommendations } = yield* answerTo({ ...usual, campaign_cost })
        const loss = ofHundred(1 - (outlook.chance_to_break_even ?? 1))
        const named = recommendations.filter(
          (text) => text.includes("the reply rate from") || text.includes("with a reply rate of")
        )
        assert.lengthOf(named, 1)
        assert.match(
          named[0] ?? "",
          new RegExp(
            `^[^.]*: in ${loss} such campaigns the revenue does not cover the cost.* on average.* reply rate `,
            "i"
          )
        )
      }
      // The three sentences that state an amount instead say that it is one, too.
      for (const [changes, text] of [
        [{ campaign_cost: undefined }, "pays for itself on average up to a cost of"],
        [{ campaign_cost: 0 }, "pays for itself on average up to a cost of"],
        [{ average_deal_value: undefined }, "to break even on average."]
      ] as const) {
        assert.include((yield* answerTo({ ...usual, ...changes })).recommendations.join("\n"), text)
      }
    })
  )

  it.effect("states what past campaigns point to", () =>
    Effect.gen(function* () {
      const first = (changes: object) =>
        Effect.map(answerTo({ ...sample, ...changes }), ({ recommendations }) => recommendations[0] ?? "nothing")
      const history = [{ emails_sent: 3000, replies: 30, positive_replies: 9 }]
      assert.match(yield* first({ history }), /^Your past campaigns point to a reply rate of [\d.]+% instead of 5%\. /)
    })
  )

  it.effect("does not treat a campaign as a test of the reply rate if that was measured", () =>
    Effect.gen(function* () {
      const small = { ...sample, emails_sent: 500, reply_rate: 3.7 }
      assert.match((yield* answerTo(small)).recommendations.join("\n"), /^Take this campaign as a test/m)
      const history = [{ emails_sent: 500, replies: 18 }]
      assert.match((yield* answerTo({ ...small, history })).recommendations.join("\n"), /^Do not count on a client/m)
    })
  )

  it.effect(
    "advises to verify the addresses of a list with many bounces, and says nothing else about its delivery rate",
    () =>
      Effect.gen(function* () {
        const advised = (changes: object) =>
          Effect.map(answerTo({ ...usual, ...changes }), ({ recommendations }) => recommendations.join("\n"))
        const many = yield* advised({ delivery_rate: 82 })
        assert.match(
          many,
          /^Verify the addresses before you send: 18% of the emails bounce, more than twice the measured mean of 3\.14% \(Clientium 2026, CC BY 4\.0, clientium\.it\/osservatorio\/\)\.$/m
        )
        assert.notMatch(many, /delivery rate/)
        for (const delivery_rate of [93.72, 100, undefined])
          assert.notMatch(yield* advised({ delivery_rate }), /Verify/, String(delivery_rate))
      })
  )

  it.effect("asks about automatic replies first, and multiplies no share of theirs", () =>
    Effect.gen(function* () {
      const few = {
        ...usual,
        emails_sent: 8000,
        reply_rate: 4.5,
        positive_reply_rate: 4.6,
        emails_per_contact: 1,
        campaign_cost: 1500
      }
      const { recommendations } = yield* answerTo(few)
      assert.strictEqual(
        recommendations[0],
        "Do the replies include automatic ones? Then leave them out; positive replies stay 0.21% of emails. The reply rate, 4.5%, is more replies than 95 of 100 published campaigns get (Clientium 2026, CC BY 4.0, clientium.it/osservatorio/)."
      )
      assert.notMatch(recommendations.slice(1).join("\n"), /reply rate|would bring/)
      const { recommendations: usualReplies } = yield* answerTo({ ...few, reply_rate: 2 })
      assert.match(usualReplies[0] ?? "", /positive replies stay 0\.09% of emails\.$/)
    })
  )

  it.effect("mends bounces and missed meetings before it advises volume", () =>
    Effect.gen(function* () {
      const campaign = {
        ...usual,
        emails_sent: 6000,
        reply_rate: 1.5,
        positive_reply_rate: 20,
        average_deal_value: 5000,
        campaign_cost: 900
      }
      const bounces = yield* answerTo({ ...campaign, delivery_rate: 78 })
      assert.match(bounces.recommendations[0] ?? "", /^Verify the addresses before you send: 22% /)
      assert.notMatch(bounces.recommendations.join("\n"), /^Send /m)
      const missed = yield* answerTo({ ...campaign, show_rate: 40 })
      assert.match(missed.recommendations[0] ?? "", /^Confirm meetings and remind people of them/)
    })
  )

  it.effect("does not ask to raise a measured rate to what it may be already", () =>
    Effect.gen(function* () {
      const past = (replies: number, emails_sent: number) => ({ ...usual, history: [{ emails_sent, replies }] })
      const [learned, given] = [yield* answerTo(past(46, 5800)), yield* answerTo({ ...usual, reply_rate: 1.4 })]
      const { expected, high } = learned.outlook.rates.reply_rate
      assert.isTrue(expected < 0.9 * 1.71 && high > 1.71, `${expected} to ${high}`)
      assert.notInclude(learned.recommendations.join("\n"), "Work on the reply rate")
      assert.include(given.recommendations.join("\n"), "Work on the reply rate")
    })
  )

  it.effect("does not ask for more emails if that hardly changes the chance, or if a client does not pay", () =>
    Effect.gen(function* () {
      const thin = { ...usual, emails_sent: 6000, reply_rate: 2, close_rate: 15, campaign_cost: 20_000 }
      const { recommendations } = yield* answerTo(thin)
      assert.match(
        recommendations[0] ?? "",
        /^Be prepared to win no client: 22 of 100 such campaigns win none; half have the first client after /
      )
      assert.match(recommendations[1] ?? "", /^Watch the margin: in 4\d of 100 such campaigns/)
      assert.lengthOf(recommendations, 2)
      const { recommendations: cheap } = yield* answerTo({ ...thin, campaign_cost: 6000 })
      assert.match(cheap.join("\n"), /^Be prepared to win no client: 22/)
    })
  )

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
            message: "would mean more replies than contacts: with 10 emails to each contact it must be at most 10"
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
        // 28.8 at a reply rate of 10%.
        assert.isNull(needed(29n))
      }
    })
  )
})
