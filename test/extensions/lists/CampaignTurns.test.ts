import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { temporaryDirectory } from "../../support/Application.ts"
import { body, campaigns, largeCampaigns, path } from "../../support/CampaignRequests.ts"
import { makeHeldWorkers } from "../../support/HeldWorkers.ts"
import { httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { until } from "../../support/Process.ts"
import { postTo } from "../../support/Requests.ts"
import { serveWithTurns } from "../../support/Turns.ts"
import { slowly } from "../../support/slowly.ts"

/** Requests the forecasts of this many campaigns, and disconnects at the signal. */
const askUntil = (signal: AbortSignal, key: string, count: number) =>
  send(path, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: body(campaigns(count)),
    signal
  })

describe("many campaigns", slowly, () => {
  it.live("do not block the event loop: 1,000 in 1 MiB, and 30 with 100,000,000 emails", () =>
    Effect.gen(function* () {
      const { withTurns, server } = yield* serveWithTurns(yield* temporaryDirectory, { DEMO_CREDITS: "10000" })
      const request = (text: string) =>
        Effect.map(postTo(server.url, path, text, { "x-api-key": "demo" }), ({ status }) => status)
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
      // A list of one is decoded, forecast, ranked and written; nothing of that was done for the disconnected client.
      assert.strictEqual(arrived(), 4 + 1 + 4)
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

  it.effect("count as requests of the key if they were computed for a client that disconnected", () => {
    const { arrived, givenUp, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(1000)
      const disconnect = new AbortController()
      // The list is decoded, and 20 campaigns are forecast; the next one is delayed.
      yield* holdAfter(1 + 20)
      yield* Effect.forkChild(Effect.exit(askUntil(disconnect.signal, secret, 100)))
      yield* until(() => arrived() === 1 + 20 + 1)
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
      yield* holdAfter(1 + 20)
      const list = yield* Effect.forkChild(post(path, { key: secret, body: body(campaigns(30)) }))
      yield* until(() => arrived() === 1 + 20 + 1)
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
      yield* release
      assert.strictEqual((yield* Fiber.join(list)).problem.code, "usage_exhausted")
      assert.strictEqual(arrived(), 1 + 20 + 1)
      assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).problem.code, "rate_limited")
      assert.strictEqual((yield* credits.balance(id)).remaining, 29)
    }).pipe(Effect.provide(httpApplication({ workers, env: { KEY_REQUESTS_PER_SECOND: "10" } })))
  })

  it.effect("end, and cost nothing, if their key is revoked while they are computed", () => {
    const { arrived, holdAfter, release, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(100)
      yield* holdAfter(10)
      const list = yield* Effect.forkChild(post(path, { key: secret, body: body(campaigns(30)) }))
      yield* until(() => arrived() === 11)
      yield* (yield* ApiKeys).revoke(id, "owner")
      yield* release
      assert.strictEqual((yield* Fiber.join(list)).problem.code, "key_revoked")
      assert.strictEqual(arrived(), 11)
      assert.strictEqual((yield* credits.balance(id)).remaining, 100)
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

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
        // It was decoded, and refused in its next turn.
        assert.strictEqual(arrived(), 2)
        yield* holdAfter(0)
        const lists = [yield* Effect.forkChild(request(6))]
        yield* until(() => arrived() === 3)
        for (const count of [5, 7, 8]) lists.push(yield* Effect.forkChild(request(count)))
        yield* release
        const responses = yield* Effect.forEach(lists, Fiber.join)
        assert.deepStrictEqual(
          responses.map(({ status }) => status),
          [200, 429, 429, 429]
        )
        // The first was decoded, forecast, added up at 32 levels and without any, ranked and written; the others decoded, and refused like that one.
        assert.strictEqual(arrived(), 2 + (1 + 6 + (32 + 1) + 6 + 1) + 3 * 2)
      }).pipe(Effect.provide(httpApplication({ workers })))
    }
  )
})
