import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { coverCost, margin } from "../../../src/forecast/advice/Money.ts"
import type { Advice } from "../../../src/forecast/advice/Advice.ts"
import { assessedCampaignOf } from "../../support/Samples.ts"

/** The advice on the sample with changes. */
const adviceText = (advice: Advice, changes: Readonly<Record<string, number | undefined>>) =>
  Effect.map(assessedCampaignOf(changes), (campaign) => advice(campaign) ?? "nothing")

const certain = { positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

describe("advice on how to break even", () => {
  it.effect("gives up on a campaign that costs more than ten times what it brings", () =>
    Effect.gen(function* () {
      const low = { close_rate: 2.5 }
      assert.match(
        yield* adviceText(coverCost, { ...low, campaign_cost: 9375 }),
        /^This campaign loses money: .* change one of these: /
      )
      assert.strictEqual(
        yield* adviceText(coverCost, { ...low, campaign_cost: 9375.01 }),
        "Do not run this campaign as it is: in more than 99 of 100 such campaigns the revenue does not cover the cost of 9,375.01; on average the revenue is 938. To break even on average, rates and deal value together would have to be 11 times as high, or the cost as many times lower."
      )
      for (const changes of [{}, { campaign_cost: undefined }, { average_deal_value: undefined }]) {
        assert.strictEqual(yield* adviceText(coverCost, changes), "nothing")
      }
    })
  )

  it.effect("names rates up to published ones", () =>
    Effect.gen(function* () {
      // 3.79 times the revenue of 1,875 takes a reply rate of 3.79%, which one in ten campaigns reaches.
      const one = { reply_rate: 1, positive_reply_rate: 10 }
      assert.include(
        yield* adviceText(coverCost, { ...one, campaign_cost: 2368.75 }),
        "the reply rate from 1% to 3.79%, "
      )
      assert.notInclude(yield* adviceText(coverCost, { ...one, campaign_cost: 2368.76 }), "the reply rate")
      // The only measured positive reply rate is 14.1%.
      assert.include(
        yield* adviceText(coverCost, { ...one, campaign_cost: 881.25 }),
        "the positive reply rate from 10% to 14.1%, "
      )
      assert.notInclude(yield* adviceText(coverCost, { ...one, campaign_cost: 881.26 }), "the positive reply rate")
    })
  )

  it.effect("names no rate that rests on replies that may be automatic", () =>
    Effect.gen(function* () {
      const automatic = { reply_rate: 3, positive_reply_rate: 5, campaign_cost: 1000 }
      assert.match(
        yield* adviceText(coverCost, automatic),
        /one of these: the meeting booking rate from 20% to 21\.34%, the close rate from 25% to 26\.67%, the deal value/
      )
      const far = yield* adviceText(coverCost, { ...automatic, campaign_cost: 5000 })
      assert.match(far, /one of these: the deal value from 2,500 to 13,400 or the cost from 5,000 to 937\.$/)
    })
  )

  it.effect("shows cost and revenue with hundredths where they would look equal", () =>
    Effect.gen(function* () {
      assert.include(
        yield* adviceText(coverCost, { campaign_cost: 9375.01 }),
        "the revenue does not cover the cost of 9,375.01; on average the revenue is 9,375. "
      )
    })
  )

  it.effect("names a deal value and a cost that a request may contain", () =>
    Effect.gen(function* () {
      const expensive = { ...certain, campaign_cost: 1_000_000_000, emails_sent: 1 }
      const without =
        "Enter what a client is worth: with a deal value of 0 the campaign costs 1,000,000,000 and brings in nothing"
      assert.strictEqual(
        yield* adviceText(coverCost, { ...expensive, reply_rate: 100, average_deal_value: 0 }),
        `${without}; it breaks even on average at 1,000,000,000 per client.`
      )
      assert.strictEqual(
        yield* adviceText(coverCost, { ...expensive, reply_rate: 99, average_deal_value: 0 }),
        `${without}.`
      )
      const half = { ...expensive, reply_rate: 100, close_rate: 50 }
      assert.include(
        yield* adviceText(coverCost, { ...half, average_deal_value: 1_000_000_000 }),
        "change one of these: the cost from 1,000,000,000 to 500,000,000. No rate"
      )
      assert.include(
        yield* adviceText(coverCost, { ...half, campaign_cost: 500_000_000, average_deal_value: 999_000_000 }),
        "change one of these: the deal value from 999,000,000 to 1,000,000,000 or the cost from 500,000,000 to 499,000,000. No rate"
      )
      // 0.00075 clients bring 0.006: nothing that can be paid.
      assert.notInclude(
        yield* adviceText(coverCost, { emails_sent: 1, average_deal_value: 8, campaign_cost: 0.05 }),
        "the cost from"
      )
    })
  )
})

describe("advice on the margin", () => {
  it.effect("says how often the cost is not covered, and then at which rate it is covered on average", () =>
    Effect.gen(function* () {
      const watch = (chance: string, rate: string, cost: string) =>
        `Watch the margin: in ${chance} such campaigns the revenue does not cover the cost. On average it does with a reply rate of at least ${rate}% (now 5%) or a cost of at most ${cost}.`
      assert.strictEqual(yield* adviceText(margin, {}), watch("2 of 100", "0.32", "9,370"))
      assert.strictEqual(
        yield* adviceText(margin, { emails_sent: 1, average_deal_value: 1.6, campaign_cost: 0.0006 }),
        watch("more than 99 of 100", "2.5", "0.0012")
      )
    })
  )

  it.effect("is absent if one of its figures is missing or 0", () =>
    Effect.gen(function* () {
      for (const missing of [undefined, 0]) {
        for (const field of ["average_deal_value", "campaign_cost"]) {
          assert.strictEqual(yield* adviceText(margin, { [field]: missing }), "nothing")
        }
      }
    })
  )
})
