import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../src/credits/Credits.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { httpApplication, issueKey, post, send } from "../support/Http.ts"
import { type ServiceResponse } from "../support/Requests.ts"

const get = (path: string, key: string) => send(path, { headers: { "x-api-key": key } })

const forecast = (key: string) => post("/api/v1/forecast", { key })
const rotate = (key: string, body: string) => post("/api/v1/keys/rotate", { key, body })

describe("endpoints that need a key but no credit", () => {
  layer(httpApplication())((it) => {
    it.effect("GET /api/v1/usage counts by month, and is free", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        yield* TestClock.setTime(1_793_491_199_000) // 2026-10-31T23:59:59Z
        yield* forecast(secret)
        yield* TestClock.adjust("2 seconds")
        yield* forecast(secret)
        yield* forecast(secret)
        yield* get("/api/v1/usage", secret)
        const { headers, json } = yield* get("/api/v1/usage", secret)
        assert.deepStrictEqual(json, {
          key_prefix: secret.slice(0, 17),
          state: "usable",
          plan: "active",
          credits_remaining: 97,
          credits_granted: 100,
          month: "2026-11",
          requests: 2,
          requests_by_month: [
            { month: "2026-11", requests: 2 },
            { month: "2026-10", requests: 1 }
          ]
        })
        assert.strictEqual(headers.get("ratelimit"), '"credits";r=97')
      })
    )

    it.effect("GET /api/v1/credits/ledger lists each entry once, newest first, page by page", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (let count = 0; count < 4; count++) yield* forecast(secret)
        const pages: Array<ReadonlyArray<unknown>> = []
        let cursor: string | undefined = ""
        while (cursor !== undefined && pages.length < 9) {
          const { json }: ServiceResponse = yield* get(`/api/v1/credits/ledger?limit=2${cursor}`, secret)
          const { entries } = json
          if (!Array.isArray(entries)) return assert.fail("No entries")
          pages.push(entries)
          cursor = typeof json["next_cursor"] === "string" ? `&cursor=${json["next_cursor"]}` : undefined
          // New entries do not shift the pages.
          yield* forecast(secret)
        }
        const balances = pages.flat().map((entry) => /"balance_after":(\d+)/.exec(JSON.stringify(entry))?.[1])
        assert.deepStrictEqual(balances, ["96", "97", "98", "99", "100"])
        assert.deepStrictEqual(
          pages.map(({ length }) => length),
          [2, 2, 1]
        )
      })
    )

    it.effect("answers 400 for an invalid cursor or limit", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (const query of ["limit=0", "limit=201", "limit=x", "limit=", "cursor=-1", "cursor=1e3", "cursor=x'--"]) {
          const { problem } = yield* get(`/api/v1/credits/ledger?${query}`, secret)
          assert.include(problem, { status: 400, code: "invalid_input" }, query)
          assert.strictEqual(problem.errors?.[0]?.pointer, `/${query.split("=")[0]}`)
        }
      })
    )

    it.effect("answers 400 for a query parameter that is given twice", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const { problem } = yield* get("/api/v1/credits/ledger?limit=1&limit=2", secret)
        const message = "is in the query more than once; send it once"
        assert.include(problem, { status: 400, detail: `Correct the request: /limit ${message}` })
        assert.deepStrictEqual(problem.errors, [{ pointer: "/limit", code: "duplicate_field", message }])
      })
    )

    it.effect("never shows the entries of another key", () =>
      Effect.gen(function* () {
        const ada = yield* issueKey()
        const eve = yield* issueKey(7)
        yield* forecast(ada.secret)
        const { json } = yield* get("/api/v1/credits/ledger?cursor=999999999999999", eve.secret)
        assert.match(JSON.stringify(json["entries"]), /^\[\{[^}]*"delta":7[^}]*\}\]$/)
      })
    )

    it.effect(
      "POST /api/v1/keys/rotate returns a new key; the old one is valid for its grace period, and no longer",
      () =>
        Effect.gen(function* () {
          const { id, secret } = yield* issueKey()
          const rotated = yield* rotate(secret, '{"grace_hours":1}')
          assert.strictEqual(rotated.status, 200)
          assert.strictEqual(rotated.headers.get("cache-control"), "no-store")
          const next = String(rotated.json["api_key"])
          assert.strictEqual((yield* forecast(secret)).status, 200)
          assert.strictEqual((yield* forecast(next)).status, 200)
          yield* TestClock.adjust("1 hour")
          assert.include((yield* forecast(secret)).problem, { status: 401 })
          assert.strictEqual((yield* forecast(next)).status, 200)
          assert.strictEqual((yield* Effect.flatMap(Credits, ({ balance }) => balance(id))).remaining, 97)
        })
    )

    it.effect("POST /api/v1/keys/rotate without a body has a grace period of 24 hours, and with 0 none", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const { json } = yield* send("/api/v1/keys/rotate", { method: "POST", headers: { "x-api-key": secret } })
        yield* TestClock.adjust("1439 minutes")
        assert.strictEqual((yield* forecast(secret)).status, 200)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* forecast(secret)).status, 401)
        const second = String(json["api_key"])
        yield* rotate(second, '{"grace_hours":0}')
        assert.strictEqual((yield* forecast(second)).status, 401)
      })
    )

    it.effect("answers 400 for an invalid grace period, and leaves the key unchanged", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (const [body, pointer] of [
          ['{"grace_hours":-1}', "/grace_hours"],
          ['{"grace_hours":73}', "/grace_hours"],
          ['{"grace_hours":1.5}', "/grace_hours"],
          ['{"grace_hours":[]}', "/grace_hours"],
          ['{"grace":1}', "/grace"]
        ] as const) {
          const { problem } = yield* rotate(secret, body)
          assert.include(problem, { status: 400, code: "invalid_input" }, body)
          assert.strictEqual(problem.errors?.[0]?.pointer, pointer)
        }
        assert.include((yield* rotate(secret, "{")).problem, { status: 400, code: "malformed_json" })
        assert.strictEqual((yield* get("/api/v1/usage", secret)).json["key_prefix"], secret.slice(0, 17))
      })
    )

    it.effect(
      "POST /api/v1/keys/rotate without a grace period, ten times at once, shows one new key, which works",
      () =>
        Effect.gen(function* () {
          const { secret } = yield* issueKey()
          const rotations = Array.from({ length: 10 }, () => rotate(secret, '{"grace_hours":0}'))
          const responses = yield* Effect.all(rotations, { concurrency: "unbounded" })
          const [rotated, ...others] = responses.toSorted((one, other) => one.status - other.status)
          assert.strictEqual((yield* forecast(String(rotated?.json["api_key"]))).status, 200)
          for (const { problem } of others) assert.include(problem, { status: 401, code: "invalid_key" })
          assert.strictEqual((yield* forecast(secret)).status, 401)
        })
    )

    it.effect("POST /api/v1/keys/revoke revokes the key from the next request on", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const { json, status } = yield* send("/api/v1/keys/revoke", {
          method: "POST",
          headers: { "x-api-key": secret }
        })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(json, { key_prefix: secret.slice(0, 17), state: "revoked" })
        for (const response of [
          yield* forecast(secret),
          yield* get("/api/v1/usage", secret),
          yield* rotate(secret, "{}")
        ]) {
          assert.include(response.problem, { status: 401, code: "key_revoked" })
        }
      })
    )

    it.effect("answers 403 for the demo key, however often, and the key continues to work", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        yield* apiKeys.prepareDemoKey
        const before = (yield* get("/api/v1/usage", "demo")).json
        for (let i = 0; i < 11; i++) {
          assert.include((yield* rotate("demo", "{}")).problem, { status: 403, code: "demo_key" })
        }
        const revoked = yield* send("/api/v1/keys/revoke", { method: "POST", headers: { "x-api-key": "demo" } })
        assert.include(revoked.problem, { status: 403, code: "demo_key" })
        assert.include(revoked.problem.detail, "Use a key of your own.")
        assert.strictEqual(revoked.headers.get("ratelimit"), '"credits";r=100')
        assert.deepStrictEqual((yield* get("/api/v1/usage", "demo")).json, before)
      })
    )

    it.effect("answers 401 without a key, and 405 for another method", () =>
      Effect.gen(function* () {
        for (const [method, path] of [
          ["GET", "/api/v1/usage"],
          ["GET", "/api/v1/credits/ledger"],
          ["POST", "/api/v1/keys/rotate"],
          ["POST", "/api/v1/keys/revoke"]
        ] as const) {
          assert.include((yield* send(path, { method })).problem, { status: 401, code: "missing_key" })
          const wrong = yield* send(path, { method: "DELETE" })
          assert.include(wrong.problem, { status: 405, code: "method_not_allowed" })
          assert.include(wrong.headers.get("allow"), method)
        }
      })
    )
  })
})
