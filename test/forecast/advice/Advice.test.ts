import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Advice } from "../../../src/forecast/advice/Advice.ts"
import { checkCost, fillInMoney } from "../../../src/forecast/advice/Money.ts"
import { sendMore, spreadVolume, startSmaller } from "../../../src/forecast/advice/Emails.ts"
import { assessedCampaignOf } from "../../support/Samples.ts"

/** The advice on the sample with changes. */
const adviceText = (advice: Advice, changes: Readonly<Record<string, number | undefined>>) =>
  Effect.map(assessedCampaignOf(changes), (campaign) => advice({ ...campaign, flags: [] }))

const startsWith = (text: string | undefined, start: string) =>
  assert.strictEqual((text ?? "nothing").slice(0, start.length), start)

describe("advice on volume", () => {
  it.effect("recommends more emails only up to what 30 mailboxes send in a month", () =>
    Effect.gen(function* () {
      assert.include(yield* adviceText(sendMore, { emails_sent: 17_000 }), "so 1,000 more would bring")
      assert.include(yield* adviceText(sendMore, { emails_sent: 17_001 }), "so 999 more would bring")
      assert.include(yield* adviceText(sendMore, { emails_sent: 17_999 }), "so 1 more would bring")
      // Nor more than three times as many: a list is finite.
      assert.include(yield* adviceText(sendMore, { emails_sent: 400, campaign_cost: 1 }), "so 800 more would bring")
      for (const emails_sent of [18_000, 18_001]) assert.isUndefined(yield* adviceText(sendMore, { emails_sent }))
    })
  )

  it.effect("recommends more emails only if an email is known to bring more than it costs", () =>
    Effect.gen(function* () {
      for (const changes of [
        { average_deal_value: undefined },
        { campaign_cost: undefined },
        { campaign_cost: 9375 }
      ]) {
        assert.isUndefined(yield* adviceText(sendMore, changes), JSON.stringify(changes))
      }
    })
  )

  it.effect("spreads more than a month's emails, and plans for a month what nobody can send", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* adviceText(spreadVolume, { emails_sent: 18_000 }))
      startsWith(yield* adviceText(spreadVolume, { emails_sent: 18_001 }), "Spread the 18,001 emails over 31 mailboxes")
      const threeYears = { emails_sent: 648_000 }
      startsWith(yield* adviceText(spreadVolume, threeYears), "Spread the 648,000 emails over 1,080 mailboxes")
      assert.isUndefined(yield* adviceText(startSmaller, threeYears))
      assert.isUndefined(yield* adviceText(spreadVolume, { emails_sent: 648_001 }))
      startsWith(yield* adviceText(startSmaller, { emails_sent: 648_001 }), "Plan one month at a time")
      const nobody = { emails_sent: 1_000_000, close_rate: 0 }
      assert.include(yield* adviceText(startSmaller, nobody), "which would bring 0 clients")
      // Nor does anybody spread what should not be sent.
      const hopeless = { average_deal_value: 1, campaign_cost: 100_000 }
      for (const advice of [startSmaller, spreadVolume]) {
        assert.isUndefined(yield* adviceText(advice, { ...hopeless, emails_sent: 1_000_000 }))
        assert.isUndefined(yield* adviceText(advice, { ...hopeless, emails_sent: 20_000 }))
      }
    })
  )
})

describe("advice on money", () => {
  it.effect("gives a cost per meeting of less than a hundredth", () =>
    Effect.gen(function* () {
      const campaign = yield* assessedCampaignOf({ campaign_cost: 0.01 })
      assert.include(checkCost(campaign), "Does the cost of 0.01 leave something out? 0.00067 per meeting is far below")
    })
  )

  it.effect("gives a sufficient deal value, if a request may contain it", () =>
    Effect.gen(function* () {
      const certain = { positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }
      const expensive = { ...certain, average_deal_value: undefined, campaign_cost: 1_000_000_000 }
      const one = yield* adviceText(fillInMoney, { ...expensive, emails_sent: 1, reply_rate: 100 })
      assert.include(one, "it takes a deal value of 1,000,000,000 to break even on average")
      const less = yield* adviceText(fillInMoney, { ...expensive, emails_sent: 1, reply_rate: 99 })
      assert.include(less, "no deal value is enough")
    })
  )

  it.effect("asks for missing values, with the highest cost that is covered", () =>
    Effect.gen(function* () {
      const neither = { average_deal_value: undefined, campaign_cost: undefined }
      startsWith(yield* adviceText(fillInMoney, neither), "Add average_deal_value and campaign_cost to see")
      startsWith(
        yield* adviceText(fillInMoney, { average_deal_value: undefined, campaign_cost: 0 }),
        "Add average_deal_value and what the campaign really costs"
      )
      startsWith(
        yield* adviceText(fillInMoney, { average_deal_value: 0, campaign_cost: 0 }),
        "Enter what a client is worth: with a deal value of 0"
      )
      assert.include(
        yield* adviceText(fillInMoney, { average_deal_value: 2500.0051, campaign_cost: undefined }),
        "pays for itself on average up to a cost of 9,370."
      )
      assert.isUndefined(yield* adviceText(fillInMoney, {}))
    })
  )
})
