import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { type ForecastCall, Forecasts, type GoalCall } from "../../../src/forecast/Forecasts.ts"
import { forecastHandler } from "../../../src/http/handlers/ForecastHandlers.ts"
import { keyOf, sample } from "../../support/Samples.ts"

/** A handler, and the calls that it passed on. */
const recording = Effect.gen(function* () {
  const passedOn: Array<ForecastCall | GoalCall> = []
  const charge = { answer: "{}", balance: { remaining: 1, granted: 1 }, reference: "reference" }
  const forecasts = Forecasts.of({
    forecast: () => Effect.succeed(charge),
    goal: () => Effect.succeed(charge),
    forecastAll: (calls) =>
      Effect.sync(() => {
        passedOn.push(...calls)
        return calls.map(() => Result.succeed(charge))
      })
  })
  const { answer } = yield* Effect.provideService(forecastHandler, Forecasts, forecasts)
  const send = (name: string, body: string) =>
    answer([{ endpoint: "forecast", key: keyOf(name), headers: {}, body: Result.succeed(body) }])
  return { passedOn, send }
})

describe("the handler of forecasts", () => {
  const body = JSON.stringify(sample)

  it.effect("keeps what a key sends again, from the second time on, and passes the very same objects on", () =>
    Effect.gen(function* () {
      const { passedOn, send } = yield* recording
      for (const name of ["ada", "ada", "bob", "ada", "ada", "bob"]) yield* send(name, body)
      assert.deepStrictEqual(
        passedOn.map(({ isRepeated, keyId }) => `${keyId} ${isRepeated}`),
        ["key_ada false", "key_ada true", "key_bob false", "key_ada true", "key_ada true", "key_bob true"]
      )
      const [first, second, , third, fourth, ofBob] = passedOn.map(({ assumptions }) => assumptions)
      assert.deepStrictEqual(second, first)
      assert.notStrictEqual(second, first)
      assert.strictEqual(third, second)
      assert.strictEqual(fourth, second)
      assert.notStrictEqual(ofBob, second)
    })
  )

  it.effect("keeps no body that is long, and none that differs in a character", () =>
    Effect.gen(function* () {
      const { passedOn, send } = yield* recording
      for (let i = 0; i < 3; i++) yield* send("ada", body + " ".repeat(2048))
      for (let i = 0; i < 3; i++) yield* send("ada", body + " ".repeat(i))
      assert.deepStrictEqual(
        passedOn.map(({ isRepeated }) => isRepeated),
        [false, false, false, false, false, false]
      )
    })
  )
})
