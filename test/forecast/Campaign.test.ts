import { assert, describe, it } from "@effect/vitest"
import { funnel, moneyFigures, roiPercent } from "../../src/forecast/Campaign.ts"
import { campaignOf } from "../support/Campaigns.ts"

const figuresOf = (changes: Parameters<typeof campaignOf>[0] = {}) => {
  const campaign = campaignOf(changes)
  const { revenue } = funnel(campaign)
  const { profit, roi_multiple } = moneyFigures(revenue, campaign.campaign_cost)
  return [profit, roi_multiple, roiPercent(revenue, campaign.campaign_cost)]
}

describe("profit and ROI", () => {
  it("compare revenue with cost, and may be a loss", () => {
    assert.deepStrictEqual(figuresOf(), [8775, 15.6, 1462.5])
    assert.deepStrictEqual(figuresOf({ campaign_cost: 10_000 }), [-625, 0.9, -6.3])
    assert.deepStrictEqual(figuresOf({ reply_rate: 0 }), [-600, 0, -100])
  })

  it("are null if they cannot be computed, and never -0", () => {
    assert.deepStrictEqual(figuresOf({ campaign_cost: undefined }), [null, null, null])
    assert.deepStrictEqual(figuresOf({ average_deal_value: undefined }), [null, null, null])
    assert.deepStrictEqual(figuresOf({ campaign_cost: 0 }), [9375, null, null])
    assert.deepStrictEqual(figuresOf({ campaign_cost: 9375.0001 }), [0, 1, 0])
  })
})
