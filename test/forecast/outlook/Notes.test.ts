import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import type { Campaign } from "../../../src/forecast/Campaign.ts"
import { summarize } from "../../../src/extensions/lists/CampaignForecast.ts"
import { outlook } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"
import { aims } from "../../../src/extensions/goals/GoalTarget.ts"
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
      "none of 100",
      "fewer than 1 of 100",
      "2 of 100",
      "more than 99 of 100",
      "100 of 100"
    ])
    assert.deepStrictEqual([0.0001, 0.0235, 0.9999].map(shortOfHundred), ["< 1 of 100", "2 of 100", "> 99 of 100"])
  })
})

describe("outlookNotes", () => {
  it("gives the price of a meeting that covers the cost, and rounds it up", () => {
    const priceOf = (changes: Parameters<typeof notesOf>[0]) =>
      notesOf(changes).filter((note) => note.startsWith("Cost per meeting"))
    assert.deepStrictEqual(priceOf({ campaign_cost: 601 }), [
      "Cost per meeting: 30.05 to 60.1 in 80 of 100 such campaigns; at 60.1 per meeting the cost is covered in at least 90 of 100."
    ])
    assert.deepStrictEqual(priceOf({ campaign_cost: 1, emails_sent: 1000 }), [
      "Cost per meeting: 0.2 to 1 in 80 of 100 such campaigns; at 1 per meeting the cost is covered in at least 90 of 100."
    ])
    assert.deepStrictEqual(priceOf({ campaign_cost: 100, emails_sent: 300 }), [
      "Cost per meeting: 50 or more in 90 of 100 such campaigns; at 100 per meeting the cost is covered in at least 50 of 100."
    ])
    for (const changes of [
      { campaign_cost: undefined },
      { campaign_cost: 0 },
      { emails_sent: 10 },
      { meeting_booking_rate: 100 }
    ]) {
      assert.deepStrictEqual(priceOf(changes), [])
    }
  })

  it("gives the exact chances of small campaigns", () => {
    const [first, second, ...rest] = notesOf({ emails_sent: 500 })
    assert.strictEqual(
      first,
      "Outlook at these rates: in 95 of 100 such campaigns: 0 or 1 client; in 69 of 100 such campaigns: no client."
    )
    assert.strictEqual(second, "Break-even takes 1 client: reached in 31 of 100 such campaigns.")
    assert.include(rest.join(" "), "a floor on uncertainty: lists differ, and rates vary between campaigns")
  })

  it("says what the ranges leave out where they stand, and whose campaigns the reply rate is compared with", () => {
    const campaign: Campaign = { ...campaignOf(), spread: "published" }
    const [first, , , spread] = outlookNotes(campaign, outlook(campaign))
    assert.strictEqual(
      first,
      "Outlook at these rates: in 92 of 100 such campaigns: 0 to 8 clients; in 10 of 100 such campaigns: no client. Only the reply rate varies here. If your other rates vary too, ranges are wider and more campaigns win no client: past campaigns in history show how much."
    )
    const publisher = "Clientium, Osservatorio Cold Email Italia, clientium.it/osservatorio, CC BY 4.0"
    assert.strictEqual(
      spread,
      `The reply_rate varies as in 556 published campaigns (${publisher}): around 5%, from 1.55 to 9.3% in 80 of 100 campaigns.`
    )
    assert.include(
      notesOf(),
      `The percentile of the reply rate is its place among 556 published campaigns (${publisher}).`
    )
  })

  it("separates thousands in ranges", () => {
    assert.include(notesOf({ emails_sent: 10_000_000 })[0], "7,389 to 7,611 clients; in fewer than 1")
  })

  it("says in one sentence that no client is possible", () => {
    const [first] = notesOf({ close_rate: 0 })
    assert.strictEqual(
      first,
      "Outlook at these rates: no client, however often such a campaign is sent, because a rate is 0%."
    )
    const varying: Campaign = { ...campaignOf({ close_rate: 0 }), spread: "published" }
    assert.notMatch(outlookNotes(varying, outlook(varying)).join(), /chance alone/)
  })

  it("says what the rates of the request alone would give, and which were learned", () => {
    const plan = campaignOf({}, { reply_rate: [31, 800], close_rate: [1, 3] })
    const notes = outlookNotes(plan, outlook(plan))
    assert.include(
      notes.join(" "),
      "Learned from your past campaigns, on average and in 80 of 100 campaigns: reply_rate 3.9024%"
    )
    assert.include(
      notes,
      "All figures use the rates learned from your past campaigns: 3.3449 clients on average, 10.8% fewer. The rates of the request alone would give 3.75."
    )
  })

  it("says how many times more clients past campaigns expect, and shows no plan as 0 that is not", () => {
    const plan = campaignOf({ reply_rate: 0.000_01 }, { reply_rate: [31, 800] })
    const [, rest = ""] = outlookNotes(plan, outlook(plan)).join(" ").split("clients on average, ")
    assert.match(rest, /^[\d,.]+ times as many\. The rates of the request alone would give 0\.0000075\. /)
  })

  it("says why a rate is taken as given, and compares only rates that were learned to be different", () => {
    const measured = campaignOf({ meeting_booking_rate: 100 }, { reply_rate: [31, 800], close_rate: [1, 4] })
    const plan: Campaign = { ...measured, spread: "published" }
    const notes = outlookNotes(plan, outlook(plan)).join(" ")
    assert.match(
      notes,
      /reply_rate 3\.9024% \([\d.]+ to [\d.]+%\) instead of 5% and close_rate 25% \([\d.]+ to [\d.]+%\)\. /
    )
    assert.include(notes, "positive_reply_rate is taken as given: there are no published figures on how much it varies")
    assert.include(notes, "meeting_booking_rate is taken as given: a rate of 0 or 100% does not vary.")
  })

  it.prop("has complete sentences for every campaign", [assumptions], ([input]) => {
    for (const sentence of outlookNotes(input, outlook(input))) {
      assert.notMatch(sentence, broken)
      assert.match(sentence, /\.$/)
    }
  })
})

describe("notes of goals and portfolios", () => {
  it("compare no campaigns if there is only one", () => {
    const notes = (...campaigns: ReadonlyArray<Campaign>) => summarize(campaigns).calculation_notes.join(" ")
    assert.notMatch(notes(campaignOf()), /Ranked|in common/)
    assert.match(notes(campaignOf(), campaignOf()), /Ranked.*nothing in common/)
  })

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
