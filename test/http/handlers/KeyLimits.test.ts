import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import * as KeySecret from "../../../src/keys/KeySecret.ts"
import { KeyStore } from "../../../src/keys/KeyStore.ts"
import { storesWith } from "../../support/Application.ts"
import { httpApplication, issueKey, post, send } from "../../support/Http.ts"

const forecastPath = "/api/v1/forecast"

/** A key of the right form that nobody has. */
const unknownKey = Effect.map(Effect.provide(KeySecret.generate("test"), SecureRandom.layerWebCrypto), Redacted.value)

const ask = (key: string, client = "192.0.2.1", path = forecastPath) =>
  path === forecastPath
    ? post(path, { key, headers: { "x-forwarded-for": client } })
    : send(path, { headers: { "x-api-key": key, "x-forwarded-for": client } })

const statusOf = (...request: Parameters<typeof ask>) => Effect.map(ask(...request), ({ status }) => status)

const limits = { TRUSTED_PROXIES: "127.0.0.1", WRONG_KEYS_PER_MINUTE: "3", KEY_REQUESTS_PER_SECOND: "5" }

describe("wrong keys", () => {
  it.effect("429 rate_limited for a client that sent too many, without a look-up, until some time has passed", () => {
    const lookedUp: Array<string> = []
    const stores = storesWith(KeyStore, {
      findSecrets: (hashes) =>
        Effect.sync(() => {
          lookedUp.push(...hashes)
          return new Map()
        })
    })
    return Effect.gen(function* () {
      for (let i = 0; i < 3; i++) assert.strictEqual(yield* statusOf(yield* unknownKey), 401)
      for (const path of [forecastPath, "/api/v1/usage", "/api/v1/credits/ledger"]) {
        const refused = yield* ask(yield* unknownKey, "192.0.2.1", path)
        assert.include(refused.problem, { status: 429, code: "rate_limited", retryable: true }, path)
        assert.strictEqual(refused.headers.get("retry-after"), "20")
        assert.isNull(refused.headers.get("ratelimit"))
      }
      assert.lengthOf(lookedUp, 3)
      assert.strictEqual(yield* statusOf(yield* unknownKey, "192.0.2.2"), 401)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* statusOf(yield* unknownKey), 401)
      assert.strictEqual(yield* statusOf(yield* unknownKey), 429)
    }).pipe(Effect.provide(httpApplication({ stores, env: limits })))
  })

  it.effect("count where they are mistyped or revoked, too; a missing key does not, nor a good one", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { id, secret } = yield* issueKey()
      for (let i = 0; i < 5; i++) {
        assert.strictEqual(yield* statusOf(""), 401)
        assert.strictEqual(yield* statusOf((yield* issueKey()).secret), 200)
      }
      yield* apiKeys.revoke(id, "owner")
      assert.strictEqual((yield* ask(secret)).problem.code, "key_revoked")
      assert.strictEqual((yield* ask("mistyped", undefined, "/api/v1/usage")).problem.code, "invalid_key")
      assert.strictEqual((yield* ask(secret, undefined, "/api/v1/credits/ledger")).problem.code, "key_revoked")
      assert.strictEqual((yield* ask(secret)).problem.code, "rate_limited")
      assert.strictEqual((yield* ask("")).problem.code, "missing_key")
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("leave those who use a good key from the same address alone, until the key is revoked", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { id, secret } = yield* issueKey()
      assert.strictEqual(yield* statusOf(secret), 200)
      for (let i = 0; i < 10; i++) yield* ask("wrong")
      assert.strictEqual(yield* statusOf(secret), 200)
      assert.strictEqual(yield* statusOf(secret, undefined, "/api/v1/credits/ledger"), 200)
      yield* apiKeys.revoke(id, "owner")
      assert.strictEqual((yield* ask(secret)).problem.code, "key_revoked")
      assert.strictEqual((yield* ask(secret)).problem.code, "rate_limited")
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("are those of one client where they come from one IPv6 /64, or by a proxy that is trusted", () =>
    Effect.gen(function* () {
      const clients = ["2001:db8:1:2::1", "[2001:db8:1:2:ffff::9]", "2001:db8:1:2::3, 127.0.0.1", "2001:DB8:1:2::4"]
      const statuses = yield* Effect.forEach(clients, (client) => statusOf("wrong", client))
      assert.deepStrictEqual(statuses, [401, 401, 401, 429])
      assert.strictEqual(yield* statusOf("wrong", "2001:db8:1:3::1"), 401)
      // What a client adds itself comes before what the proxy adds.
      const forged = yield* Effect.forEach(["1", "2", "3", "4"], (i) =>
        statusOf("wrong", `198.51.100.${i}, 203.0.113.7`)
      )
      assert.deepStrictEqual(forged, [401, 401, 401, 429])
      const mapped = yield* Effect.forEach(["::ffff:203.0.113.7", "203.0.113.7:8080"], (i) => statusOf("wrong", i))
      assert.deepStrictEqual(mapped, [429, 429])
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("come from the address of the connection where no proxy is trusted", () =>
    Effect.gen(function* () {
      const statuses = yield* Effect.forEach(["1", "2", "3", "4"], (i) => statusOf("wrong", `198.51.100.${i}`))
      assert.deepStrictEqual(statuses, [401, 401, 401, 429])
    }).pipe(Effect.provide(httpApplication({ env: { ...limits, TRUSTED_PROXIES: "" } })))
  )
})

describe("the requests of a key in a second", () => {
  it.effect("429 rate_limited beyond them, with when there are more; each key has its own", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey(10)
      for (let i = 0; i < 5; i++) assert.strictEqual(yield* statusOf(secret, `192.0.2.${i}`), 200)
      for (const path of [forecastPath, "/api/v1/credits/ledger"]) {
        const { headers, problem } = yield* ask(secret, undefined, path)
        assert.include(problem, { status: 429, code: "rate_limited", retryable: true })
        assert.include(problem.message, "5 requests a second")
        assert.strictEqual(headers.get("retry-after"), "1")
        assert.strictEqual(headers.get("ratelimit-policy"), '"requests";q=5;w=1')
        assert.strictEqual(headers.get("ratelimit"), '"requests";r=0;t=1')
      }
      assert.strictEqual(yield* statusOf((yield* issueKey()).secret), 200)
      yield* TestClock.adjust("200 millis")
      const { headers } = yield* ask(secret)
      assert.strictEqual(headers.get("ratelimit"), '"credits";r=4')
      assert.strictEqual(yield* statusOf(secret), 429)
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("stay its own where the clock was ahead and is set back", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey(10)
      const now = yield* Clock.currentTimeMillis
      yield* TestClock.setTime(now + 2 * 86_400_000)
      assert.strictEqual(yield* statusOf(secret), 200)
      yield* TestClock.setTime(now)
      assert.strictEqual(yield* statusOf(secret), 200)
    }).pipe(Effect.provide(httpApplication({ env: limits })))
  )

  it.effect("are those of all its secrets together", () =>
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
