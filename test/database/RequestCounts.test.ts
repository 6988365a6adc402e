import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { stores } from "../support/Application.ts"

const day = 86_400_000

/** The seconds that a client must wait for one more of five requests per hour; 0 if it is allowed. */
const secondsToWait = Effect.gen(function* () {
  const limiter = yield* RateLimiter.RateLimiter
  return yield* limiter.consume({ key: "ada", limit: 5, window: "1 hour" }).pipe(
    Effect.as(0),
    Effect.catch(({ reason }) =>
      reason._tag === "RateLimitExceeded" ? Effect.succeed(Duration.toSeconds(reason.retryAfter)) : Effect.die(reason)
    )
  )
})

const { Postgres, SQLite } = stores

for (const [name, store] of Object.entries({ Postgres, SQLite })) {
  describe(`RequestCounts in ${name}`, () => {
    it.effect("never makes a client wait longer than a window, even if the clock is set back", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(40 * day)
        assert.deepStrictEqual(yield* Effect.replicateEffect(secondsToWait, 5), [0, 0, 0, 0, 0])
        assert.isAbove(yield* secondsToWait, 0)
        yield* TestClock.setTime(38 * day)
        assert.deepStrictEqual(yield* Effect.replicateEffect(secondsToWait, 5), [0, 0, 0, 0, 0])
        const wait = yield* secondsToWait
        assert.isAbove(wait, 0)
        assert.isAtMost(wait, 3600)
      }).pipe(Effect.provide(RateLimiter.layer.pipe(Layer.provide(store))))
    )

    it.effect("continues counting for an instance whose clock is a little behind", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(40 * day)
        assert.deepStrictEqual(yield* Effect.replicateEffect(secondsToWait, 5), [0, 0, 0, 0, 0])
        yield* TestClock.setTime(40 * day - 2000)
        assert.isAbove(yield* secondsToWait, 0)
      }).pipe(Effect.provide(RateLimiter.layer.pipe(Layer.provide(store))))
    )
  })
}
