import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { continueAll } from "../src/Many.ts"

describe("continueAll", () => {
  it.effect("continues with the successes, and keeps each failure in its place", () =>
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
    })
  )
})
