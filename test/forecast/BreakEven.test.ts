import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import { membersOf } from "../../src/campaign/Fields.ts"
import { optionalRates } from "../../src/campaign/Rates.ts"
import { BreakEven } from "../../src/forecast/outlook/Outlook.ts"
import { breakEven as breakEvenOf, type Campaign, expectedProfit, funnel } from "../../src/forecast/Campaign.ts"
import { assumptions } from "../support/Arbitraries.ts"
import { campaignOf } from "../support/Campaigns.ts"

import vectors from "../vectors/uncertainty.json" with { type: "json" }

const rates = ["reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"] as const

const breakEven = (campaign: Campaign) => breakEvenOf(campaign, funnel(campaign))

const isCovered = (campaign: Campaign): boolean => {
  const expected = expectedProfit(campaign)
  return expected !== undefined && expected.value >= 0
}

/** The text of a vector rounded up or down to hundredths, ignoring the error of its 30 digits. */
const hundredths = (text: string, round: (value: number) => number) =>
  round(Number(Number(text).toFixed(9)) * 100) / 100

describe("breakEven", () => {
  for (const vector of [{ ...vectors.sample, name: "the sample" }, ...vectors.vectors]) {
    if (!("break_even_per_lever" in vector) || vector.break_even_per_lever === undefined) continue
    const expected = vector.break_even_per_lever
    it(`is right to the digit: ${vector.name}`, () => {
      const actual = breakEven(campaignOf(vector.input))
      for (const rate of rates) {
        const needed = hundredths(expected[rate], Math.ceil)
        assert.strictEqual(actual[rate], needed > 100 ? null : needed)
      }
      assert.strictEqual(actual.emails_sent, expected.emails_sent)
      assert.strictEqual(actual.average_deal_value, hundredths(expected.average_deal_value, Math.ceil))
      assert.strictEqual(actual.campaign_cost, hundredths(expected.campaign_cost, Math.floor))
    })
  }

  it("lists the inputs in the order of the reference", () => {
    const inputs = Object.keys(breakEven(campaignOf(membersOf(optionalRates, () => 90))))
    assert.deepStrictEqual(inputs, Object.keys(BreakEven.fields))
  })

  it("solves a rate of 0 from the others, and gives up on those that cannot compensate for it", () => {
    const { close_rate, ...others } = breakEven(campaignOf({ close_rate: 0 }))
    assert.strictEqual(close_rate, 1.6)
    assert.deepStrictEqual(others, {
      emails_sent: null,
      reply_rate: null,
      positive_reply_rate: null,
      meeting_booking_rate: null,
      average_deal_value: null,
      campaign_cost: 0
    })
  })

  it("needs nothing if there is no cost, and is null if something is missing", () => {
    const nothing = { ...membersOf(rates, () => 0), emails_sent: 0, average_deal_value: 0 }
    assert.deepStrictEqual(breakEven(campaignOf({ campaign_cost: 0 })), { ...nothing, campaign_cost: 9375 })
    // A cost of 0 is covered by a revenue of 0, too.
    const free = campaignOf({ campaign_cost: 0, close_rate: 0 })
    assert.deepStrictEqual(breakEven(free), { ...nothing, campaign_cost: 0 })
    const unknown = { ...membersOf(rates, () => null), emails_sent: null }
    assert.deepStrictEqual(breakEven(campaignOf({ average_deal_value: undefined })), {
      ...unknown,
      average_deal_value: 160,
      campaign_cost: null
    })
    assert.deepStrictEqual(breakEven(campaignOf({ campaign_cost: undefined })), {
      ...unknown,
      average_deal_value: null,
      campaign_cost: 9375
    })
  })

  it("solves delivery and show rate if they are given", () => {
    const actual = breakEven(campaignOf({ delivery_rate: 90, show_rate: 80 }))
    assert.strictEqual(actual.delivery_rate, 8)
    assert.strictEqual(actual.show_rate, 7.12)
    assert.strictEqual(actual.reply_rate, 0.45)
  })

  it.prop("is sufficient, and a hundredth or an email less is not", [assumptions], ([input]) => {
    const actual = breakEven(input)
    assert.deepStrictEqual(Schema.encodeSync(BreakEven)(actual), actual)
    for (const rate of [...rates, "average_deal_value"] as const) {
      const needed = actual[rate]
      // Beyond that a double no longer holds hundredths.
      if (needed === null || needed > 1e12) continue
      const shown = BigDecimal.normalize(BigDecimal.fromNumberUnsafe(needed))
      // Hundredths or, for a rate below 0.1%, its second digit.
      const places = Math.max(2, shown.scale)
      const { value: units } = BigDecimal.scale(shown, places)
      assert.isTrue(
        input.campaign_cost?.value === 0n || isCovered({ ...input, [rate]: BigDecimal.make(units, places) }),
        `${rate} ${needed}`
      )
      if (units > 0n) assert.isFalse(isCovered({ ...input, [rate]: BigDecimal.make(units - 1n, places) }))
    }
    const emails = actual.emails_sent
    if (emails !== null && emails > 0 && emails < 1e15) {
      assert.isTrue(isCovered({ ...input, emails_sent: BigDecimal.make(BigInt(emails), 0) }))
      assert.isFalse(isCovered({ ...input, emails_sent: BigDecimal.make(BigInt(emails) - 1n, 0) }))
    }
    const cost = actual.campaign_cost
    if (cost !== null && cost < 1e12) {
      assert.isTrue(isCovered({ ...input, campaign_cost: BigDecimal.make(BigInt(Math.round(cost * 100)), 2) }))
      assert.isFalse(isCovered({ ...input, campaign_cost: BigDecimal.make(BigInt(Math.round(cost * 100)) + 1n, 2) }))
    }
  })
})
