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
  /** Rates of which the reply rate alone is behind: 5,000 × 1.14% × 50% × 45% × 20% is 2.565 clients, 1.5 times fewer. */
  const behind = { ...usualRates, reply_rate: 1.14 }

  it.effect("says what a measured rate would bring, in money if there is a deal value", () =>
    Effect.gen(function* () {
      const work =
        "Work on the reply rate: at 1.71% (measured median of 556 campaigns, Clientium 2026, CC BY 4.0, clientium.it/osservatorio/) instead of 1.14%, "
      const brings = `${work}the same 5,000 emails would bring 3.85 clients instead of 2.57`
      for (const [changes, money] of [
        [{}, " and 3,200 more in revenue."],
        [{ campaign_cost: undefined }, " and 3,200 more in revenue."],
        [noMoney, "."],
        [{ average_deal_value: 0, campaign_cost: undefined }, "."],
        // 1.5 times 6,412.50 is 9,618.75.
        [{ campaign_cost: 9618.75 }, " and leave 0 after the cost."],
        [{ campaign_cost: 9619 }, ", still 0.25 short of the cost."],
        // Short by a tenth of the cost at most.
        [{ campaign_cost: 10_687.5 }, ", still 1,070 short of the cost."]
      ] as const) {
        assert.strictEqual(yield* advice("Work on", { ...behind, ...changes }), brings + money)
      }
      assert.strictEqual(yield* advice("Work on", { ...behind, campaign_cost: 10_687.51 }), "nothing")
    })
  )

  it.effect("does not blame the reply rate for bounces", () =>
    Effect.gen(function* () {
      const bounced = { ...usualRates, emails_sent: 18_000 }
      assert.match(
        yield* advice("Raise", { ...bounced, reply_rate: 1.6, delivery_rate: 60 }),
        /^Raise the reply rate of 1\.6% \(0\.96% of emails sent\): .* At 1\.77% \(1\.71% of emails sent where 96\.86% arrive, measured median of 556 campaigns, /
      )
      // A usual share of those delivered replies; the campaign lacks deliveries.
      assert.strictEqual(yield* advice("Raise", { ...bounced, reply_rate: 3, delivery_rate: 30 }), "nothing")
      assert.include(yield* advice("Verify", { ...bounced, reply_rate: 3, delivery_rate: 30 }), "70% of the emails")
    })
  )

  it.effect("compares in the unit of the request: per email, and per held meeting", () =>
    Effect.gen(function* () {
      assert.match(
        yield* advice("Raise", { ...usualRates, reply_rate: 0.6, emails_per_contact: 3, emails_sent: 18_000 }),
        /^Raise the reply rate of 0\.6%: .* At 1\.14% \(3\.43% of contacts at 3 emails each, measured mean, Instantly 2026, quoted by another\), /
      )
      assert.include(
        yield* advice("You have", { ...usualRates, close_rate: 10, show_rate: 80, emails_sent: 18_000 }),
        "a close rate of 10% where plans count on 31.25% (25% of booked meetings, planning figure, the middle of 20 to 30% for deals below 5,000 USD, important-emails.com): change who is invited"
      )
    })
  )

  it.effect(
    "compares a close rate with that of deals of the same size, and promises nothing that nobody measured",
    () =>
      Effect.gen(function* () {
        const planned = (value: number, band: string, deals: string) =>
          `${value}% (planning figure, the middle of ${band} for deals ${deals}, important-emails.com)`
        const unknown = "15% (planning figure, the middle of 10 to 20%, Wryko 2026, quoted by another)"
        for (const [average_deal_value, reference] of [
          [undefined, unknown],
          [0, unknown],
          [4999.99, planned(25, "20 to 30%", "below 5,000 USD")],
          [5000, planned(20, "15 to 25%", "of 5,000 to 20,000 USD")],
          [20_000, planned(20, "15 to 25%", "of 5,000 to 20,000 USD")],
          [20_001, planned(15, "10 to 20%", "of 20,000 to 100,000 USD")],
          [100_000, planned(15, "10 to 20%", "of 20,000 to 100,000 USD")],
          [100_001, planned(10, "5 to 15%", "above 100,000 USD")]
        ] as const) {
          assert.strictEqual(
            yield* advice("You have", { ...usualRates, close_rate: 5, average_deal_value, campaign_cost: undefined }),
            `You have a close rate of 5% where plans count on ${reference}: change who is invited to meetings or what is offered there.`
          )
        }
      })
  )

  it.effect("prefers measured figures to planning figures, and ignores small differences", () =>
    Effect.gen(function* () {
      const both = { reply_rate: 1.5, meeting_booking_rate: 20, close_rate: 10 }
      assert.match(yield* advice("Work on", both), /^Work on the reply rate: at 1\.71% \(measured median/)
      assert.strictEqual(yield* advice("Before", both), "nothing")
      assert.include(yield* advice("You have", { ...both, reply_rate: 1.54 }), "You have a close rate of 10%")
      assert.include(
        yield* advice("You have", { ...usualRates, meeting_booking_rate: 33.74, close_rate: 20 }),
        "a meeting booking rate of 33.74%"
      )
      assert.strictEqual(
        yield* advice("You have", { ...usualRates, meeting_booking_rate: 33.75, close_rate: 18.75 }),
        "nothing"
      )
    })
  )

  it.effect("is absent if it would win almost no clients", () =>
    Effect.gen(function* () {
      // 1.71% × 50% × 45% × 20%: 0.1993 clients of 259 emails, 0.2001 of 260.
      assert.strictEqual(yield* advice("Work on", { ...behind, ...noMoney, emails_sent: 259 }), "nothing")
      assert.include(
        yield* advice("Work on", { ...behind, ...noMoney, emails_sent: 260 }),
        "would bring 0.2 clients instead of"
      )
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
  // Of 2,500 emails a client each.
  const exact = { spread: "none", reply_rate: 2, positive_reply_rate: 50, meeting_booking_rate: 20, close_rate: 20 }

  it.effect("recommends more emails only for a known gain, and at most three times as many", () =>
    Effect.gen(function* () {
      const send = "Send "
      // (1 − 0.0004)^4023 is just below 20%; a third of that is 1,341.
      assert.include(yield* advice(send, { ...exact, emails_sent: 1341 }), "Send 4,023 emails rather than 1,341: ")
      for (const changes of [
        { emails_sent: 1340 },
        { emails_sent: 1341, campaign_cost: 0 },
        { emails_sent: 1341, campaign_cost: undefined },
        { emails_sent: 1341, average_deal_value: undefined },
        // Three of four clients have to be won to pay for it.
        { emails_sent: 1341, average_deal_value: 1200 },
        // A reply rate that hardly anybody reaches.
        { emails_sent: 1341, reply_rate: 4, close_rate: 10 },
        // A list on which many emails bounce.
        { emails_sent: 1341, delivery_rate: 93, reply_rate: 2.15 }
      ]) {
        assert.strictEqual(yield* advice(send, { ...exact, ...changes }), "nothing", JSON.stringify(changes))
      }
    })
  )

  it.effect(
    "takes a small campaign as a test if its reply rate is the unknown one, and says which number would be bad",
    () =>
      Effect.gen(function* () {
        const varying = { ...noMoney, ...exact, spread: "published" }
        const takes = "half have the first client after 2,015 emails, 80 of 100 after 5,784"
        const byChance = "half have the first client after 1,733 emails, 80 of 100 after 4,023"
        for (const [beginning, changes, text] of [
          [
            "Take this",
            { emails_sent: 800 },
            `campaign as a test of the reply rate: 74 of 100 such campaigns win no client; ${takes}. Fewer than 4 replies would be bad: at most 10 of 100 such campaigns get so few.`
          ],
          [
            "Do not count on a client: ",
            { emails_sent: 800, spread: "none" },
            `73 of 100 such campaigns win none; ${byChance}.`
          ],
          ["Do not count on a client: ", { emails_sent: 100 }, `96 of 100 such campaigns win none; ${takes}.`],
          ["Be prepared to win no client: ", { emails_sent: 4000 }, `30 of 100 such campaigns win none; ${takes}.`]
        ] as const) {
          const said = yield* advice(beginning, { ...varying, ...changes })
          assert.strictEqual(said.slice(beginning.length).trim(), text)
        }
      })
  )
})
