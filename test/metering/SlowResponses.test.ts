import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeHeldWorkers } from "../support/HeldWorkers.ts"
import { httpApplication, issueKey, post, send } from "../support/Http.ts"
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
        assert.include(text, '"basis":"history"')
      }
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

  it.effect("are computed only as far as the credits suffice, also if the client of an earlier one disconnects", () => {
    const { arrived, givenUp, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey(2)
      const request = (emails: number, signal?: AbortSignal) =>
        send("/api/v1/forecast", {
          method: "POST",
          headers: { "x-api-key": secret, "content-type": "application/json" },
          body: JSON.stringify({ ...measured, emails_sent: emails }),
          signal: signal ?? null
        })
      yield* holdAfter(0)
      // A thread is computing it.
      const other = yield* Effect.forkChild(
        post("/api/v1/forecast", { key: (yield* issueKey()).secret, body: JSON.stringify(measured) })
      )
      yield* until(() => arrived() === 1)
      const disconnect = new AbortController()
      yield* Effect.forkChild(Effect.exit(request(1000, disconnect.signal)))
      yield* until(() => arrived() === 2)
      const statuses: Array<number> = []
      const others = yield* Effect.forkChild(
        Effect.forEach(
          [2000, 3000, 4000],
          (emails) => Effect.map(request(emails), ({ status }) => statuses.push(status)),
          {
            concurrency: "unbounded"
          }
        )
      )
      yield* until(() => arrived() === 3)
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
      assert.deepStrictEqual([arrived(), statuses], [3, []])
      disconnect.abort()
      yield* until(() => givenUp() === 1)
      yield* release
      yield* Fiber.join(other)
      yield* Fiber.join(others)
      assert.deepStrictEqual(
        statuses.toSorted((a, b) => a - b),
        [200, 429, 429]
      )
      assert.strictEqual(arrived(), 3)
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

  it.effect("that wait for an earlier one are computed if its client disconnects", () => {
    const { arrived, givenUp, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey(1)
      const request = (key: string, signal: AbortSignal | null = null) =>
        send("/api/v1/forecast", {
          method: "POST",
          headers: { "x-api-key": key, "content-type": "application/json" },
          body: JSON.stringify(measured),
          signal
        })
      yield* holdAfter(0)
      const busy = yield* Effect.forkChild(request((yield* issueKey()).secret))
      yield* until(() => arrived() === 1)
      const disconnect = new AbortController()
      yield* Effect.forkChild(Effect.exit(request(secret, disconnect.signal)))
      yield* until(() => arrived() === 2)
      const second = yield* Effect.forkChild(request(secret))
      for (let i = 0; i < 3; i++) yield* send("/livez")
      assert.strictEqual(arrived(), 2)
      disconnect.abort()
      yield* until(() => arrived() === 3)
      assert.strictEqual(givenUp(), 1)
      yield* release
      yield* Fiber.join(busy)
      assert.strictEqual((yield* Fiber.join(second)).status, 200)
    }).pipe(Effect.provide(httpApplication({ workers })))
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
      // The thread has begun, so it computes to the end.
      for (let i = 0; i < 3; i++) yield* send("/livez")
      assert.strictEqual(givenUp(), 0)
      yield* release
      yield* until(() => givenUp() === 1)
      // Of two requests in this second, one was sent and one computed in vain.
      const { json, status } = yield* post("/api/v1/forecast", { key: secret })
      assert.strictEqual(status, 429)
      assert.strictEqual(json["code"], "rate_limited")
      yield* TestClock.adjust("1 second")
      const { json: usage } = yield* send("/api/v1/usage", { headers: { "x-api-key": secret } })
      assert.strictEqual(usage["credits_remaining"], 10)
    }).pipe(Effect.provide(httpApplication({ workers, env: { KEY_REQUESTS_PER_SECOND: "2" } })))
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
