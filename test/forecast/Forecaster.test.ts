import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { decodeAssumptions } from "../../src/campaign/Assumptions.ts"
import { Forecaster, type Turn } from "../../src/forecast/Forecaster.ts"
import { exampleGoal } from "../../src/forecast/goals/GoalRequest.ts"
import { exampleInFlight } from "../../src/forecast/progress/ProgressRequest.ts"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { measured, sample } from "../support/Samples.ts"

describe("Forecaster", () => {
  it.effect("gives its turn back after each rate that it learns from a history", () =>
    Effect.gen(function* () {
      const { forecast, goal, legacy, progress } = yield* Forecaster
      const assumptions = yield* Effect.fromResult(decodeAssumptions({ ...sample, ...measured }))
      for (const compute of [
        (turn: Turn<never>) => forecast(assumptions, turn),
        (turn: Turn<never>) => legacy(assumptions, turn),
        (turn: Turn<never>) => goal({ ...exampleGoal, assumptions }, turn),
        (turn: Turn<never>) => progress({ ...exampleInFlight, assumptions }, turn)
      ]) {
        let turns = 0
        yield* compute({ of: { key: "a" }, admit: Effect.void, spend: () => Effect.sync(() => void turns++) })
        assert.isAbove(turns, 2)
      }
    }).pipe(Effect.provide(Forecaster.layerPure))
  )

  it.effect("computes nothing if it is refused when its turn comes", () =>
    Effect.gen(function* () {
      const { progress } = yield* Forecaster
      const refused = progress(exampleInFlight, { of: { key: "a" }, admit: Effect.fail("refused") })
      assert.strictEqual(yield* Effect.flip(refused), "refused")
    }).pipe(Effect.provide(Forecaster.layerPure))
  )

  it.effect(
    "has one list of a key in progress and three that wait in order, and those of another key beside them",
    () =>
      Effect.gen(function* () {
        const { list } = yield* Forecaster
        const order: Array<string> = []
        const request = { text: body(campaigns(1)), type: "json", answer: "json" } as const
        const hold = yield* Latch.make()
        const begin = (of: string, name: string) =>
          list(request, of).pipe(
            Effect.tap(() => Effect.sync(() => order.push(name))),
            Effect.andThen(hold.await),
            Effect.scoped,
            Effect.forkChild({ startImmediately: true })
          )
        const lists = []
        for (const name of ["a1", "a2", "a3", "b1"]) lists.push(yield* begin(name.slice(0, 1), name))
        assert.deepStrictEqual(order, ["a1", "b1"])
        lists.push(yield* begin("a", "a4"))
        assert.strictEqual((yield* Effect.flip(Effect.scoped(list(request, "a"))))._tag, "Overloaded")
        yield* Fiber.interrupt(yield* begin("b", "b2"))
        yield* hold.open
        yield* Effect.forEach(lists, Fiber.join)
        assert.deepStrictEqual(order, ["a1", "b1", "a2", "a3", "a4"])
      }).pipe(Effect.provide(Forecaster.layerPure))
  )
})
