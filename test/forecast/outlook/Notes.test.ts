import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { summarize } from "../../../src/forecast/list/CampaignForecast.ts"
import { outlook } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { reachGoal } from "../../../src/forecast/outlook/Goals.ts"
import { aims } from "../../../src/forecast/outlook/GoalTarget.ts"
import { ofHundred, shortOfHundred } from "../../../src/forecast/Words.ts"
import { outlookNotes } from "../../../src/forecast/outlook/OutlookNotes.ts"
import { assumptions } from "../../support/Arbitraries.ts"
import { campaignOf } from "../../support/Campaigns.ts"

const broken = /undefined|NaN|Infinity|likely|probabl/
const notesOf = (...[changes, measured]: Parameters<typeof campaignOf>) => {
  const campaign = campaignOf(changes, measured)
  return outlookNotes(campaign, outlook(campaign))
}

describe("ofHundred", () => {
  it("never shows a small value as 0", () => {
    assert.deepStrictEqual([0, 0.0001, 0.0235, 0.9999, 1].map(ofHundred), [
      "0 of 100",
      "fewer than 1 of 100",
      "2 of 100",
      "more than 99 of 100",
      "100 of 100"
    ])
    assert.deepStrictEqual([0.0001, 0.0235, 0.9999].map(shortOfHundred), ["< 1 of 100", "2 of 100", "> 99 of 100"])
  })
})

describe("outlookNotes", () => {
  it("gives the exact chances of small campaigns", () => {
    const [first, second, ...rest] = notesOf({ emails_sent: 500 })
    assert.strictEqual(
      first,
      "Outlook: in 95 of 100 such campaigns: 0 to 1 client; in 69 of 100 such campaigns: no client."
    )
    assert.strictEqual(second, "Break-even takes 1 client: reached in 31 of 100 such campaigns.")
    assert.include(rest.join(" "), "a floor on uncertainty: lists differ, and rates vary between campaigns")
  })

  it("says in one sentence that no client is possible", () => {
    const [first] = notesOf({ close_rate: 0 })
    assert.strictEqual(first, "Outlook: no client, however often such a campaign is sent, because a rate is 0%.")
  })

  it("explains how the evidence was used, and what to measure next", () => {
    const notes = notesOf(
      { show_rate: 100, positive_reply_rate: 0 },
      { reply_rate: [31, 800], positive_reply_rate: [9, 31], show_rate: [4, 5], close_rate: [1, 3] }
    )
    assert.includeMembers(
      [...notes],
      [
        "Evidence for reply_rate: 31 of 800 observed, with the 5% of the request as a prior worth one success: 3.9024% on average.",
        "Evidence for positive_reply_rate: 9 of 31 observed. With a rate of 0% only these count: 29.0323% on average.",
        "Evidence for show_rate changes nothing: a rate of 100% leaves no doubt; enter a lower rate to make it count."
      ]
    )
    assert.match(notes.join(" "), /\d% comes from close_rate\./)
    assert.include(notes, "Measure meeting_booking_rate next: it was not measured, and the outlook takes it as given.")
    const measured = notesOf({}, { positive_reply_rate: [90, 310], meeting_booking_rate: [19, 90], close_rate: [1, 3] })
    assert.include(measured, "Measure reply_rate next: it was not measured, and the outlook takes it as given.")
    const all = { reply_rate: [310, 8000], positive_reply_rate: [90, 310], meeting_booking_rate: [19, 90] } as const
    assert.include(
      notesOf({}, { ...all, close_rate: [1, 3] }),
      "Measure close_rate next: it is the least certain of the rates."
    )
    // If nothing was measured, there is no reason to prefer one rate to measure.
    assert.notMatch(notesOf({}).join(" "), /Measure/)
  })

  it.prop("has complete sentences for every campaign", [assumptions], ([input]) => {
    for (const sentence of outlookNotes(input, outlook(input))) {
      assert.notMatch(sentence, broken)
      assert.match(sentence, /\.$/)
    }
  })
})

describe("notes of goals and portfolios", () => {
  it("are complete sentences", () => {
    const campaigns = [campaignOf(), campaignOf({ campaign_cost: undefined }), campaignOf({}, { reply_rate: [1, 20] })]
    const sentences = [...summarize(campaigns).calculation_notes]
    for (const aim of aims) {
      for (const chance of [undefined, BigDecimal.make(9n, 1)]) {
        for (const campaign of campaigns) {
          sentences.push(...reachGoal({ aim, target: BigDecimal.make(1n, 0), chance }, campaign).calculation_notes)
        }
      }
    }
    for (const sentence of sentences) {
      assert.notMatch(sentence, broken)
      assert.match(sentence, /\.$/)
    }
  })
})
