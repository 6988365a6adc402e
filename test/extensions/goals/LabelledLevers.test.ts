import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { labelledLevers, reachGoal } from "../../../src/extensions/goals/Goals.ts"
import { campaignOf } from "../../support/Campaigns.ts"

describe("the inputs that a goal is solved for", () => {
  it("have readable labels, in their order, with the needed values", () => {
    const goal = { aim: "profit", target: BigDecimal.make(9000n, 0) } as const
    const { needed } = reachGoal(goal, campaignOf({ delivery_rate: 95, show_rate: 80 }))
    const levers = labelledLevers(needed)
    assert.deepStrictEqual(
      levers.map(({ label, unit }) => `${label} (${unit})`),
      [
        "Emails sent (count)",
        "Delivery rate (percent)",
        "Reply rate (percent)",
        "Positive reply rate (percent)",
        "Meeting booking rate (percent)",
        "Show rate (percent)",
        "Close rate (percent)",
        "Deal value (money)",
        "Cost, at most (money)"
      ]
    )
    assert.deepInclude(levers[0], needed.emails_sent)
  })
})
