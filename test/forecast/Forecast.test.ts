import { compare, isZero, showExact, times, whole } from "../../src/forecast/Decimal.ts"
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Schema } from "effect"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { Forecast } from "../../src/forecast/ForecastAnswer.ts"
import { assumptions } from "../support/Arbitraries.ts"
import { campaignOf } from "../support/Campaigns.ts"
import { assumptionsOf, decodeText } from "../support/Samples.ts"
import spread from "../vectors/spread.json" with { type: "json" }
import vectors from "../vectors/forecast.json" with { type: "json" }

const forecastOf = (text: string) => Effect.map(decodeText(text), (decoded) => computeForecast(decoded).forecast)

const varying = [
  ...spread.published.map(({ outlook, request }) => ({ more: request, expected: outlook, name: "" })),
  ...spread.history.map(({ history, outlook, request }) => ({
    more: { ...request, history },
    expected: outlook,
    name: `, ${history.length} past campaigns`
  }))
].map((each) => ({ ...each, name: `${each.more.emails_sent} emails${each.name}` }))

describe("computeForecast", () => {
  for (const { name, request, response } of vectors) {
    it.effect(`is exact to the digit: ${name}`, () =>
      Effect.gen(function* () {
        const forecast: Readonly<Record<string, unknown>> = yield* forecastOf(JSON.stringify(request))
        assert.deepStrictEqual({ ...forecast, ...response }, forecast)
      })
    )
  }

  for (const { expected, more, name } of varying) {
    it.effect(`agrees with the reference outlook if rates vary: ${name}`, () =>
      Effect.gen(function* () {
        const { outlook } = yield* forecastOf(JSON.stringify(more))
        for (const stage of ["replies", "positive_replies", "meetings", "clients"] as const) {
          const { chance_within, expected: mean, high, low, median, none } = expected[stage]
          const { chance_within: within, expected: actual, ...quantiles } = outlook[stage]
          assert.deepStrictEqual(quantiles, { low, median, high }, stage)
          assert.closeTo(within, chance_within, 5.1e-5, stage)
          assert.closeTo(actual, mean, 5.1e-5 + 1e-5 * mean, stage)
          if (stage === "clients") assert.closeTo(outlook.chance_of_no_client, none, 1e-4)
        }
      })
    )
  }

  it.effect("accepts 1e3 and 1000.0 as integers", () =>
    Effect.gen(function* () {
      const { forecast } = computeForecast(yield* assumptionsOf({ emails_sent: 1000 }))
      for (const emails of ["1e3", "1000.0", "0.1E+4"]) {
        const text = `{"emails_sent":${emails},"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25,"average_deal_value":2500,"campaign_cost":600}`
        assert.deepStrictEqual(yield* forecastOf(text), forecast)
      }
    })
  )

  it.effect("computes replies from delivered emails and clients from held meetings, exactly", () =>
    Effect.gen(function* () {
      const { forecast, funnel } = computeForecast(yield* assumptionsOf({ delivery_rate: 94.9, show_rate: 80 }))
      assert.deepStrictEqual(
        [funnel.passed.delivery_rate, funnel.passed.show_rate].map(
          (stage) => stage && showExact(stage).replace(",", "")
        ),
        ["4745", "11.388"]
      )
      assert.strictEqual(forecast.estimated_replies, 237.25)
      assert.strictEqual(forecast.estimated_clients, 2.847)
      const all = computeForecast(yield* assumptionsOf({ delivery_rate: 100, show_rate: 100 }))
      const none = computeForecast(yield* assumptionsOf({}))
      assert.strictEqual(all.forecast.estimated_revenue, none.forecast.estimated_revenue)
      assert.deepStrictEqual([none.funnel.passed.delivery_rate, none.funnel.passed.show_rate], [undefined, undefined])
    })
  )

  it.prop("returns an encodable forecast for every valid request, the same each time", [assumptions], ([input]) => {
    const { forecast } = computeForecast(input)
    assert.deepStrictEqual(Schema.encodeSync(Forecast)(forecast), forecast)
    assert.strictEqual(JSON.stringify(computeForecast(input).forecast), JSON.stringify(forecast))
    for (const sentence of [...forecast.recommendations, ...forecast.calculation_notes]) {
      assert.notMatch(sentence, /undefined|NaN|Infinity|null null/)
    }
  })

  it.prop("has a number in each recommendation", [assumptions], ([input]) => {
    for (const sentence of computeForecast(input).forecast.recommendations) assert.match(sentence, /\d/)
  })

  it.prop("doubles every exact count when the emails double", [assumptions], ([input]) => {
    const once = computeForecast(input).funnel.passed
    const twice = computeForecast({
      ...input,
      emails_sent: BigDecimal.make(input.emails_sent.value * 2n, input.emails_sent.scale)
    }).funnel.passed
    for (const stage of ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const) {
      assert.isTrue(compare(twice[stage], times(once[stage], whole(2))) === 0)
    }
  })

  for (const rate of ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const) {
    it.prop(`never lowers revenue when the ${rate} rises`, [assumptions, assumptions], ([input, other]) => {
      const [lower, higher] = BigDecimal.isLessThan(input[rate], other[rate]) ? [input, other] : [other, input]
      const before = computeForecast({ ...input, [rate]: lower[rate] }).forecast
      const after = computeForecast({ ...input, [rate]: higher[rate] }).forecast
      assert.isAtLeast(after.estimated_revenue ?? 0, before.estimated_revenue ?? 0)
      assert.isAtLeast(after.roi_multiple ?? 0, before.roi_multiple ?? 0)
    })
  }

  it("counts delivered emails and held meetings if their rates are given", () => {
    const { forecast } = computeForecast(campaignOf({ delivery_rate: 90, show_rate: 80 }))
    assert.deepInclude(forecast, {
      estimated_delivered: 4500,
      estimated_replies: 225,
      estimated_meetings: 13.5,
      estimated_meetings_held: 10.8,
      estimated_clients: 2.7
    })
  })

  it("stands on learned rates as a whole: counts, costs, break-even and outlook", () => {
    const learned = computeForecast(campaignOf({}, { reply_rate: [31, 800], close_rate: [1, 3] })).forecast
    const { break_even, cost_per_client, estimated_clients, estimated_replies, outlook } = learned
    assert.strictEqual(estimated_replies, outlook.replies.expected)
    assert.strictEqual(estimated_clients, outlook.clients.expected)
    assert.closeTo(cost_per_client ?? 0, 600 / outlook.clients.expected, 0.02)
    assert.closeTo(break_even.campaign_cost ?? 0, learned.estimated_revenue ?? 0, 0.02)
    assert.strictEqual(outlook.basis, "history")
    assert.include(learned.calculation_notes, "Replies: 5,000 sent × 3.9024% = 195.122, rounded.")
    // 1 of 128 is 0.78125%.
    const exact = computeForecast(campaignOf({ emails_sent: 10_000_000 }, { reply_rate: [0, 108] })).forecast
    assert.include(exact.calculation_notes, "Replies: 10,000,000 sent × 0.7813% = 78,125, rounded.")
  })

  it.prop("has null for exactly those figures that cannot be computed", [assumptions], ([input]) => {
    const { forecast, funnel } = computeForecast(input)
    const { average_deal_value: dealValue, campaign_cost: cost } = input
    assert.strictEqual(forecast.estimated_revenue === null, dealValue === undefined)
    assert.strictEqual(
      forecast.roi_multiple === null,
      dealValue === undefined || cost === undefined || BigDecimal.isZero(cost)
    )
    assert.strictEqual(forecast.estimated_profit === null, dealValue === undefined || cost === undefined)
    assert.strictEqual(forecast.roi_percent === null, forecast.roi_multiple === null)
    assert.strictEqual(forecast.outlook.roi_multiple === null, forecast.roi_multiple === null)
    assert.strictEqual(forecast.outlook.chance_to_break_even === null, forecast.estimated_profit === null)
    assert.strictEqual(forecast.cost_per_client === null, cost === undefined || isZero(funnel.clients))
  })
})
