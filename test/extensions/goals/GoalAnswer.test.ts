import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"
import { GoalAnswer } from "../../../src/extensions/goals/GoalAnswer.ts"
import { type Aim, aims } from "../../../src/extensions/goals/GoalTarget.ts"
import { campaignOf } from "../../support/Campaigns.ts"

const answerTo = (aim: Aim, changes: Parameters<typeof campaignOf>[0] = {}) =>
  reachGoal({ aim, target: BigDecimal.make(1n, 0) }, campaignOf(changes))

describe("the response to a goal", () => {
  it("has the average result of the unchanged campaign for each aim", () => {
    const expected = (changes: Parameters<typeof campaignOf>[0] = {}) =>
      aims.map((aim) => answerTo(aim, changes).expected_now)
    assert.deepStrictEqual(expected(), [250, 15, 3.75, 9375, 8775, 15.6])
    // 1,000 emails: 0.1875 clients bring 187.52 of 600.
    const loss = { emails_sent: 1000, close_rate: 6.25, average_deal_value: 1000.1 }
    assert.deepStrictEqual(expected(loss), [50, 3, 0.1875, 187.52, -412.48, 0.3])
    assert.deepStrictEqual(expected({ average_deal_value: undefined }), [250, 15, 3.75, null, null, null])
    assert.deepStrictEqual(expected({ campaign_cost: undefined }), [250, 15, 3.75, 9375, null, null])
    assert.deepStrictEqual(expected({ campaign_cost: 0 }), [250, 15, 3.75, 9375, 9375, null])
  })

  it("has a schema that accepts it only if it is complete", () => {
    const isAnswer = Schema.is(GoalAnswer)
    const answer = answerTo("clients")
    assert.isTrue(isAnswer(answer))
    for (const changes of [
      { goal: { clients: "3" } },
      { needed: {} },
      { needed: { emails_sent: {} } },
      { needed: { ...answer.needed, reply_rate: 5 } },
      { reached: undefined }
    ]) {
      assert.isFalse(isAnswer({ ...answer, ...changes }), JSON.stringify(changes))
    }
  })
})
