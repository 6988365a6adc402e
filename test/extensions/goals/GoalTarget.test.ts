import { wholePeople } from "../../../src/forecast/Decimal.ts"
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { type Aim, aims, peopleNeeded, revenueNeeded, stageOf } from "../../../src/extensions/goals/GoalTarget.ts"
import { campaignOf } from "../../support/Campaigns.ts"

const decimal = (value: number) => BigDecimal.fromStringUnsafe(String(value))
const goalOf = (aim: Aim, target: number) => ({ aim, target: decimal(target) })

/** The number of people who reach a goal in the sample with changes; undefined if no number does. */
const people = (aim: Aim, target: number, changes: Parameters<typeof campaignOf>[0] = {}) => {
  const needed = peopleNeeded(goalOf(aim, target), campaignOf(changes))
  return needed && wholePeople(needed)
}

describe("the people a goal requires", () => {
  it("depends on the stage that it aims at, or on the paying clients", () => {
    assert.deepStrictEqual(aims.map(stageOf), ["replies", "meetings", "clients", "clients", "clients", "clients"])
  })

  it("is a whole number of people", () => {
    assert.deepStrictEqual([people("meetings", 4), people("clients", 4.2), people("clients", 0)], [4, 5, 0])
    // 2,500 a client; the cost is 600.
    assert.deepStrictEqual([people("revenue", 5000), people("revenue", 5000.01)], [2, 3])
    assert.deepStrictEqual([people("profit", 1900), people("profit", 1901)], [1, 2])
    assert.deepStrictEqual([people("roi_multiple", 25), people("roi_multiple", 25.01)], [6, 7])
  })

  it("is 0 if the goal allows such a loss or is 0, whatever a client is worth", () => {
    for (const average_deal_value of [2500, 0]) {
      assert.strictEqual(people("revenue", 0, { average_deal_value }), 0)
      assert.strictEqual(people("profit", -600, { average_deal_value }), 0)
      assert.strictEqual(people("profit", -601, { average_deal_value }), 0)
    }
  })

  it("is unknown without the deal value or the cost that it depends on", () => {
    for (const aim of ["revenue", "profit", "roi_multiple"] as const) {
      assert.isUndefined(people(aim, 1, { average_deal_value: undefined }))
      assert.isUndefined(people(aim, 1, { average_deal_value: 0 }))
      const withoutCost = people(aim, 1, { campaign_cost: undefined })
      assert.strictEqual(withoutCost, aim === "revenue" ? 1 : undefined)
    }
    assert.isUndefined(revenueNeeded(goalOf("roi_multiple", 3), decimal(0)))
  })
})
