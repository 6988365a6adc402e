import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeRefusalPace } from "../../../src/http/handlers/refusalPace.ts"
import { until } from "../../support/Process.ts"

describe("the pace of refusals", () => {
  it.live("answers a few at once, and the others in their turn, some in each step", () =>
    Effect.gen(function* () {
      const pace = makeRefusalPace()
      const answered: Array<number> = []
      for (let i = 0; i < 35; i++) assert.isTrue(pace(() => void answered.push(i)))
      assert.lengthOf(answered, 10)
      yield* until(() => answered.length === 35)
      assert.deepStrictEqual(
        answered,
        Array.from({ length: 35 }, (_, i) => i)
      )
      yield* Effect.sleep("50 millis")
      pace(() => void answered.push(35))
      assert.lengthOf(answered, 36)
    })
  )

  it("takes no more than so many that wait", () => {
    const pace = makeRefusalPace()
    const taken = Array.from({ length: 5011 }, () => pace(() => {}))
    assert.deepStrictEqual([taken.lastIndexOf(true), taken.indexOf(false)], [5009, 5010])
  })
})
