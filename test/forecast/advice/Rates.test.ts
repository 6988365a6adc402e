import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RiskFlag } from "../../../src/forecast/Assessment.ts"
import type { Advice } from "../../../src/forecast/advice/AssessedCampaign.ts"
import { checkOptimism, checkUnits } from "../../../src/forecast/advice/Rates.ts"
import { assessedCampaignOf } from "../../support/Samples.ts"

type Changes = Readonly<Record<string, number | undefined>>

/** The advice on the sample with changes, for the flags that it raises or for others. */
const adviceText = (advice: Advice, changes: Changes, others?: ReadonlyArray<RiskFlag>) =>
  Effect.map(assessedCampaignOf(changes), (campaign) => advice({ ...campaign, flags: others ?? campaign.flags }))

describe("advice on rates that are too good", () => {
  it.effect("says what is published, and what would be left at that rate, in the unit of the request", () =>
    Effect.gen(function* () {
      for (const [changes, expected] of [
        [
          // 10.7% of contacts are 3.57% of three emails each: 2.6775 clients.
          { emails_per_contact: 3 },
          "Check the reply rate of 5% (15% of contacts at 3 emails each): only the best tenth of senders gets more than 10.7% of contacts (Instantly 2026, quoted by another). At 3.57%, the campaign would bring 2.68 clients instead of 3.75, an ROI of 11.2 instead of 15.6. If 5% is already per contact, set reply_rate to 1.67."
        ],
        [
          { reply_rate: 12, emails_per_contact: 1, campaign_cost: undefined },
          "Check the reply rate of 12%: only the best tenth of senders gets more than 10.7% of contacts (Instantly 2026, quoted by another). At 10.7%, the campaign would bring 8.03 clients instead of 9."
        ],
        [
          // 30% of booked meetings are 37.5% of 12 held ones.
          { close_rate: 40, show_rate: 80 },
          "Check the close rate of 40% (32% of booked meetings where 80% of them are held): the highest published band ends at 30% of meetings (important-emails.com). At 37.5%, the campaign would bring 4.5 clients instead of 4.8, an ROI of 18.8 instead of 20."
        ],
        [
          // Neither contacts nor shows matter here.
          { positive_reply_rate: 70, reply_rate: 3, emails_per_contact: 3, show_rate: 100, campaign_cost: 0 },
          "Check the positive reply rate of 70%: the highest published planning figure is 60% of replies (Alchemail 2025/26). At 60%, the campaign would bring 4.5 clients instead of 5.25."
        ],
        [
          // If money is lost, other advice covers that.
          { reply_rate: 12, campaign_cost: 50_000 },
          "Check the reply rate of 12%: only the best tenth of senders gets more than 10.7% of contacts (Instantly 2026, quoted by another). At 10.7%, the campaign would bring 8.03 clients instead of 9."
        ],
        [
          { reply_rate: 12, emails_sent: 1 },
          "Check the reply rate of 12%: only the best tenth of senders gets more than 10.7% of contacts (Instantly 2026, quoted by another)."
        ]
      ] as const) {
        assert.strictEqual(yield* adviceText(checkOptimism, changes), expected)
      }
      assert.isUndefined(yield* adviceText(checkOptimism, {}))
    })
  )
})

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
        assert.strictEqual(yield* adviceText(checkUnits, changes), expected)
      }
      // Even if it raises no flag.
      for (const rate of ["delivery_rate", "show_rate"]) {
        assert.match((yield* adviceText(checkUnits, { [rate]: 0.9 }, [])) ?? "nothing", /^Check the unit of the /)
      }
    })
  )

  it.effect("names the rates that look like fractions, and no others", () =>
    Effect.gen(function* () {
      const all = { reply_rate: 0.05, positive_reply_rate: 0.3, meeting_booking_rate: 1, close_rate: 0.25 }
      const named = (changes: Changes, flags?: ReadonlyArray<RiskFlag>) =>
        Effect.map(adviceText(checkUnits, changes, flags), (text) => /of the (.*?): /.exec(text ?? "")?.[1])
      const four = "reply rate, positive reply rate, meeting booking rate and close rate"
      assert.strictEqual(yield* named(all), four)
      assert.strictEqual(yield* named({ ...all, delivery_rate: 95 }), four)
      assert.strictEqual(
        yield* named({ ...all, close_rate: 0 }, ["rates_look_like_fractions"]),
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
