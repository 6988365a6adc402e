import { assert, describe, it } from "@effect/vitest"
import { learn } from "../../../src/forecast/outlook/Learning.ts"
import { nextToMeasure, uncertaintyShares } from "../../../src/forecast/outlook/CampaignOutlook.ts"
import { campaignOf } from "../../support/Campaigns.ts"

const others = { positive_reply_rate: [9, 31], meeting_booking_rate: [3, 9], close_rate: [1, 3] } as const

describe("shares of uncertainty", () => {
  it("are correct to the digit, and sum up to 1 even if each rounded alone would not", () => {
    // By mpmath 1.3 with 40 digits; the ten-thousandths that are left go to the largest remainders.
    // 1073.33 + 3891.47 + 680.65 + 1575.41 + 2779.14: rounded each, they are one too few.
    assert.deepStrictEqual(uncertaintyShares(campaignOf({}, { reply_rate: [1, 20], ...others })), {
      chance: 0.1073,
      reply_rate: 0.3892,
      positive_reply_rate: 0.0681,
      meeting_booking_rate: 0.1575,
      close_rate: 0.2779
    })
    // 1276.75 + 3096.64 + 760.59 + 1760.45 + 3105.56: one too many.
    assert.deepStrictEqual(uncertaintyShares(campaignOf({}, { reply_rate: [2, 40], ...others })), {
      chance: 0.1277,
      reply_rate: 0.3097,
      positive_reply_rate: 0.0761,
      meeting_booking_rate: 0.176,
      close_rate: 0.3105
    })
  })

  it("cover the measured rates of the campaign, with 0 for those that leave no doubt", () => {
    assert.deepStrictEqual(
      uncertaintyShares(
        campaignOf({ positive_reply_rate: 100 }, { reply_rate: [31, 800], show_rate: [3, 4], close_rate: [1, 3] })
      ),
      uncertaintyShares(campaignOf({ positive_reply_rate: 100 }, { reply_rate: [31, 800], close_rate: [1, 3] }))
    )
    assert.deepStrictEqual(uncertaintyShares(campaignOf({ reply_rate: 100 }, { reply_rate: [31, 800] })), {
      chance: 1,
      reply_rate: 0
    })
    assert.deepStrictEqual(uncertaintyShares(campaignOf()), { chance: 1 })
    assert.isNull(uncertaintyShares(campaignOf({ close_rate: 0 }, { reply_rate: [31, 800] })))
  })
})

describe("the rate to measure next", () => {
  it("is not one that past campaigns cover", () => {
    const history = [
      { emails_sent: 3800, replies: 92, positive_replies: 21, meetings: 8, clients: 2 },
      { emails_sent: 5000, replies: 41, positive_replies: 9, meetings: 3, clients: 0 }
    ]
    const campaign = campaignOf()
    assert.isUndefined(nextToMeasure({ ...campaign, learned: learn(campaign, history).learned }))
    const replies = history.map(({ emails_sent, replies }) => ({ emails_sent, replies }))
    assert.strictEqual(
      nextToMeasure({ ...campaign, learned: learn(campaign, replies).learned }),
      "meeting_booking_rate"
    )
  })

  it("may be an unmeasured one, which counts as one success", () => {
    const { meeting_booking_rate: _, ...measured } = others
    assert.strictEqual(nextToMeasure(campaignOf({}, { reply_rate: [31, 800], ...measured })), "meeting_booking_rate")
    // ln(2 / 1.2) of a rate of 20%, and ln(2 / 1.9) of one of 90%, which is less than of 1 of 3 at 25%.
    assert.strictEqual(
      nextToMeasure(campaignOf({ meeting_booking_rate: 90 }, { reply_rate: [31, 800], ...measured })),
      "close_rate"
    )
    assert.strictEqual(nextToMeasure({ ...campaignOf({}, measured), spread: "published" }), "meeting_booking_rate")
    assert.isUndefined(
      nextToMeasure(campaignOf({ reply_rate: 0, positive_reply_rate: 100, meeting_booking_rate: 0, close_rate: 100 }))
    )
  })
})
