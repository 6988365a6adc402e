import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Deferred, Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../src/credits/Credits.ts"
import { KeyId } from "../../src/KeyStatus.ts"
import { Forecasts } from "../../src/metering/Forecasts.ts"
import { operations } from "../../src/metering/Operations.ts"
import { application } from "../support/Application.ts"
import { makeHeldWorkers } from "../support/HeldWorkers.ts"
import { httpApplication, issueKey, post, send } from "../support/Http.ts"
import { until } from "../support/Process.ts"
import { measured } from "../support/Samples.ts"

describe("slow responses", () => {
  it.effect("do not delay fast ones", () => {
    const { arrived, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey(1000)
      yield* holdAfter(0)
      const long = yield* Effect.forkChild(
        Effect.forEach(
          Arr.makeBy(60, (i) => JSON.stringify({ ...measured, emails_sent: 5000 + i })),
          (body) => post("/api/v1/forecast", { key: secret, body }),
          { concurrency: "unbounded" }
        )
      )
      yield* until(() => arrived() === 60)
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
      yield* release
      for (const { status, text } of yield* Fiber.join(long)) {
        assert.strictEqual(status, 200)
        assert.include(text, '"basis":"history"')
      }
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

  it.effect("are not computed if the credits are spent while they wait", () => {
    const { arrived, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey(1)
      yield* holdAfter(0)
      const slow = yield* Effect.forkChild(post("/api/v1/forecast", { key: secret, body: JSON.stringify(measured) }))
      yield* until(() => arrived() === 1)
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
      yield* release
      assert.strictEqual((yield* Fiber.join(slow)).problem.code, "usage_exhausted")
      // Of three requests in this second, none was computed in vain.
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).problem.code, "usage_exhausted")
    }).pipe(Effect.provide(httpApplication({ workers, env: { KEY_REQUESTS_PER_SECOND: "3" } })))
  })
})

describe("a slow response that is computed in vain", () => {
  it.effect("counts against the limit of its key if the client disconnects, and costs no credit", () => {
    const { arrived, givenUp, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey(10)
      yield* holdAfter(0)
      const disconnect = new AbortController()
      const request = send("/api/v1/forecast", {
        method: "POST",
        headers: { "x-api-key": secret, "content-type": "application/json" },
        body: JSON.stringify(measured),
        signal: disconnect.signal
      })
      yield* Effect.forkChild(Effect.exit(request))
      yield* until(() => arrived() === 1)
      disconnect.abort()
      // The thread has begun, so it computes its first piece to the end.
      for (let i = 0; i < 3; i++) yield* send("/livez")
      assert.strictEqual(givenUp(), 0)
      yield* release
      yield* until(() => givenUp() === 1)
      assert.strictEqual(arrived(), 1)
      // Of two requests in this second, one was sent and one computed in vain.
      const { json, status } = yield* post("/api/v1/forecast", { key: secret })
      assert.strictEqual(status, 429)
      assert.strictEqual(json["code"], "rate_limited")
      yield* TestClock.adjust("1 second")
      const { json: usage } = yield* send("/api/v1/usage", { headers: { "x-api-key": secret } })
      assert.strictEqual(usage["credits_remaining"], 10)
    }).pipe(Effect.provide(httpApplication({ workers, env: { KEY_REQUESTS_PER_SECOND: "2" } })))
  })

  it.effect("counts, too, if the client disconnects while the charge waits", () => {
    const [charging, hold] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    const credits = Layer.mock(Credits, {
      precheck: () => Effect.undefined,
      chargeAll: () => Effect.as(Effect.andThen(Deferred.succeed(charging, undefined), Deferred.await(hold)), [])
    })
    return Effect.gen(function* () {
      const { forecast } = yield* Forecasts
      const wasted: Array<number> = []
      const call = Effect.uninterruptible(
        forecast({
          keyId: KeyId.make("key_1"),
          idempotency: undefined,
          request: Result.getOrThrow(operations.forecast.read(measured)),
          onWasted: (forecasts) => wasted.push(forecasts)
        })
      )
      const first = yield* Effect.forkChild(call)
      yield* Deferred.await(charging)
      const waiting = yield* Effect.forkChild(call, { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      assert.deepStrictEqual(wasted, [1])
      yield* Deferred.succeed(hold, undefined)
      yield* Fiber.await(first)
    }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provide(credits), Layer.provide(application()))))
  })
})
