import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Advice } from "../../../src/forecast/advice/Advice.ts"
import { checkOptimism } from "../../../src/forecast/advice/DoubtfulRates.ts"
import { askAboutUnits as askAbout } from "../../../src/forecast/advice/Units.ts"
import { assessedCampaignOf } from "../../support/Samples.ts"

type Changes = Readonly<Record<string, number | undefined>>

/** The advice on the sample with changes. */
const adviceText = (advice: Advice, changes: Changes) => Effect.map(assessedCampaignOf(changes), advice)

describe("advice on rates that are too good", () => {
  it.effect("says what is published, and what would be left at that rate, in the unit of the request", () =>
    Effect.gen(function* () {
      for (const [changes, expected] of [
        [
          // 10.7% of contacts are 2.67% of four emails each.
          { reply_rate: 3, emails_per_contact: 4 },
          "Check the reply rate of 3% (12% of contacts at 4 emails each): only the best tenth of senders gets more than 10.7% of contacts (Instantly 2026, quoted by another). At 2.67%, the campaign would bring 2 clients instead of 2.25, an ROI of 8.3 instead of 9.4. If 3% is already per contact, set reply_rate to 0.75."
        ],
        [
          { reply_rate: 12, emails_per_contact: 1, campaign_cost: undefined },
          "Check the reply rate of 12%: that is more replies than 99 of 100 published campaigns get (half of them get fewer than 1.71%: Clientium 2026, CC BY 4.0, clientium.it/osservatorio/). At 1.71%, the campaign would bring 1.28 clients instead of 9."
        ],
        [
          // 1.71% of emails are 1.74% of those delivered.
          { delivery_rate: 98, emails_per_contact: 1 },
          "Check the reply rate of 5% (4.9% of emails sent): that is more replies than 97 of 100 published campaigns get (half of them get fewer than 1.71% of emails sent, about 1.74% of those delivered: Clientium 2026, CC BY 4.0, clientium.it/osservatorio/). At 1.74%, the campaign would bring 1.28 clients instead of 3.68, an ROI of 5.3 instead of 15.3."
        ],
        [
          // 30% of booked meetings are 37.5% of 12 held ones.
          { reply_rate: 3, close_rate: 40, show_rate: 80 },
          "Check the close rate of 40% (32% of booked meetings where 80% of them are held): the highest planning figure is 30% of booked meetings (important-emails.com). At 37.5%, the campaign would bring 2.7 clients instead of 2.88, an ROI of 11.3 instead of 12."
        ],
        [
          // If money is lost, other advice covers that.
          { positive_reply_rate: 70, emails_per_contact: 1, campaign_cost: 50_000 },
          "Check the reply rate of 5%: that is more replies than 97 of 100 published campaigns get (half of them get fewer than 1.71%: Clientium 2026, CC BY 4.0, clientium.it/osservatorio/); and the positive reply rate of 70%: the highest planning figure is 60% of replies (Alchemail 2025/26). At 1.71% and 60%, the campaign would bring 2.57 clients instead of 8.75."
        ],
        [
          { reply_rate: 3, close_rate: 40, emails_sent: 1 },
          "Check the close rate of 40%: the highest planning figure is 30% of booked meetings (important-emails.com)."
        ]
      ] as const) {
        assert.strictEqual(yield* adviceText(checkOptimism, changes), expected)
      }
      assert.isUndefined(yield* adviceText(checkOptimism, { reply_rate: 3.79 }))
    })
  )
})

const askAboutUnits: Advice = ({ plan }) => askAbout(plan)

describe("advice on units", () => {
  it.effect("says what rates that look like fractions would bring as percentages", () =>
    Effect.gen(function* () {
      for (const [changes, expected] of [
        [
          { delivery_rate: 0.95 },
          "Check the unit of the delivery rate: 0.95% looks like a fraction. If you meant 95%, enter 95: 5,000 emails would bring 3.56 clients instead of 0.04."
        ],
        [
          { show_rate: 0.8 },
          "Check the unit of the show rate: 0.8% looks like a fraction. If you meant 80%, enter 80: 5,000 emails would bring 3 clients instead of 0.03."
        ],
        [
          { close_rate: 0.25, emails_sent: 1 },
          "Check the unit of the close rate: 0.25% looks like a fraction. If you meant 25%, enter 25: 1 email would bring fewer than 0.01 clients."
        ]
      ] as const) {
        assert.strictEqual(yield* adviceText(askAboutUnits, changes), expected)
      }
      // Even if it raises no flag.
      for (const rate of ["delivery_rate", "show_rate"]) {
        assert.match((yield* adviceText(askAboutUnits, { [rate]: 0.9 })) ?? "nothing", /^Check the unit of the /)
      }
    })
  )

  it.effect("names the rates that look like fractions, and no others", () =>
    Effect.gen(function* () {
      const all = { reply_rate: 0.05, positive_reply_rate: 0.3, meeting_booking_rate: 1, close_rate: 0.25 }
      const named = (changes: Changes) =>
        Effect.map(adviceText(askAboutUnits, changes), (text) => /of the (.*?): /.exec(text ?? "")?.[1])
      const four = "reply rate, positive reply rate, meeting booking rate and close rate"
      assert.strictEqual(yield* named(all), four)
      assert.strictEqual(yield* named({ ...all, delivery_rate: 95 }), four)
      assert.strictEqual(
        yield* named({ ...all, meeting_booking_rate: 0.4, close_rate: 0 }),
        "reply rate, positive reply rate and meeting booking rate"
      )
      // A reply rate below 1% is usual, unless two others look like fractions too.
      assert.isUndefined(yield* named({ reply_rate: 0.5 }))
      assert.strictEqual(yield* named({ reply_rate: 0.5, close_rate: 0.25 }), "close rate")
      assert.strictEqual(
        yield* named({ reply_rate: 0.5, positive_reply_rate: 0.3, close_rate: 0.25 }),
        "reply rate, positive reply rate and close rate"
      )
      for (const [close_rate, expected] of [
        [0.0099, undefined],
        [0.01, "close rate"],
        [0.99, "close rate"],
        [1, undefined]
      ] as const) {
        assert.strictEqual(yield* named({ close_rate }), expected)
      }
    })
  )
})
