import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import { decodeGoalRequest } from "../../../src/extensions/goals/GoalRequest.ts"
import { sample } from "../../support/Samples.ts"

const read = (goal: unknown, changes: object = {}) => decodeGoalRequest({ ...sample, ...changes, goal })

/** The errors of a request: messages by pointer and code. */
const errorsOf = (goal: unknown, changes: object = {}) =>
  Result.match(read(goal, changes), {
    onFailure: ({ errors }) => errors.map(({ code, message, pointer }) => `${pointer} ${code} ${message}`),
    onSuccess: () => []
  })

const anAim = "must have one of replies, meetings, clients, revenue, profit or roi_multiple"

describe("a request for a goal", () => {
  it("has one aim and optionally a chance, in exact decimals", () => {
    for (const aim of ["replies", "meetings", "clients", "revenue", "profit", "roi_multiple"]) {
      const { goal } = Result.getOrThrow(read({ [aim]: 4.5, chance: null }))
      assert.strictEqual(goal.aim, aim)
      assert.strictEqual(BigDecimal.format(goal.target), "4.5")
      assert.isUndefined(goal.chance)
    }
    const { assumptions, goal } = Result.getOrThrow(read({ clients: 4, chance: 0.8 }))
    assert.strictEqual(BigDecimal.format(goal.chance ?? BigDecimal.make(0n, 0)), "0.8")
    assert.sameMembers(Object.keys(assumptions), Object.keys(sample))
  })

  it("gives the counts of past campaigns that have rates", () => {
    assert.deepStrictEqual(errorsOf({ clients: 4 }, { history: [{ emails_sent: 3000, reply_rate: 1.7 }] }), [
      "/history/0/reply_rate unknown_field is not a known field; give the count: 3,000 × 1.7% = 51 replies"
    ])
  })

  it("has an aim above 0 and within its bounds, and a chance from 0.5 to 0.999", () => {
    for (const [aim, most] of [
      ["replies", 1e8],
      ["meetings", 1e8],
      ["clients", 1e8],
      ["revenue", 1e12],
      ["profit", 1e12],
      ["roi_multiple", 1e9]
    ] as const) {
      assert.deepStrictEqual(errorsOf({ [aim]: 0 }), [`/goal/${aim} out_of_range must be above 0`])
      assert.deepStrictEqual(errorsOf({ [aim]: -1 }), [`/goal/${aim} out_of_range must be above 0`])
      assert.deepStrictEqual(errorsOf({ [aim]: most + 1 }), [`/goal/${aim} out_of_range must be at most ${most}`])
      for (const target of [0.001, most]) assert.deepStrictEqual(errorsOf({ [aim]: target }), [])
    }
    for (const chance of [0.5, 0.999]) assert.deepStrictEqual(errorsOf({ clients: 1, chance }), [])
    assert.deepStrictEqual(errorsOf({ clients: 1, chance: 0.4999 }), ["/goal/chance out_of_range must be at least 0.5"])
    assert.deepStrictEqual(errorsOf({ clients: 1, chance: 0.9991 }), [
      "/goal/chance out_of_range must be at most 0.999"
    ])
  })

  it("must be an object", () => {
    assert.deepStrictEqual(errorsOf(5), [
      "/goal wrong_type must be an object (replies, meetings, clients, revenue, profit, roi_multiple, chance), not a number"
    ])
    assert.deepStrictEqual(errorsOf(null), ["/goal required is required"])
  })

  it("lists the aims if none or more than one is given", () => {
    assert.deepStrictEqual(errorsOf({}), [`/goal required ${anAim}`])
    assert.deepStrictEqual(errorsOf({ clients: 1, profit: 2 }), [
      "/goal duplicate_field must have one aim: keep one of clients and profit"
    ])
    assert.deepStrictEqual(errorsOf({ roi_multiple: 1, clients: 1, replies: 2 }), [
      "/goal duplicate_field must have one aim: keep one of replies, clients and roi_multiple"
    ])
  })

  it("recognizes synonyms of aims and chance, in any case", () => {
    for (const [name, words] of [
      ["clients", ["customers", "deals_won", "Sales", "won"]],
      ["meetings", ["calls", "DEMOS", "meetings_booked"]],
      ["replies", ["responses", "reply_count"]],
      ["revenue", ["turnover", "expected_revenue"]],
      ["roi_multiple", ["roi", "ROAS"]],
      ["chance", ["probability", "confidence", "likelihood"]]
    ] as const) {
      for (const word of words) {
        assert.include(
          errorsOf({ profit: 5, [word]: 1 }),
          `/goal/${word} unknown_field is not a known field; did you mean "${name}"?`
        )
      }
    }
  })

  it("reports a misspelled aim once", () => {
    assert.deepStrictEqual(errorsOf({ client: 4 }), [
      '/goal/client unknown_field is not a known field; did you mean "clients"?'
    ])
  })

  it("says where a field belongs that is in the wrong place", () => {
    assert.deepStrictEqual(errorsOf({ clients: 4, close_rate: 5 }), [
      "/goal/close_rate unknown_field is not a known field; move it out of goal, next to it"
    ])
    for (const name of ["chance", "revenue", "roi_multiple"]) {
      assert.deepStrictEqual(errorsOf({ clients: 4 }, { [name]: 5 }), [
        `/${name} unknown_field is not a known field; move it into goal, like {"goal": {"${name}": …}}`
      ])
    }
    assert.notInclude(errorsOf({ clients: 4 }, { evidence: { chance: 5 } }).join(), "move it into goal")
    // An unknown field gets the same advice as in a forecast.
    assert.match(errorsOf({ clients: 4 }, { open_rate: 5 })[0] ?? "", /^\/open_rate .*opens bring no client/)
    assert.deepStrictEqual(errorsOf({ clients: 4, open_rate: 5 }), [
      "/goal/open_rate unknown_field is not a known field; the fields are replies, meetings, clients, revenue, profit, roi_multiple, chance"
    ])
  })
})
