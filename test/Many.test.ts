import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { continueAll, mapInTurns, onlyResult } from "../src/Many.ts"

/** Holds the event loop for some milliseconds. */
const hold = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end) continue
}

describe("mapInTurns", () => {
  it.live("computes everything, in order, and lets others in between", () =>
    Effect.gen(function* () {
      let turns = 0
      const others = yield* Effect.forkChild(
        Effect.forever(
          Effect.callback<void>((resume) => {
            turns++
            setImmediate(() => resume(Effect.void))
          })
        )
      )
      const items = Array.from({ length: 40 }, (_, i) => i)
      const doubled = yield* mapInTurns(items, function* (item) {
        hold(1)
        yield
        hold(1)
        return item * 2
      })
      yield* Fiber.interrupt(others)
      assert.deepStrictEqual(
        doubled,
        items.map((item) => item * 2)
      )
      assert.isAtLeast(turns, 5)
    })
  )
})

describe("continueAll", () => {
  it.effect("goes on with what has succeeded, and keeps what has failed in its place", () =>
    Effect.gen(function* () {
      const results = [Result.succeed(1), Result.fail("a"), Result.succeed(2), Result.succeed(3), Result.fail("b")]
      const continued = yield* continueAll(results, (values) =>
        Effect.succeed(values.map((value) => (value === 2 ? Result.fail("two") : Result.succeed(value * 10))))
      )
      assert.deepStrictEqual(continued, [
        Result.succeed(10),
        Result.fail("a"),
        Result.fail("two"),
        Result.succeed(30),
        Result.fail("b")
      ])
      assert.strictEqual(yield* onlyResult([Result.succeed(4)]), 4)
      assert.strictEqual(yield* Effect.flip(onlyResult([Result.fail("c")])), "c")
    })
  )
})
