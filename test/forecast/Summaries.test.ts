import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { campaignForecast, summarize } from "../../src/extensions/lists/CampaignForecast.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { computeLegacyForecast } from "../../src/forecast/LegacyForecast.ts"
import { firstSentences } from "../../src/forecast/Spoken.ts"
import { campaignOf } from "../support/Campaigns.ts"
import { decodeText } from "../support/Samples.ts"
import { campaigns } from "./golden/campaigns.ts"
import { practiceCampaigns } from "./golden/practiceCampaigns.ts"

const sentencesIn = (text: string) => firstSentences(text, Infinity)

describe("the summary of a forecast", () => {
  it.effect("has one to three sentences: the doubt, the range of clients, and what to do first", () =>
    Effect.gen(function* () {
      for (const { name, request } of [...campaigns, ...practiceCampaigns]) {
        const { recommendations, summary } = computeForecast(yield* decodeText(JSON.stringify(request))).forecast
        const sentences = sentencesIn(summary)
        assert.isAtMost(sentences.length, 3, name)
        const range = sentences.findIndex((text) => / this brings /.test(text))
        assert.isAtLeast(range, 0, name)
        const [first = ""] = recommendations
        if (first.includes("?")) assert.isTrue(summary.startsWith(firstSentences(first, 1).join("")), name)
        else if (first !== "") assert.include(summary, firstSentences(first, 1).join(""), name)
      }
    })
  )

  it.effect("says so where no client is likely, or possible", () =>
    Effect.gen(function* () {
      for (const [more, text] of [
        [{ emails_sent: 40 }, "brings no client; the average is 0.03 clients, with a loss of 525"],
        [{ close_rate: 0 }, "At these rates this brings no client, with a loss of 600."],
        [{ campaign_cost: 9375 }, "brings 0 to 8 clients, 3.75 on average, with no profit; none in 10 of 100."]
      ] as const) {
        const plan = {
          emails_sent: 5000,
          reply_rate: 5,
          positive_reply_rate: 30,
          meeting_booking_rate: 20,
          close_rate: 25
        }
        const money = { average_deal_value: 2500, campaign_cost: 600 }
        const assumptions = yield* decodeText(JSON.stringify({ ...plan, ...money, ...more }))
        assert.include(computeForecast(assumptions).forecast.summary, text)
      }
    })
  )

  it("is the first field, but is no field of a legacy answer, or of a campaign in a list", () => {
    const campaign = campaignOf()
    assert.strictEqual(Object.keys(computeForecast(campaign).forecast)[0], "summary")
    assert.notProperty(computeLegacyForecast(campaign), "summary")
    assert.notProperty(campaignForecast(campaign), "summary")
  })
})

describe("the summary of a list", () => {
  it("says what is doubtful, what all campaigns bring, and whether to send more, with money rounded", () => {
    const sure = { ...campaignOf({ reply_rate: 1.7, meeting_booking_rate: 45 }), name: "Sure" }
    const other = { ...sure, name: "Other. And a second sentence" }
    const { summary } = summarize([sure, other]).totals
    assert.match(
      summary,
      /^Together 2 campaigns bring \d+ to \d+ clients in \d+ of 100 such sets, [\d.]+ on average, none in (?:fewer than )?\d+ of 100; the best by profit is Sure, better than Other\. And a second sentence in \d+ of 100\. Judge whether to send more by the whole, not by one campaign: the 10,000 emails of this list cost 1,200 and bring in [\d,]+ on average\.$/
    )
    const asked = { ...campaignOf({ reply_rate: 2, positive_reply_rate: 0.5 }), name: "Units" }
    assert.match(summarize([sure, asked]).totals.summary, /^Units: Is 0\.5% of emails meant\? Then enter 25 /)
    assert.strictEqual(summarize([sure]).totals.summary, computeForecast(sure, true).forecast.summary)
  })
})
