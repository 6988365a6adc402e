import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { assumptionsOf } from "../../support/Samples.ts"

type Changes = Readonly<Record<string, number | string | undefined>>

/** What is recommended for the sample with changes, that which begins so; "nothing" where nothing does. */
const advice = (beginning: string, changes: Changes) =>
  Effect.map(assumptionsOf(changes), (assumptions) => {
    const { recommendations } = computeForecast(assumptions).forecast
    return recommendations.find((text) => text.startsWith(beginning)) ?? "nothing"
  })

const usualRates = { reply_rate: 3.5, positive_reply_rate: 50, meeting_booking_rate: 45, close_rate: 16 }
const noMoney = { average_deal_value: undefined, campaign_cost: undefined }

describe("advice on the rate to work on", () => {
  it.effect("says what it would bring, in money where there is any", () =>
    Effect.gen(function* () {
      const work = "Work on the meeting booking rate first: at 45 % (average, Alchemail 2025/26) instead of 20 %, "
      const brings = `${work}the same 5,000 emails would bring 8.44 clients instead of 3.75`
      for (const [changes, money] of [
        [{}, " and 11,719 more in revenue."],
        [{ campaign_cost: undefined }, " and 11,719 more in revenue."],
        [noMoney, "."],
        [{ average_deal_value: 0, campaign_cost: undefined }, "."],
        // 2.25 times 9,375 is 21,093.75.
        [{ campaign_cost: 21_093.75 }, " and leave 0 after the cost."],
        [{ campaign_cost: 21_093.74 }, " and leave 0.01 after the cost."],
        [{ campaign_cost: 21_094 }, ", still 0.25 short of the cost."]
      ] as const) {
        assert.strictEqual(yield* advice("Work on", changes), brings + money)
      }
    })
  )

  it.effect("compares in the unit of the request: per email, and per meeting that is held", () =>
    Effect.gen(function* () {
      assert.match(
        yield* advice("Work on", { ...usualRates, reply_rate: 0.6, emails_per_contact: 3, emails_sent: 18_000 }),
        /^Work on the reply rate first: at 1\.14 % \(3\.43 % of contacts on average, at 3 emails each, Instantly 2026\) instead of 0\.6 %, /
      )
      assert.match(
        yield* advice("Work on", { close_rate: 10, show_rate: 50, emails_sent: 18_000 }),
        /^Work on the close rate first: at 30 % \(15 % of booked meetings, the middle of 10 to 20 % for outbound, Wryko 2026\) instead of 10 %, /
      )
    })
  )

  it.effect("is none where hardly anybody would be won", () =>
    Effect.gen(function* () {
      // 2.25 times 0.00075 clients an email: 0.0068 of 4 emails, 0.0101 of 6.
      assert.strictEqual(yield* advice("Work on", { ...noMoney, emails_sent: 4 }), "nothing")
      assert.include(yield* advice("Work on", { ...noMoney, emails_sent: 6 }), "would bring 0.01 clients instead of")
    })
  )

  it.effect("asks for emails_per_contact where that would make a low reply rate usual, unless it is given", () =>
    Effect.gen(function* () {
      const note = (changes: Changes) => advice("Raise the reply rate", { emails_sent: 18_000, ...changes })
      assert.include(yield* note({ reply_rate: 0.5 }), "at 3, 0.5 % of emails is 1.5 % of contacts, which is usual.")
      assert.include(yield* note({ reply_rate: 0.25 }), "at 6, 0.25 % of emails is 1.5 % of contacts, which is usual.")
      for (const changes of [{ reply_rate: 0.2499 }, { reply_rate: 0.6, emails_per_contact: 2 }]) {
        assert.match(yield* note(changes), /more in revenue\.$/)
      }
    })
  )
})

describe("advice on ways to break even", () => {
  it.effect("names no rate above 100 %, however few meetings are held", () =>
    Effect.gen(function* () {
      // The close rate would have to be 133.34 %; a tenth of that is of booked meetings.
      const text = yield* advice("To break even", { show_rate: 10, campaign_cost: 5000 })
      assert.notInclude(text, "the close rate")
      assert.include(text, "the deal value from 2,500 to")
    })
  )
})

describe("advice on chance", () => {
  const start = "Do not count on a client: "
  const exact = { spread: "none" }

  it.effect("sends more only for a gain that is known, and as many as can be sent in a month", () =>
    Effect.gen(function* () {
      assert.include(yield* advice("Send at least", { ...exact, emails_sent: 500 }), "Send at least 2,146 emails")
      // By the reference arithmetic there is no client in 0.199965 of campaigns of 3,051 emails, in 0.200042 of 3,050.
      assert.include(yield* advice("Send at least", { emails_sent: 500 }), "Send at least 3,051 emails rather than 500")
      const free = yield* advice(start, { ...exact, emails_sent: 500, campaign_cost: 0 })
      assert.include(free, "69 of 100 such campaigns win none")
      // A tenth of the close rate takes ten times the emails: more than 18,000.
      assert.strictEqual(
        yield* advice(start, { ...exact, close_rate: 2.5, average_deal_value: 25_000 }),
        `${start}69 of 100 such campaigns win none. Judge the campaign by its 250 expected replies instead.`
      )
    })
  )

  it.effect("judges by replies from 10 on, else says how many emails would do, if any do", () =>
    Effect.gen(function* () {
      for (const [changes, judge] of [
        [{ emails_sent: 200 }, " Judge the campaign by its 10 expected replies instead."],
        [{ emails_sent: 199 }, " With 2,146 emails it would be 20 of 100."],
        [{ emails_sent: 199, close_rate: 2.5 }, ""]
      ] as const) {
        const text = yield* advice(start, { ...noMoney, ...exact, ...changes })
        assert.strictEqual(text.replace(/^.* of 100 such campaigns win none\./, ""), judge)
      }
    })
  )
})
