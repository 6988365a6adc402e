import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { Draining } from "../../../src/http/server/Draining.ts"
import { settings } from "../../support/Application.ts"

describe("a service that stops", () => {
  it.live("waits for a request that it accepted, but not for those that it refuses", () =>
    Effect.gen(function* () {
      const draining = yield* Draining
      const leave = draining.enter()
      const drained = yield* Effect.forkChild(draining.drain)
      yield* draining.refusing
      // On a slow machine, a caller that keeps retrying always has a request that is being refused.
      draining.enter()
      yield* Effect.sleep("1 second")
      assert.isUndefined(drained.pollUnsafe())
      leave()
      // If it also waits for the refused one, that takes 7 seconds.
      yield* Effect.timeout(Fiber.join(drained), "4 seconds")
    }).pipe(Effect.provide(Draining.layer.pipe(Layer.provide(settings()))))
  )
})
