import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeAssumptions } from "../../src/campaign/Assumptions.ts"
import { goalOperation } from "../../src/extensions/goals/goalOperation.ts"
import { progressOperation } from "../../src/extensions/progress/progressOperation.ts"
import { Forecaster, type Turn } from "../../src/forecast/Forecaster.ts"
import { exampleGoal } from "../../src/extensions/goals/GoalRequest.ts"
import { exampleInFlight } from "../../src/extensions/progress/ProgressRequest.ts"
import { measured, sample } from "../support/Samples.ts"

describe("Forecaster", () => {
  it.effect("gives its turn back after each rate that it learns from a history", () =>
    Effect.gen(function* () {
      const forecaster = yield* Forecaster
      const { forecast, legacy } = forecaster
      const assumptions = yield* Effect.fromResult(decodeAssumptions({ ...sample, ...measured }))
      for (const compute of [
        (turn: Turn<never>) => forecast(assumptions, turn),
        (turn: Turn<never>) => legacy(assumptions, turn),
        (turn: Turn<never>) => goalOperation.compute(forecaster)({ ...exampleGoal, assumptions }, turn),
        (turn: Turn<never>) => progressOperation.compute(forecaster)({ ...exampleInFlight, assumptions }, turn)
      ]) {
        let turns = 0
        yield* compute({ of: { key: "a" }, admit: Effect.void, spend: () => Effect.sync(() => void turns++) })
        assert.isAbove(turns, 2)
      }
    }).pipe(Effect.provide(Forecaster.layerPure))
  )

  it.effect("computes nothing if it is refused when its turn comes", () =>
    Effect.gen(function* () {
      const refused = progressOperation.compute(yield* Forecaster)(exampleInFlight, {
        of: { key: "a" },
        admit: Effect.fail("refused")
      })
      assert.strictEqual(yield* Effect.flip(refused), "refused")
    }).pipe(Effect.provide(Forecaster.layerPure))
  )
})
