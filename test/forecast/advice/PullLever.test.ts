import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { assumptionsOf } from "../../support/Samples.ts"

type Changes = Readonly<Record<string, number | string | undefined>>

/** The recommendation for the sample with changes that starts like this; "nothing" if there is none. */
const advice = (beginning: string, changes: Changes) =>
  Effect.map(assumptionsOf(changes), (assumptions) => {
    const { recommendations } = computeForecast(assumptions).forecast
    return recommendations.find((text) => text.startsWith(beginning)) ?? "nothing"
  })

const usualRates = { reply_rate: 3.5, positive_reply_rate: 50, meeting_booking_rate: 45, close_rate: 20 }
const noMoney = { average_deal_value: undefined, campaign_cost: undefined }

describe("advice on the rate to work on", () => {
  it.effect("says what it would bring, in money if there is a deal value", () =>
    Effect.gen(function* () {
      const work = "Work on the meeting booking rate: at 45% (planning figure, Alchemail 2025/26) instead of 20%, "
      const brings = `${work}the same 5,000 emails would bring 8.44 clients instead of 3.75`
      for (const [changes, money] of [
        [{}, " and 11,719 more in revenue."],
        [{ campaign_cost: undefined }, " and 11,719 more in revenue."],
        [noMoney, "."],
        [{ average_deal_value: 0, campaign_cost: undefined }, "."],
        // 2.25 times 9,375 is 21,093.75.
        [{ campaign_cost: 21_093.75 }, " and leave 0 after the cost."],
        [{ campaign_cost: 21_093.74 }, " and leave 0.01 after the cost."],
        [{ campaign_cost: 21_094 }, ", still 0.25 short of the cost."],
        // Short by a tenth of the cost at most.
        [{ campaign_cost: 23_437.5 }, ", still 2,344 short of the cost."]
      ] as const) {
        assert.strictEqual(yield* advice("Work on", changes), brings + money)
      }
      assert.strictEqual(yield* advice("Work on", { campaign_cost: 23_437.51 }), "nothing")
    })
  )

  it.effect("compares in the unit of the request: per email, and per held meeting", () =>
    Effect.gen(function* () {
      assert.match(
        yield* advice("Raise", { ...usualRates, reply_rate: 0.6, emails_per_contact: 3, emails_sent: 18_000 }),
        /^Raise the reply rate of 0\.6%: .* At 1\.14% \(3\.43% of contacts at 3 emails each, measured mean, Instantly 2026, quoted by another\), /
      )
      assert.match(
        yield* advice("Work on", { ...usualRates, close_rate: 10, show_rate: 80, emails_sent: 18_000 }),
        /^Work on the close rate: at 31\.25% \(25% of booked meetings, planning figure, the middle of 20 to 30% for deals below 5,000 USD, important-emails\.com\) instead of 10%, /
      )
    })
  )

  it.effect("compares a close rate with that of deals of the same size", () =>
    Effect.gen(function* () {
      for (const [average_deal_value, reference] of [
        [undefined, "15% (the middle of a published 10 to 20%, Wryko 2026)"],
        [0, "15% (the middle of a published 10 to 20%, Wryko 2026)"],
        [4999.99, "25% (planning figure, the middle of 20 to 30% for deals below 5,000 USD, important-emails.com)"],
        [5000, "20% (planning figure, the middle of 15 to 25% for deals of 5,000 to 20,000 USD, important-emails.com)"],
        [
          20_000,
          "20% (planning figure, the middle of 15 to 25% for deals of 5,000 to 20,000 USD, important-emails.com)"
        ],
        [
          20_001,
          "15% (planning figure, the middle of 10 to 20% for deals of 20,000 to 100,000 USD, important-emails.com)"
        ],
        [
          100_000,
          "15% (planning figure, the middle of 10 to 20% for deals of 20,000 to 100,000 USD, important-emails.com)"
        ],
        [100_001, "10% (planning figure, the middle of 5 to 15% for deals above 100,000 USD, important-emails.com)"]
      ] as const) {
        assert.include(
          yield* advice("Work on", { ...usualRates, close_rate: 5, average_deal_value, campaign_cost: undefined }),
          `Work on the close rate: at ${reference} instead of 5%`
        )
      }
    })
  )

  it.effect("prefers measured figures to planning figures, and ignores small differences", () =>
    Effect.gen(function* () {
      const behind = { reply_rate: 1.5, meeting_booking_rate: 20, close_rate: 10 }
      assert.match(yield* advice("Work on", behind), /^Work on the reply rate: at 1\.71% \(measured median/)
      assert.match(yield* advice("Work on", { ...behind, reply_rate: 1.54 }), /^Work on the close rate: /)
      assert.match(
        yield* advice("Work on", { ...usualRates, meeting_booking_rate: 33.74, close_rate: 20 }),
        /^Work on the meeting/
      )
      assert.strictEqual(
        yield* advice("Work on", { ...usualRates, meeting_booking_rate: 33.75, close_rate: 18.75 }),
        "nothing"
      )
    })
  )

  it.effect("is absent if it would win almost no clients", () =>
    Effect.gen(function* () {
      // 2.25 times 0.00075 clients an email: 0.199 of 118 emails, 0.2008 of 119.
      assert.strictEqual(yield* advice("Work on", { ...noMoney, emails_sent: 118 }), "nothing")
      assert.include(yield* advice("Work on", { ...noMoney, emails_sent: 119 }), "would bring 0.2 clients instead of")
    })
  )
})

describe("advice on ways to break even", () => {
  it.effect("names no rate above 100%, however few meetings are held", () =>
    Effect.gen(function* () {
      // The close rate would have to be 133.34%; a tenth of that is of booked meetings.
      const text = yield* advice("This campaign loses money", { show_rate: 10, campaign_cost: 5000 })
      assert.notInclude(text, "the close rate")
      assert.include(text, "the deal value from 2,500 to")
    })
  )
})

describe("advice on chance", () => {
  const exact = { spread: "none" }

  it.effect("recommends more emails only for a known gain, and at most three times as many", () =>
    Effect.gen(function* () {
      const send = "Send "
      assert.include(yield* advice(send, { ...exact, emails_sent: 716 }), "Send 2,146 emails rather than 716: ")
      for (const changes of [
        { emails_sent: 715 },
        { emails_sent: 716, campaign_cost: 0 },
        { emails_sent: 716, campaign_cost: undefined },
        { emails_sent: 716, average_deal_value: undefined },
        // Three of four clients have to be won to pay for it.
        { emails_sent: 716, average_deal_value: 1200 },
        // An unrealistic reply rate.
        { emails_sent: 716, reply_rate: 11, close_rate: 11 },
        // More than can be sent in a month.
        { emails_sent: 7160, close_rate: 2.4, average_deal_value: 25_000 }
      ]) {
        assert.strictEqual(yield* advice(send, { ...exact, ...changes }), "nothing", JSON.stringify(changes))
      }
    })
  )

  it.effect("says how many emails a client takes, and judges a test by its replies, from 10 replies on", () =>
    Effect.gen(function* () {
      const doubt = "Do not count on a client: "
      const takes = "a client takes about 1,333 emails on average"
      for (const [beginning, changes, text] of [
        [
          "Take this",
          { emails_sent: 200 },
          `campaign as a test of the reply rate: ${takes}, and 86 of 100 such campaigns win none. Judge it by its 10 expected replies.`
        ],
        [doubt, { emails_sent: 199 }, `86 of 100 such campaigns win none, and ${takes}.`],
        ["Be prepared to win no client: ", { emails_sent: 2000 }, `22 of 100 such campaigns win none, and ${takes}.`]
      ] as const) {
        const said = yield* advice(beginning, { ...noMoney, ...exact, ...changes })
        assert.strictEqual(said.slice(beginning.length).trim(), text)
      }
    })
  )
})
