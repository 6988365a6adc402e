import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { assumptionsOf } from "../../support/Samples.ts"

type Row = readonly [emails: number, replies: number]

const usual = { positive_reply_rate: 14, meeting_booking_rate: 45, average_deal_value: 6000, campaign_cost: 800 }

const adviceAfter = (
  rows: ReadonlyArray<Row>,
  changes: Readonly<Record<string, number | string>> = {},
  more: { readonly delivered?: number } = {}
) =>
  Effect.map(assumptionsOf({ ...usual, ...changes }), (plan) => {
    const history = rows.map(([emails_sent, replies]) => ({ emails_sent, replies, ...more }))
    return computeForecast({ ...plan, history }).forecast.recommendations
  })

const asks = (advice: ReadonlyArray<string>) => advice.some((text) => text.includes("past campaigns arrive?"))

describe("advice after campaigns without replies", () => {
  it.effect("asks first whether the emails arrived, and advises nothing that rests on it", () =>
    Effect.gen(function* () {
      const advice = yield* adviceAfter([
        [2000, 0],
        [3000, 1],
        [4000, 1]
      ])
      assert.strictEqual(
        advice[0],
        "Did the emails of your past campaigns arrive? 9,000 emails brought only 2 replies; so few are seen in fewer than 1 of 100 campaigns with this plan. Before you send more, send some to inboxes of your own at Gmail and Outlook, check SPF, DKIM and DMARC, and look for your domain on blocklists."
      )
      assert.match(advice[1] ?? "", /^Your past campaigns point to a reply rate of 0.17% instead of 5%/)
      assert.lengthOf(advice, 2)
      assert.match((yield* adviceAfter([[2000, 0]]))[0] ?? "", /2,000 emails brought no reply; so few/)
      const delivered = yield* adviceAfter([[2000, 0]], { delivery_rate: 97 }, { delivered: 1900 })
      assert.match(delivered[0] ?? "", /1,900 delivered emails brought no reply/)
    })
  )

  it.effect("does not ask where so few replies are not rare, by the plan or as published, or nothing is known", () =>
    Effect.gen(function* () {
      assert.isFalse(asks(yield* adviceAfter([[100, 0]])))
      // The plan is too high, but a quarter of published campaigns get fewer than 1%.
      assert.isFalse(asks(yield* adviceAfter([[10_000, 90]], { reply_rate: 10 })))
      // As few as in this plan.
      assert.isFalse(asks(yield* adviceAfter([[9000, 2]], { reply_rate: 0.02 })))
      assert.isTrue(asks(yield* adviceAfter([[9000, 2]], { spread: "none" })))
      assert.isFalse(asks(yield* adviceAfter([[10_000, 500]])))
    })
  )

  it.effect("asks about units before that", () =>
    Effect.gen(function* () {
      const rates = { reply_rate: 0.05, positive_reply_rate: 0.14, meeting_booking_rate: 0.45, close_rate: 0.2 }
      assert.match((yield* adviceAfter([[90_000, 0]], rates))[0] ?? "", /^Check the unit/)
    })
  )
})
