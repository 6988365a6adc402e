import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { body, campaigns, largeCampaigns, path } from "../support/CampaignRequests.ts"
import { makeHeldWorkers } from "../support/HeldWorkers.ts"
import { httpApplication, issueKey, post, send } from "../support/Http.ts"
import { until } from "../support/Process.ts"
import { serveWithTurns } from "../support/Turns.ts"

/** Requests the forecasts of this many campaigns, and disconnects at the signal. */
const askUntil = (signal: AbortSignal, key: string, count: number) =>
  send(path, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: body(campaigns(count)),
    signal
  })

describe("many campaigns", () => {
  it.live("do not block the event loop: 1,000 in 1 MiB, and 30 with 100,000,000 emails", () =>
    Effect.gen(function* () {
      const { withTurns, server } = yield* serveWithTurns(yield* temporaryDirectory, { DEMO_CREDITS: "10000" })
      const request = (text: string) =>
        Effect.promise(async () => {
          const headers = { "x-api-key": "demo", "content-type": "application/json" }
          const response = await fetch(server.url + path, { method: "POST", headers, body: text })
          await response.arrayBuffer()
          return response.status
        })
      yield* request(body(campaigns(50)))
      for (const text of [body(campaigns(1000)).padEnd(1024 * 1024, " "), body(largeCampaigns(30))]) {
        const { result, usual } = yield* withTurns(request(text))
        assert.strictEqual(result, 200)
        assert.isBelow(usual, 20)
      }
    })
  )

  it.effect("are not computed, and cost nothing, if the client disconnects", () => {
    const { arrived, givenUp, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(1000)
      const disconnect = new AbortController()
      yield* holdAfter(0)
      const call = Effect.exit(askUntil(disconnect.signal, secret, 1000))
      const busy = yield* Effect.forkChild(post(path, { key: (yield* issueKey()).secret, body: body(campaigns(1)) }))
      yield* until(() => arrived() === 1)
      yield* Effect.forkChild(call)
      yield* until(() => arrived() === 2)
      disconnect.abort()
      yield* until(() => givenUp() === 1)
      yield* release
      yield* Fiber.join(busy)
      assert.strictEqual((yield* post(path, { key: secret, body: body(campaigns(1)) })).status, 200)
      assert.strictEqual((yield* credits.balance(id)).remaining, 999)
      // A computed list is read, forecast and summed up; nothing of that was done for the disconnected client.
      assert.strictEqual(arrived(), 3 + 1 + 3)
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

  it.effect("count as requests of the key if they were computed for a client that disconnected", () => {
    const { arrived, givenUp, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(1000)
      const disconnect = new AbortController()
      // Reading and the first 25 forecasts; the next ones are delayed.
      yield* holdAfter(2)
      yield* Effect.forkChild(Effect.exit(askUntil(disconnect.signal, secret, 100)))
      yield* until(() => arrived() === 3)
      disconnect.abort()
      // The server noticed this before it answers these.
      for (let i = 0; i < 3; i++) yield* send("/livez")
      yield* release
      yield* until(() => givenUp() === 1)
      const refused = yield* post("/api/v1/forecast", { key: secret })
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.problem.code, "rate_limited")
      assert.strictEqual((yield* credits.balance(id)).remaining, 1000)
    }).pipe(Effect.provide(httpApplication({ workers, env: { KEY_REQUESTS_PER_SECOND: "10" } })))
  })

  it.effect("count as requests of the key if its credits were spent while they were computed", () => {
    const { arrived, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(30)
      yield* holdAfter(2)
      const list = yield* Effect.forkChild(post(path, { key: secret, body: body(campaigns(30)) }))
      yield* until(() => arrived() === 3)
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
      yield* release
      assert.strictEqual((yield* Fiber.join(list)).problem.code, "usage_exhausted")
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).problem.code, "rate_limited")
      assert.strictEqual((yield* credits.balance(id)).remaining, 29)
    }).pipe(Effect.provide(httpApplication({ workers, env: { KEY_REQUESTS_PER_SECOND: "10" } })))
  })

  it.effect(
    "are refused with 503 and Retry-After for a key that has four lists in progress, which are answered in order",
    () => {
      const { arrived, holdAfter, release, workers } = makeHeldWorkers()
      return Effect.gen(function* () {
        const { secret } = yield* issueKey(1000)
        const other = yield* issueKey(1000)
        const request = (key: string, count: number) => post(path, { key, body: body(campaigns(count)) })
        yield* holdAfter(0)
        const lists = []
        for (const count of [5, 4, 3, 2]) {
          lists.push(yield* Effect.forkChild(request(secret, count)))
          yield* until(() => arrived() === lists.length)
        }
        const refused = yield* request(secret, 1)
        assert.strictEqual(refused.status, 503)
        assert.strictEqual(refused.headers.get("retry-after"), "1")
        const ofOther = yield* Effect.forkChild(request(other.secret, 1))
        yield* until(() => arrived() === 5)
        yield* release
        assert.strictEqual((yield* Fiber.join(ofOther)).status, 200)
        const responses = yield* Effect.forEach(lists, Fiber.join)
        assert.deepStrictEqual(
          responses.map(({ text }) => text.match(/"credits_remaining":(\d+)/)?.[1]),
          ["995", "991", "988", "986"]
        )
      }).pipe(Effect.provide(httpApplication({ workers })))
    }
  )

  it.effect(
    "are dropped from the end of the longest queue for another key's first list once 50 are in progress",
    () => {
      const { arrived, holdAfter, release, workers } = makeHeldWorkers()
      return Effect.gen(function* () {
        const keys = yield* Effect.replicateEffect(issueKey(1000), 13)
        const late = yield* issueKey(1000)
        const request = (key: string) => post(path, { key, body: body(campaigns(2)) })
        const statuses: Array<number> = []
        yield* holdAfter(0)
        const lists = yield* Effect.forkChild(
          Effect.forEach(
            [...keys, ...keys, ...keys, ...keys],
            ({ secret }) => Effect.map(request(secret), ({ status }) => statuses.push(status)),
            { concurrency: "unbounded" }
          )
        )
        yield* until(() => arrived() + statuses.length === 52)
        const ofLate = yield* Effect.forkChild(request(late.secret))
        yield* until(() => arrived() === 51)
        yield* release
        assert.strictEqual((yield* Fiber.join(ofLate)).status, 200)
        yield* Fiber.join(lists)
        assert.deepStrictEqual(
          [200, 503].map((expected) => statuses.filter((status) => status === expected).length),
          [49, 3]
        )
        const credits = yield* Credits
        const left = yield* Effect.forEach(keys, ({ id }) => credits.balance(id))
        assert.strictEqual(
          left.reduce((sum, { remaining }) => sum + remaining, 0),
          13_000 - 2 * 49
        )
      }).pipe(Effect.provide(httpApplication({ workers })))
    }
  )

  it.effect(
    "are refused before anything is computed if the credits do not suffice, now or once the lists ahead are charged",
    () => {
      const { arrived, holdAfter, release, workers } = makeHeldWorkers()
      return Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const request = (count: number) => post(path, { key: secret, body: body(campaigns(count)) })
        const tooMany = yield* request(11)
        assert.strictEqual(tooMany.status, 429)
        assert.strictEqual(tooMany.problem.code, "usage_exhausted")
        // It was read, and nothing else.
        assert.strictEqual(arrived(), 1)
        yield* holdAfter(0)
        const lists = []
        for (const count of [6, 5, 7, 8]) {
          lists.push(yield* Effect.forkChild(request(count)))
          yield* until(() => arrived() === 1 + lists.length)
        }
        yield* release
        const responses = yield* Effect.forEach(lists, Fiber.join)
        assert.deepStrictEqual(
          responses.map(({ status }) => status),
          [200, 429, 429, 429]
        )
        // All were read; only the first was forecast, added up, summarized and compared.
        assert.strictEqual(arrived(), 1 + 4 + 4)
      }).pipe(Effect.provide(httpApplication({ workers })))
    }
  )
})
