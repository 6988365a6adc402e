import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Draining } from "../../src/http/server/Draining.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { KeyLimits } from "../../src/keys/KeyLimits.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { RevealLinks } from "../../src/keys/RevealLinks.ts"
import { Sessions } from "../../src/extensions/account/Sessions.ts"
import { Notices } from "../../src/extensions/notices/Notices.ts"
import { SubKeys } from "../../src/extensions/subkeys/SubKeys.ts"
import { application, storesWith } from "../support/Application.ts"
import { httpApplication, issueKey, post, send, serveHere, unknownKey } from "../support/Http.ts"
import { until, untilFound } from "../support/Process.ts"
import { openClient, pause } from "../support/Sockets.ts"

const forecastPath = "/api/v1/forecast"

const sendRequest = (key: string, client = "192.0.2.1", path = forecastPath) =>
  path === forecastPath
    ? post(path, { key, headers: { "x-forwarded-for": client } })
    : send(path, { headers: { "x-api-key": key, "x-forwarded-for": client } })

const statusOf = (...request: Parameters<typeof sendRequest>) =>
  Effect.map(sendRequest(...request), ({ status }) => status)

const limits = { TRUSTED_PROXIES: "127.0.0.1", WRONG_KEYS_PER_MINUTE: "3", KEY_REQUESTS_PER_SECOND: "5" }

// Each refusal takes a tenth of a second.
const together = { concurrency: "unbounded" } as const

/** Sends as many wrong keys from a client as it may. */
const useUp = Effect.fnUntraced(function* (client?: string) {
  const wrong = Effect.flatMap(unknownKey, (key) => statusOf(key, client))
  assert.deepStrictEqual(yield* Effect.replicateEffect(wrong, 3, together), [401, 401, 401])
})

/** Sends wrong keys from a client until 100 of them wait in the queue. Returns the responses to all later ones. */
const fillLine = Effect.fnUntraced(function* (client: string = "192.0.2.1") {
  yield* useUp(client)
  return yield* fillQueue(client)
})

/** The same for a client that has sent as many as it may. */
const fillQueue = Effect.fnUntraced(function* (client: string) {
  const responses: Array<number> = []
  const wrong = Effect.flatMap(unknownKey, (key) => statusOf(key, client))
  yield* Effect.forkChild(
    Effect.replicateEffect(
      Effect.tap(wrong, (status) => Effect.sync(() => responses.push(status))),
      101,
      { concurrency: "unbounded" }
    )
  )
  yield* until(() => responses.length > 0)
  assert.deepStrictEqual(responses, [429])
  return responses
})

/** Stores in which a look-up finds nothing, and the hashes that were looked up. */
const emptyStores = () => {
  const lookedUp: Array<string> = []
  const stores = storesWith(KeyStore, {
    findSecrets: (hashes) =>
      Effect.sync(() => {
        lookedUp.push(...hashes)
        return new Map()
      })
  })
  return { lookedUp, stores }
}

describe("wrong keys", () => {
  it.effect(
    "are queued once their client has sent too many; with 100 in the queue, more get 429 without a look-up",
    () => {
      const { lookedUp, stores } = emptyStores()
      return Effect.gen(function* () {
        const responses = yield* fillLine()
        assert.lengthOf(lookedUp, 3)
        for (const path of [forecastPath, "/api/v1/usage", "/api/v1/credits/ledger"]) {
          const refused = yield* sendRequest(yield* unknownKey, "192.0.2.1", path)
          assert.include(refused.problem, { status: 429, code: "rate_limited", retryable: true }, path)
          assert.strictEqual(refused.headers.get("retry-after"), "20")
          assert.isNull(refused.headers.get("ratelimit"))
        }
        assert.lengthOf(lookedUp, 3)
        assert.strictEqual(yield* statusOf(yield* unknownKey, "192.0.2.2"), 401)
        yield* TestClock.adjust("20 seconds")
        yield* until(() => responses.length === 2)
        assert.deepStrictEqual(responses, [429, 401])
        assert.lengthOf(lookedUp, 5)
      }).pipe(Effect.provide(httpApplication({ stores, env: limits })))
    }
  )

  it.effect("include neither revoked keys nor missing or mistyped ones, which need no look-up", () =>
    Effect.gen(function* () {
      const { revoke } = yield* ApiKeys
      const { id, secret } = yield* issueKey()
      yield* revoke(id, "owner")
      for (const [key, code, count, path] of [
        ["", "missing_key", 10],
        ["mistyped", "invalid_key", 10],
        ["mistyped", "invalid_key", 10, "/api/v1/credits/ledger"],
        [secret, "key_revoked", 5]
      ] as const) {
        const refused = yield* Effect.replicateEffect(sendRequest(key, undefined, path), count, together)
        assert.deepStrictEqual(
          refused.map(({ problem }) => problem.code),
          Array.from(refused, () => code)
        )
      }
      // It is held to the limit of a key.
      assert.strictEqual((yield* sendRequest(secret, undefined, "/api/v1/usage")).problem.code, "rate_limited")
      // No token was taken.
      yield* useUp()
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* sendRequest(secret)).problem.code, "key_revoked")
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("do not affect a key from the same address, valid or revoked, whose requests count by themselves", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const subKeys = yield* SubKeys
      const key = yield* issueKey()
      const { secret, subKey } = yield* subKeys.create(key.id, { name: "CRM", monthlyLimit: null })
      assert.strictEqual(yield* statusOf(key.secret), 200)
      assert.strictEqual(yield* statusOf(Redacted.value(secret)), 200)
      yield* fillLine()
      assert.strictEqual(yield* statusOf(key.secret), 200)
      yield* subKeys.revoke(key.id, subKey.id, "owner")
      yield* TestClock.adjust("1 second")
      for (let i = 0; i < 10; i++) yield* sendRequest(Redacted.value(secret))
      assert.strictEqual((yield* sendRequest(Redacted.value(secret))).problem.code, "rate_limited")
      for (let i = 0; i < 4; i++) assert.strictEqual(yield* statusOf(key.secret), 200)
      yield* apiKeys.revoke(key.id, "owner")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* sendRequest(key.secret)).problem.code, "key_revoked")
      assert.strictEqual((yield* sendRequest(key.secret)).problem.code, "key_revoked")
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("include a key that was valid before", () =>
    Effect.gen(function* () {
      const { id, secret } = yield* issueKey()
      assert.strictEqual(yield* statusOf(secret), 200)
      yield* (yield* ApiKeys).rotate(id, 0)
      for (const key of [secret, yield* unknownKey, yield* unknownKey]) assert.strictEqual(yield* statusOf(key), 401)
      yield* fillQueue("192.0.2.1")
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("include a key once that ends while many requests with it are in flight", () =>
    Effect.gen(function* () {
      const { admit, note } = yield* KeyLimits
      const request = { headers: {}, socket: { remoteAddress: "192.0.2.1", destroy: () => undefined } }
      const valid = (hash: string) => admit(request, { hash, lookUp: Effect.void, bucketOf: () => "key" })
      yield* valid("old")
      for (let i = 0; i < 100; i++) note(request, "old", "key", undefined)
      const next = yield* Effect.forkChild(valid("new"), { startImmediately: true })
      assert.isDefined(next.pollUnsafe())
    }).pipe(
      Effect.provide(KeyLimits.layer.pipe(Layer.provide(Draining.layer), Layer.provide(application({ env: limits }))))
    )
  )

  it.effect("do not include valid keys, though more new ones arrive at once than wrong keys are allowed", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.replicateEffect(issueKey(), 20)
      const statuses = yield* Effect.forEach(keys, ({ secret }) => statusOf(secret), together)
      assert.deepStrictEqual(
        statuses,
        statuses.map(() => 200)
      )
      // They used no token for wrong keys.
      yield* useUp()
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("do not block valid keys queued behind them: the next token lets all of these through", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.replicateEffect(issueKey(), 20)
      yield* useUp()
      const responses: Array<number> = []
      yield* Effect.forkChild(
        Effect.forEach(keys, ({ secret }) => Effect.map(statusOf(secret), (status) => responses.push(status)), {
          concurrency: "unbounded"
        })
      )
      yield* TestClock.adjust("19 seconds")
      assert.strictEqual(yield* statusOf(""), 401)
      assert.deepStrictEqual(responses, [])
      // Later ones find the unused token.
      yield* TestClock.adjust("1 second")
      yield* until(() => responses.length === keys.length)
      assert.isTrue(responses.every((status) => status === 200))
      assert.strictEqual(yield* statusOf(yield* unknownKey), 401)
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("leave the queue if their client disconnects", () =>
    Effect.gen(function* () {
      yield* useUp()
      const disconnect = new AbortController()
      for (const path of [forecastPath, "/api/v1/credits/ledger"]) {
        const init = path === forecastPath ? { method: "POST", body: "{}" } : {}
        const headers = { "x-api-key": yield* unknownKey, "x-forwarded-for": "192.0.2.1" }
        const call = send(path, { ...init, headers, signal: disconnect.signal })
        yield* Effect.forkChild(Effect.replicateEffect(Effect.exit(call), 50, { concurrency: "unbounded" }))
      }
      const next = Effect.flatMap(unknownKey, (key) => Effect.raceFirst(statusOf(key), Effect.as(pause(500), "waits")))
      yield* untilFound(next, (status) => status === 429)
      disconnect.abort()
      yield* untilFound(next, (status) => status === "waits")
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("are those of one client if they come from one IPv6 /64", () =>
    Effect.gen(function* () {
      yield* fillLine("2001:db8:1:2::1")
      for (const same of ["[2001:db8:1:2:ffff::9]", "2001:db8:1:2::3, 127.0.0.1", "2001:DB8:1:2::4"]) {
        assert.strictEqual(yield* statusOf(yield* unknownKey, same), 429, same)
      }
      assert.strictEqual(yield* statusOf(yield* unknownKey, "2001:db8:1:3::1"), 401)
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("are those of one client if they come through a trusted proxy", () =>
    Effect.gen(function* () {
      // A client's own entry comes before that of the proxy.
      yield* fillLine("198.51.100.1, 203.0.113.7")
      for (const same of ["198.51.100.2, 203.0.113.7", "::ffff:203.0.113.7", "203.0.113.7:8080"]) {
        assert.strictEqual(yield* statusOf(yield* unknownKey, same), 429, same)
      }
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("are at most 100 in line of all clients: the newest of whoever has the most there goes first", () =>
    Effect.gen(function* () {
      const responses = yield* fillLine("192.0.2.1")
      yield* useUp("192.0.2.2")
      const key = yield* issueKey()
      const valid = yield* Effect.forkChild(statusOf(key.secret, "192.0.2.2"))
      yield* until(() => responses.length === 2)
      assert.deepStrictEqual(responses, [429, 429])
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* Fiber.join(valid), 200)
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.live("give way in line: others are served on a server whose connections they have all taken", () =>
    Effect.gen(function* () {
      const { port } = yield* serveHere({ ...limits, MAX_CONNECTIONS: "30", WRONG_KEYS_PER_MINUTE: "1" })
      const get = (path: string, client: string, field = "") =>
        `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n${field}\r\n`
      const wrong = (i: number, field?: string) => get(`/unsubscribe/${i}`, `2001:db8:0:${i % 3}::1`, field)
      for (const i of [0, 1, 2]) {
        const first = yield* openClient(port, wrong(i, "Connection: close\r\n"))
        yield* until(first.isClosed)
      }
      const waiting = yield* Effect.forEach(Array.from({ length: 30 }), (_, i) => openClient(port, wrong(i + 3)))
      yield* pause(150)
      const others = yield* Effect.forEach(Array.from({ length: 20 }), (_, i) =>
        Effect.gen(function* () {
          const other = yield* openClient(port, get("/livez", `198.51.100.${i}`))
          yield* until(() => other.received() !== "" || other.isClosed())
          return other.received().slice(0, 12)
        })
      )
      assert.deepStrictEqual(
        others,
        others.map(() => "HTTP/1.1 200")
      )
      assert.isAtLeast(waiting.filter(({ isClosed }) => isClosed()).length, 1)
    })
  )

  it.effect("come from the address of the connection if no proxy is trusted", () =>
    Effect.gen(function* () {
      yield* fillLine("198.51.100.1")
      assert.strictEqual(yield* statusOf(yield* unknownKey, "198.51.100.2"), 429)
    }).pipe(Effect.provide(httpApplication({ env: { ...limits, TRUSTED_PROXIES: "" } })))
  )
})

describe("unknown tokens of links, orders and sessions", () => {
  it.effect(
    "count with the wrong keys of their client and are then refused without a look-up, but not known ones",
    () => {
      const lookedUp: Array<string> = []
      const stores = storesWith(RevealLinks, {
        findByToken: (hash) => Effect.sync(() => (lookedUp.push(hash), Option.none()))
      })
      return Effect.gen(function* () {
        const client = "192.0.2.1"
        const from = { "x-forwarded-for": client }
        const cookie = (token: string) => ({ ...from, cookie: `session=${token}` })
        const { id, secret } = yield* issueKey()
        const link = Redacted.value(yield* (yield* Notices).makePath(id))
        const session = cookie(Redacted.value(yield* (yield* Sessions).open(Redacted.make(secret))))
        const statusAt = (path: string, headers: Record<string, string>) =>
          Effect.map(send(path, { headers }), ({ status }) => status)
        assert.strictEqual(yield* statusAt(link, from), 200)
        assert.include((yield* send("/key", { headers: session })).text, "Credits left")

        assert.strictEqual(yield* statusAt("/confirm/unknown", from), 404)
        assert.strictEqual(yield* statusAt("/unsubscribe/unknown", from), 404)
        assert.strictEqual(yield* statusAt("/orders/ord_1/unknown", from), 404)
        assert.lengthOf(lookedUp, 1)
        yield* fillQueue(client)
        const body = JSON.stringify({ token: "another" })
        const refused = yield* Effect.all(
          [
            post("/api/v1/access-requests/confirm", { body, headers: from }),
            send("/confirm/another", { headers: from }),
            send("/confirm/another", { method: "POST", headers: from }),
            send("/unsubscribe/another", { method: "POST", headers: from }),
            send("/orders/ord_1/another", { headers: from }),
            send("/key", { headers: cookie("unknown") }),
            send("/credits", { headers: cookie("unknown") })
          ],
          together
        )
        for (const { headers, status } of refused) {
          assert.deepStrictEqual([status, headers.get("retry-after")], [429, "20"])
        }
        assert.lengthOf(lookedUp, 1)
        // Other pages are shown as to a visitor.
        assert.strictEqual(yield* statusAt("/docs/credits", cookie("unknown")), 200)

        assert.strictEqual(yield* statusAt(link, from), 200)
        assert.include((yield* send("/key", { headers: session })).text, "Credits left")
      }).pipe(Effect.provide(httpApplication({ stores, env: limits })))
    }
  )
})

describe("the limit of requests per second of a key", () => {
  it.effect("answers 429 rate_limited beyond it, with the time to retry; each key has its own limit", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey(10)
      for (let i = 0; i < 5; i++) assert.strictEqual(yield* statusOf(secret, `192.0.2.${i}`), 200)
      for (const path of [forecastPath, "/api/v1/credits/ledger"]) {
        const { headers, problem } = yield* sendRequest(secret, undefined, path)
        assert.include(problem, { status: 429, code: "rate_limited", retryable: true })
        assert.include(problem.message, "5 requests per second")
        assert.strictEqual(headers.get("retry-after"), "1")
        assert.strictEqual(headers.get("ratelimit-policy"), '"requests";q=5;w=1')
        assert.strictEqual(headers.get("ratelimit"), '"requests";r=0;t=1')
      }
      assert.strictEqual(yield* statusOf((yield* issueKey()).secret), 200)
      yield* TestClock.adjust("200 millis")
      const { headers } = yield* sendRequest(secret)
      assert.strictEqual(headers.get("ratelimit"), '"credits";r=4')
      assert.strictEqual(yield* statusOf(secret), 429)
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("holds even if the clock was ahead and is set back", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey(10)
      const now = yield* Clock.currentTimeMillis
      yield* TestClock.setTime(now + 2 * 86_400_000)
      assert.strictEqual(yield* statusOf(secret), 200)
      yield* TestClock.setTime(now)
      assert.strictEqual(yield* statusOf(secret), 200)
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("is shared by all its secrets", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey(10)
      const { json } = yield* post("/api/v1/keys/rotate", { key: secret, body: "{}" })
      const statuses = yield* Effect.forEach([1, 2, 3, 4, 5], (i) =>
        statusOf(i % 2 === 0 ? secret : String(json["api_key"]))
      )
      assert.deepStrictEqual(statuses, [200, 200, 200, 200, 429])
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )
})
