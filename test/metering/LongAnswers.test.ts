import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber } from "effect"
import { makeHeldWorkers } from "../support/HeldWorkers.ts"
import { httpApplication, issueKey, post } from "../support/Http.ts"
import { until } from "../support/Process.ts"
import { measured, sample } from "../support/Samples.ts"

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

describe("bodies above 16 KiB", () => {
  it.effect("are read and answered in workers, and the others in the event loop", () => {
    const { arrived, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey(1000)
      for (const [path, body] of [
        ["/api/v1/forecast", sample],
        ["/api/v1/service/roi", sample],
        ["/api/v1/goals", { ...sample, goal: { clients: 4 } }]
      ] as const) {
        const text = JSON.stringify({ ...body, spread: "none" })
        const before = arrived()
        const short = yield* post(path, { key: secret, body: text.padEnd(16 * 1024, " ") })
        assert.strictEqual(arrived() - before, 0)
        const long = yield* post(path, { key: secret, body: text.padEnd(16 * 1024 + 1, " ") })
        assert.strictEqual(arrived() - before, 2)
        assert.deepStrictEqual([short.status, long.status], [200, 200])
        assert.strictEqual(long.text.replace(/"usage".*/, ""), short.text.replace(/"usage".*/, ""))
        const wrong = yield* post(path, { key: secret, body: text.replace(":5,", ':"5",').padEnd(20_000, " ") })
        assert.strictEqual(arrived() - before, 3)
        assert.deepStrictEqual(
          wrong.problem.errors?.map(({ pointer }) => pointer),
          ["/reply_rate"]
        )
      }
    }).pipe(Effect.provide(httpApplication({ workers })))
  })
})
