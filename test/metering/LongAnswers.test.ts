import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber } from "effect"
import { makeHeldWorkers } from "../support/HeldWorkers.ts"
import { httpApplication, issueKey, post } from "../support/Http.ts"
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
        assert.include(text, '"basis":"evidence"')
      }
    }).pipe(Effect.provide(httpApplication({ workers })))
  })
})
