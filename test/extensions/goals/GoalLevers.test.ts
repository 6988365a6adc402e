import { toDouble, zero } from "../../../src/forecast/Decimal.ts"
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"
import { neededEmails } from "../../../src/extensions/goals/GoalLevers.ts"
import type { Aim } from "../../../src/extensions/goals/GoalTarget.ts"
import { campaignOf } from "../../support/Campaigns.ts"

const decimal = (value: number) => BigDecimal.fromStringUnsafe(String(value))

/** The value that each input needs, in the sample with changes. */
const needed = (aim: Aim, target: number, chance: number | undefined, ...campaign: Parameters<typeof campaignOf>) => {
  const goal = { aim, target: decimal(target) }
  const wanted = chance === undefined ? goal : { ...goal, chance: decimal(chance) }
  const levers = Object.entries(reachGoal(wanted, campaignOf(...campaign)).needed)
  return Object.fromEntries(levers.map(([lever, answer]) => [lever, answer.needed]))
}

const certain = { reply_rate: 100, positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }

describe("the emails that a goal takes", () => {
  it("are at most as many as a request may contain", () => {
    const onePercent = { reply_rate: 1 }
    assert.strictEqual(needed("replies", 1e6, undefined, onePercent)["emails_sent"], 100_000_000)
    assert.isNull(needed("replies", 1e6 + 0.01, undefined, onePercent)["emails_sent"])
    assert.strictEqual(needed("replies", 1e8, 0.5, { reply_rate: 100 })["emails_sent"], 100_000_000)
    assert.isNull(needed("replies", 1e8, 0.5, { reply_rate: 99 })["emails_sent"])
    // One client per email for a trillion of profit.
    assert.isNull(needed("profit", 1e12, 0.5, { ...certain, average_deal_value: 1 })["emails_sent"])
  })

  it("depend only on the other rates if a rate is 100%", () => {
    assert.strictEqual(needed("clients", 7, 0.999, certain)["emails_sent"], 7)
    // One of two: 1 - 0.5² = 0.75.
    const half = { ...certain, reply_rate: 50 }
    assert.strictEqual(needed("replies", 1, 0.75, half)["emails_sent"], 2)
    assert.strictEqual(needed("replies", 1, 0.751, half)["emails_sent"], 3)
  })
})

describe("the rate that a goal takes", () => {
  it("is at most 100%", () => {
    assert.strictEqual(needed("replies", 5000, undefined)["reply_rate"], 100)
    assert.isNull(needed("replies", 5001, undefined)["reply_rate"])
    assert.strictEqual(needed("replies", 5000, 0.9)["reply_rate"], 100)
    assert.isNull(needed("replies", 5001, 0.9)["reply_rate"])
  })

  it("has two decimals, and two digits below 0.1%", () => {
    const one = { ...certain, emails_sent: 1 }
    const rates = [0.00951, 0.000951, 0.0004755].map((chance) => needed("clients", 1, chance, one)["reply_rate"])
    assert.deepStrictEqual(rates, [0.96, 0.1, 0.048])
  })

  it("is the chance itself for one email", () => {
    const one = { ...certain, emails_sent: 1, reply_rate: 1 }
    assert.strictEqual(needed("clients", 1, 0.8, one)["reply_rate"], 80)
    assert.strictEqual(needed("clients", 1, 0.805, one)["reply_rate"], 80.5)
    // 0.8 of those who reply.
    const other = { ...one, close_rate: 80, reply_rate: 100 }
    assert.strictEqual(needed("clients", 1, 0.6, other)["reply_rate"], 75)
    assert.strictEqual(needed("clients", 1, 0.6, other)["close_rate"], 60)
    assert.strictEqual(needed("clients", 1, 0.8, other)["reply_rate"], 100)
    assert.isNull(needed("clients", 1, 0.801, other)["reply_rate"])
  })

  it("is solved whatever was learned of a rate that the campaign does not have", () => {
    const plain = needed("clients", 4, 0.8)
    assert.deepStrictEqual(needed("clients", 4, 0.8, {}, { show_rate: [3, 4] }), plain)
  })
})

describe("the deal value that a goal takes", () => {
  it("is at most as much as a request may contain, rounded up to the cent", () => {
    const oneClient = { ...certain, emails_sent: 1 }
    assert.strictEqual(needed("revenue", 1e9, undefined, oneClient)["average_deal_value"], 1e9)
    assert.isNull(needed("revenue", 1e9 + 0.01, undefined, oneClient)["average_deal_value"])
    // Three clients: 100 ÷ 3.
    assert.strictEqual(needed("revenue", 100, 0.9, { ...certain, emails_sent: 3 })["average_deal_value"], 33.34)
  })

  it("is based on the clients reached with exactly the given chance", () => {
    // One client or two of two emails: 1 - 0.5².
    assert.strictEqual(
      needed("revenue", 100, 0.75, { ...certain, emails_sent: 2, reply_rate: 50 })["average_deal_value"],
      100
    )
  })

  it("is unknown if it depends on a missing cost", () => {
    assert.isNull(needed("roi_multiple", 3, undefined, { campaign_cost: undefined })["average_deal_value"])
  })

  it("is 0 if nothing is needed, and null if no value is enough", () => {
    assert.strictEqual(needed("profit", -600, undefined)["average_deal_value"], 0)
    assert.strictEqual(needed("profit", -599.99, undefined)["average_deal_value"], 0.01)
    assert.isNull(needed("revenue", 1, 0.9, { emails_sent: 500 })["average_deal_value"])
    assert.isNull(needed("revenue", 1, undefined, { close_rate: 0 })["average_deal_value"])
  })
})

describe("the cost that a goal allows", () => {
  it("is what is left of the revenue, rounded down to the cent", () => {
    // 3.75 expected clients bring 9,375.
    assert.strictEqual(needed("profit", 9000, undefined)["campaign_cost"], 375)
    assert.strictEqual(needed("profit", 9375, undefined)["campaign_cost"], 0)
    assert.isNull(needed("profit", 9375.01, undefined)["campaign_cost"])
    assert.strictEqual(needed("profit", 9000, undefined, { average_deal_value: 2500.003 })["campaign_cost"], 375.01)
    // Two clients with a chance of 0.8.
    assert.strictEqual(needed("profit", 4000, 0.8)["campaign_cost"], 1000)
  })

  it("is a fraction of the revenue for an ROI, at least a cent", () => {
    assert.strictEqual(needed("roi_multiple", 7, undefined)["campaign_cost"], 1339.28)
    const oneCent = { ...certain, emails_sent: 1, average_deal_value: 1 }
    assert.strictEqual(needed("roi_multiple", 100, undefined, oneCent)["campaign_cost"], 0.01)
    assert.isNull(needed("roi_multiple", 100.01, undefined, oneCent)["campaign_cost"])
    assert.isNull(needed("roi_multiple", 2, undefined, { close_rate: 0 })["campaign_cost"])
  })

  it("is at most as much as a request may contain", () => {
    const large = { ...certain, emails_sent: 2, average_deal_value: 1e9 }
    assert.strictEqual(needed("profit", 1e9, undefined, large)["campaign_cost"], 1e9)
    assert.strictEqual(needed("profit", 1e9 - 1, undefined, large)["campaign_cost"], 1e9)
    assert.strictEqual(needed("roi_multiple", 0.5, undefined, large)["campaign_cost"], 1e9)
  })
})

describe("a goal that asks for nothing", () => {
  it("is reached with the minimum of every input, whatever the rates", () => {
    for (const close_rate of [25, 0]) {
      assert.deepStrictEqual(needed("profit", -600, undefined, { close_rate }), {
        emails_sent: 1,
        reply_rate: 0,
        positive_reply_rate: 0,
        meeting_booking_rate: 0,
        close_rate: 0,
        average_deal_value: 0,
        campaign_cost: close_rate === 0 ? 600 : 9975
      })
      assert.strictEqual(needed("roi_multiple", 0, undefined, { close_rate })["campaign_cost"], 1e9)
    }
  })
})

describe("emails for a profit or an ROI", () => {
  const loss = campaignOf({
    reply_rate: 2,
    positive_reply_rate: 20,
    meeting_booking_rate: 40,
    average_deal_value: 300,
    campaign_cost: 900,
    close_rate: 20
  })
  const goal = (aim: "profit" | "roi_multiple", target: number, chance?: string) => ({
    aim,
    target: BigDecimal.fromNumberUnsafe(target),
    chance: chance === undefined ? undefined : BigDecimal.fromStringUnsafe(chance)
  })

  it("cost as much each as those planned: no number is enough where an email costs more than it brings", () => {
    for (const campaign of [loss, { ...loss, spread: "published" } as const]) {
      for (const chance of [undefined, "0.8"]) {
        assert.isUndefined(neededEmails(goal("profit", 5000, chance), campaign))
        assert.isUndefined(neededEmails(goal("roi_multiple", 2, chance), campaign))
      }
    }
  })

  it("are any number where each earns just its part of an ROI", () => {
    assert.strictEqual(needed("roi_multiple", 15.625, undefined)["emails_sent"], 1)
    assert.isNull(needed("roi_multiple", 15.626, undefined)["emails_sent"])
  })

  it("are the fewest that earn it at that cost", () => {
    // An email brings 1.875 and costs 0.12: 20,000 ÷ 1.755 is 11,396.01.
    const needed = neededEmails(goal("profit", 20_000), campaignOf())
    assert.strictEqual(needed && toDouble(needed), 11_397)
    const chance = neededEmails(goal("profit", 20_000, "0.8"), campaignOf())
    const reached = (emails: number) =>
      reachGoal(goal("profit", 20_000, "0.8"), campaignOf({ emails_sent: emails, campaign_cost: emails * 0.12 }))
        .reached
    const emails = toDouble(chance ?? zero)
    assert.isTrue(reached(emails))
    assert.isFalse(reached(emails - 1))
    // Each email is a client: 2 × 10 earns 15 besides 2 × 1, and 10 does not.
    const sure = { ...certain, average_deal_value: 10, emails_sent: 100, campaign_cost: 100 }
    assert.strictEqual(toDouble(neededEmails(goal("profit", 15, "0.9"), campaignOf(sure)) ?? zero), 2)
  })
})
