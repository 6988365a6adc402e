import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { countsOf, stagesOf } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { firstClient } from "../../../src/forecast/advice/FirstClient.ts"
import { withLearnedRates } from "../../../src/forecast/outlook/Learning.ts"
import { takeAllSteps } from "../../../src/workers/Steps.ts"
import { decodeText, sample } from "../../support/Samples.ts"

const campaignFrom = (changes: object) =>
  Effect.map(decodeText(JSON.stringify({ ...sample, ...changes })), (assumptions) =>
    takeAllSteps(withLearnedRates(assumptions))
  )

describe("the emails for a first client", () => {
  it.effect("are the fewest that are enough, however many rates vary", () =>
    Effect.gen(function* () {
      const past = { emails_sent: 2000, replies: 30, positive_replies: 5, meetings: 2, clients: 1 }
      for (const changes of [
        {},
        { spread: "none" },
        { reply_rate: 0.01 },
        { reply_rate: 100, positive_reply_rate: 100, meeting_booking_rate: 100 },
        { history: [past] },
        { history: [past, { ...past, clients: 0 }, { ...past, replies: 200 }] },
        { history: [{ emails_sent: 50, replies: 0 }] }
      ]) {
        const campaign = yield* campaignFrom(changes)
        const emailsFor = firstClient(campaign)
        const chanceAfter = (emails: number) => countsOf(stagesOf(campaign).clients, emails).atLeast(1)
        for (const chance of [0.5, 0.8]) {
          const emails = emailsFor(chance) ?? 0
          assert.isAtLeast(chanceAfter(emails), chance - 1e-9, JSON.stringify(changes))
          if (emails > 1) assert.isBelow(chanceAfter(emails - 1), chance + 1e-9, JSON.stringify(changes))
        }
      }
    })
  )

  it.effect("are one email that always wins a client, and unknown beyond what a request may have", () =>
    Effect.gen(function* () {
      const certain = { reply_rate: 100, positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }
      assert.strictEqual(firstClient(yield* campaignFrom(certain))(0.8), 1)
      assert.isUndefined(firstClient(yield* campaignFrom({ reply_rate: 0.000001, close_rate: 0.000001 }))(0.5))
    })
  )
})
