import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/keys/AuditLog.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { Credits } from "../../../src/credits/Credits.ts"
import { startOfDay } from "../../../src/text/Times.ts"
import { free, httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"

const list = "/api/v1/sub-keys"

const request = (method: string, path: string, key: string, body?: unknown) =>
  send(path, {
    method,
    headers: { "x-api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })

/** Creates a sub-key over HTTP. */
const create = Effect.fnUntraced(function* (key: string, name: string, monthly_limit: number | null = null) {
  const response = yield* request("POST", list, key, { name, monthly_limit })
  assert.strictEqual(response.status, 201)
  const { api_key, sub_key_id } = response.json
  return { response, id: String(sub_key_id), path: `${list}/${String(sub_key_id)}`, secret: String(api_key) }
})

const pointers = (errors: ReadonlyArray<{ readonly pointer: string; readonly message: string }> | undefined) =>
  (errors ?? []).map(({ message, pointer }) => `${pointer} ${message}`)

/** A response as text, without its time and what identifies it, its key and its sub-key. */
const textOf = ({ headers, status, text }: Effect.Success<ReturnType<typeof send>>) =>
  [status, ...[...headers].filter(([name]) => !["date", "x-request-id"].includes(name)), text]
    .join("\n")
    .replace(/;t=\d+|ofk_test_\w+|sub_\w{16}|"request_id":"[^"]+"/g, "…")

layer(httpApplication({ env: { DEMO_KEY: "demo", ROTATIONS_PER_HOUR: "2" } }))("Sub-keys over HTTP", (it) => {
  it.effect("are created with a secret that is shown once, listed, renamed, limited and revoked", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const { response, path, secret: own } = yield* create(secret, "  CRM ", 200)
      assert.strictEqual(response.headers.get("location"), path)
      const { api_key, ...shown } = response.json
      assert.include(shown, { name: "CRM", monthly_limit: 200, state: "usable", last_used_at: null, requests: 0 })
      assert.strictEqual(String(api_key).startsWith(String(shown["key_prefix"])), true)
      assert.deepStrictEqual((yield* request("GET", list, secret)).json, { sub_keys: [shown], next_cursor: null })
      assert.deepStrictEqual((yield* request("GET", path, secret)).json, shown)

      assert.strictEqual((yield* post("/api/v1/forecast", { key: own })).status, 200)
      const used = (yield* request("GET", path, secret)).json
      assert.strictEqual(used["requests"], 1)
      assert.isString(used["last_used_at"])

      for (const nothing of [{}, { name: null }]) {
        assert.deepStrictEqual((yield* request("PATCH", path, secret, nothing)).json, used)
      }
      const renamed = yield* request("PATCH", path, secret, { name: "Customers" })
      assert.include(renamed.json, { name: "Customers", monthly_limit: 200, requests: 1 })
      const unlimited = yield* request("PATCH", path, secret, { monthly_limit: null })
      assert.include(unlimited.json, { name: "Customers", monthly_limit: null })

      for (let i = 0; i < 2; i++) {
        const revoked = yield* request("DELETE", path, secret)
        assert.strictEqual(revoked.status, 204)
        assert.strictEqual(revoked.text, "")
      }
      assert.strictEqual((yield* post("/api/v1/forecast", { key: own })).problem.code, "key_revoked")
      assert.strictEqual((yield* request("GET", path, secret)).json["state"], "revoked")
      assert.strictEqual((yield* request("PATCH", path, secret, { name: "Again" })).status, 404)
      assert.strictEqual((yield* request("POST", `${path}/rotate`, secret)).status, 404)
    })
  )

  it.effect("get a new secret as a key does", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const { path, secret: old } = yield* create(secret, "CRM", 1)
      const rotated = yield* request("POST", `${path}/rotate`, secret, { grace_hours: 0 })
      assert.strictEqual(rotated.status, 200)
      assert.strictEqual((yield* request("GET", "/api/v1/usage", old)).problem.code, "invalid_key")
      assert.include((yield* request("GET", "/api/v1/usage", String(rotated.json["api_key"]))).json, { name: "CRM" })
      assert.deepStrictEqual(
        pointers((yield* request("POST", `${path}/rotate`, secret, { grace_hours: 73 })).problem.errors),
        ["/grace_hours must be at most 72"]
      )
      assert.strictEqual((yield* request("POST", `${path}/rotate`, secret)).status, 200)
      const often = yield* request("POST", `${path}/rotate`, secret)
      assert.strictEqual(often.problem.code, "rate_limited")
      assert.isNotNull(often.headers.get("retry-after"))
      // Each has its own limit, and the key too.
      const other = yield* create(secret, "Agent")
      for (const at of [`${other.path}/rotate`, "/api/v1/keys/rotate"]) {
        assert.strictEqual((yield* request("POST", at, secret)).status, 200)
      }
    })
  )

  it.effect("can be changed 20 times in an hour, by API and page together", () =>
    Effect.gen(function* () {
      const { id, secret } = yield* issueKey()
      const { path } = yield* create(secret, "CRM")
      for (let i = 1; i <= 20; i++) {
        assert.strictEqual((yield* request("PATCH", path, secret, { monthly_limit: i })).status, 200)
      }
      const often = yield* request("PATCH", path, secret, { monthly_limit: 21 })
      assert.strictEqual(often.problem.code, "rate_limited")
      assert.isAtLeast(Number(often.headers.get("retry-after")), 3000)
      assert.strictEqual((yield* request("GET", path, secret)).json["monthly_limit"], 20)
      const changes = (yield* (yield* AuditLog).entries(id, 50)).filter(({ action }) => action === "sub_key_changed")
      assert.deepStrictEqual(
        changes.map(({ times }) => times),
        [20]
      )
    })
  )

  it.effect("are listed in pages, oldest first", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const ids = yield* Effect.forEach(["A", "B", "C"], (name) =>
        Effect.map(Effect.andThen(TestClock.adjust("1 milli"), create(secret, name)), ({ id }) => id)
      )
      const pageAt = (query: string) => Effect.map(request("GET", `${list}?${query}`, secret), ({ json }) => json)
      const first = yield* pageAt("limit=2")
      const second = yield* pageAt(`limit=2&cursor=${String(first["next_cursor"])}`)
      const found = [first, second].map(({ sub_keys }) =>
        Array.isArray(sub_keys) ? sub_keys.map((each: { readonly sub_key_id: string }) => each.sub_key_id) : []
      )
      assert.deepStrictEqual(found, [ids.slice(0, 2), ids.slice(2)])
      assert.isNull(second["next_cursor"])
      for (const query of ["limit=0", "limit=201", "cursor=5"]) {
        const { problem, status } = yield* request("GET", `${list}?${query}`, secret)
        assert.strictEqual(status, 400, query)
        assert.strictEqual(problem.errors?.[0]?.pointer, `/${query.split("=")[0]}`)
      }
    })
  )

  it.effect("answer 400 for invalid names and limits, and change nothing", () =>
    Effect.gen(function* () {
      const { id, secret } = yield* issueKey()
      const { path } = yield* create(secret, "CRM", 5)
      const before = (yield* request("GET", list, secret)).json
      const wrong: ReadonlyArray<readonly [body: unknown, errors: ReadonlyArray<string>]> = [
        [{ name: "x".repeat(51) }, ["/name must have at most 50 characters"]],
        [{ name: "\u{1f600}".repeat(51) }, ["/name must have at most 50 characters"]],
        [{ name: " \t" }, ["/name must not be empty"]],
        [{ name: "a\u0007b" }, ["/name must not contain control characters"]],
        [{ name: "a\u202eb" }, ["/name must not contain characters that change the direction of text"]],
        [{ name: "\u3164" }, ["/name must not be empty"]],
        [{ name: 5 }, ["/name must be a string, not a number"]],
        [{ name: "A", monthly_limit: 0 }, ["/monthly_limit must be at least 1"]],
        [{ name: "A", monthly_limit: -1 }, ["/monthly_limit must be at least 1"]],
        [{ name: "A", monthly_limit: 1_000_000_001 }, ["/monthly_limit must be at most 1000000000"]],
        [{ name: "A", monthly_limit: 1.5 }, ["/monthly_limit must be a whole number"]],
        [{ name: "A", monthly_limit: "5" }, ["/monthly_limit must be a number, not a string"]],
        [{ name: "A", limit: 5 }, ['/limit is not a known field; did you mean "monthly_limit"?']],
        [[], [" must be a JSON object, not an array"]]
      ]
      for (const [body, errors] of wrong) {
        const method = ["POST", "PATCH"] as const
        for (const [i, target] of [list, path].entries()) {
          const { problem, status } = yield* free(id, request(method[i] ?? "", target, secret, body))
          assert.strictEqual(status, 400)
          assert.deepStrictEqual(pointers(problem.errors), errors)
        }
      }
      assert.deepStrictEqual(pointers((yield* request("POST", list, secret, {})).problem.errors), ["/name is required"])
      assert.strictEqual((yield* request("POST", list, secret, "{")).problem.code, "malformed_json")
      assert.deepStrictEqual((yield* request("GET", list, secret)).json, before)
    })
  )

  it.effect("accept names of 50 characters, however many code units they have", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const name = "\u{1f600}".repeat(50)
      assert.strictEqual((yield* create(secret, ` ${name} `)).response.json["name"], name)
    })
  )

  it.effect("answer 409 for a name that is taken and for a 26th sub-key", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const { id } = yield* create(secret, "Straße")
      const other = yield* create(secret, "Agent")
      const taken = yield* request("POST", list, secret, { name: "STRASSE" })
      assert.strictEqual(taken.status, 409)
      assert.strictEqual(taken.problem.code, "sub_key_name_taken")
      assert.include(taken.problem.detail, `The sub-key ${id} already has the name "Straße"`)
      assert.include(taken.problem.detail, "if its secret was lost, rotate that sub-key")
      assert.strictEqual(
        (yield* request("PATCH", other.path, secret, { name: "strasse" })).problem.code,
        "sub_key_name_taken"
      )
      for (let i = 3; i <= 25; i++) yield* create(secret, `Program ${i}`)
      const many = yield* request("POST", list, secret, { name: "One more" })
      assert.strictEqual(many.status, 409)
      assert.strictEqual(many.problem.code, "too_many_sub_keys")
      const { sub_keys } = (yield* request("GET", list, secret)).json
      assert.lengthOf(Array.isArray(sub_keys) ? sub_keys : [], 25)
    })
  )

  it.effect("are created up to 100 times in an hour", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      yield* create(secret, "CRM")
      for (let i = 2; i <= 100; i++) {
        assert.strictEqual((yield* request("POST", list, secret, { name: "crm" })).status, 409)
      }
      const refused = yield* request("POST", list, secret, { name: "Agent" })
      assert.strictEqual(refused.problem.code, "rate_limited")
      assert.isNotNull(refused.headers.get("retry-after"))
    })
  )

  it.effect("answer 404 to another key, as if they did not exist", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const other = yield* issueKey()
      const { path, secret: own } = yield* create(secret, "CRM")
      for (const [method, target, body] of [
        ["GET", path, undefined],
        ["PATCH", path, { name: "Mine" }],
        ["DELETE", path, undefined],
        ["POST", `${path}/rotate`, {}]
      ] as const) {
        const responses = [
          yield* request(method, target, other.secret, body),
          yield* request(method, target.replace(/sub_\w+/, "sub_none"), secret, body)
        ]
        for (const { problem, status } of responses) {
          assert.strictEqual(status, 404)
          assert.strictEqual(problem.code, "not_found")
        }
      }
      assert.deepStrictEqual((yield* request("GET", list, other.secret)).json, { sub_keys: [], next_cursor: null })
      assert.strictEqual((yield* request("GET", "/api/v1/usage", own)).json["name"], "CRM")
    })
  )

  it.effect("are refused for the demo key", () =>
    Effect.gen(function* () {
      yield* (yield* ApiKeys).prepareDemoKey
      for (const [method, path, body] of [
        ["GET", list, undefined],
        ["POST", list, { name: "CRM" }],
        ["GET", `${list}/sub_none`, undefined],
        ["PATCH", `${list}/sub_none`, { name: "CRM" }],
        ["DELETE", `${list}/sub_none`, undefined],
        ["POST", `${list}/sub_none/rotate`, undefined]
      ] as const) {
        const { problem, status } = yield* request(method, path, "demo", body)
        assert.strictEqual(status, 403)
        assert.strictEqual(problem.code, "demo_key")
      }
    })
  )
})

layer(httpApplication())("A sub-key with a limit", (it) => {
  it.effect("gets the same responses, whether its key has 50 credits or 5,000", () =>
    Effect.gen(function* () {
      const list = (campaigns: number) => JSON.stringify({ campaigns: Array.from({ length: campaigns }, () => sample) })
      const usageTool = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "usage", arguments: {} } }
      const mcp = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      /** All that the sub-key of a key with these credits can learn, without what identifies requests and secrets. */
      const responsesWith = Effect.fnUntraced(function* (granted: number) {
        const { id, secret } = yield* issueKey(granted)
        const { path, secret: own } = yield* create(secret, "CRM", 3)
        const usage = request("GET", "/api/v1/usage", own)
        const limited = yield* Effect.all([
          usage,
          post("/api/v1/forecast", { key: own }),
          post("/api/v1/forecast", { key: own, body: "{" }),
          post("/api/v1/service/roi", { key: own, headers: { "idempotency-key": "same" } }),
          post("/api/v1/service/roi", { key: own, headers: { "idempotency-key": "same" } }),
          post("/api/v1/forecasts", { key: own, body: list(3) }),
          post("/api/v1/forecasts", { key: own, body: list(60) }),
          request("GET", "/api/v1/credits/ledger", own),
          request("GET", "/api/v1/usage?by=day", own),
          post("/mcp", { key: own, headers: mcp, body: JSON.stringify(usageTool) }),
          post("/api/v1/forecast", { key: own }),
          post("/api/v1/forecast", { key: own }),
          usage
        ])
        yield* (yield* ApiKeys).setKeyPlan(id, "inactive")
        const inactive = yield* usage
        yield* (yield* ApiKeys).setKeyPlan(id, "active")
        yield* request("PATCH", path, secret, { monthly_limit: null })
        const unlimited = yield* usage
        return { limited: [...limited, inactive].map(textOf), unlimited: textOf(unlimited) }
      })
      const [few, many] = [yield* responsesWith(50), yield* responsesWith(5000)]
      assert.deepStrictEqual(few.limited, many.limited)
      assert.deepStrictEqual(
        few.limited.map((text) => text.slice(0, 3)),
        ["200", "200", "400", "200", "200", "429", "429", "403", "200", "200", "200", "429", "200", "403"]
      )
      assert.notStrictEqual(few.unlimited, many.unlimited)
    })
  )
})

layer(httpApplication())("A sub-key over HTTP", (it) => {
  it.effect("may spend credits, see its own usage, and revoke itself", () =>
    Effect.gen(function* () {
      const { id, secret } = yield* issueKey(10)
      const { path, secret: own } = yield* create(secret, "CRM", 3)
      yield* post("/api/v1/forecast", { key: secret })
      const forecast = yield* post("/api/v1/forecast", { key: own })
      assert.include(forecast.json["usage"], { requests: 1, credits_remaining: 2, sub_key_credits_remaining: 2 })
      assert.match(forecast.headers.get("ratelimit") ?? "", /^"credits";r=2, "sub-key";r=2;t=\d+$/)
      assert.strictEqual(forecast.headers.get("ratelimit-policy"), '"credits";q=3, "sub-key";q=3')
      const usage = yield* request("GET", "/api/v1/usage", own)
      assert.deepInclude(usage.json, {
        name: "CRM",
        monthly_limit: 3,
        credits_remaining: 2,
        sub_key_credits_remaining: 2,
        requests: 1
      })
      assert.notProperty(usage.json, "credits_granted")
      assert.include((yield* request("GET", "/api/v1/usage", secret)).json, { requests: 2, credits_remaining: 8 })
      assert.notProperty((yield* request("GET", "/api/v1/usage", secret)).json, "name")
      yield* request("PATCH", path, secret, { monthly_limit: null })
      const unlimited = yield* request("GET", "/api/v1/usage", own)
      assert.strictEqual(unlimited.headers.get("ratelimit"), '"credits";r=8')
      assert.include(unlimited.json, { monthly_limit: null, credits_remaining: 8, credits_granted: 10 })

      for (const [method, target] of [
        ["GET", "/api/v1/credits/ledger"],
        ["POST", "/api/v1/keys/rotate"],
        ["POST", "/api/v1/orders"],
        ["GET", "/api/v1/orders/ord_none"],
        ["GET", list],
        ["POST", list],
        ["GET", path],
        ["PATCH", path],
        ["DELETE", path],
        ["POST", `${path}/rotate`]
      ] as const) {
        const refused = yield* free(id, request(method, target, own, method === "GET" ? undefined : {}))
        assert.strictEqual(refused.status, 403, `${method} ${target}`)
        assert.strictEqual(refused.problem.code, "sub_key")
        assert.strictEqual(refused.headers.get("ratelimit"), '"credits";r=8')
      }
      const signedIn = yield* send("/key", {
        method: "POST",
        headers: { "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ api_key: own })
      })
      assert.strictEqual(signedIn.status, 403)
      assert.include(signedIn.text, "is a sub-key; sign in with the key that it belongs to")

      const revoked = yield* request("POST", "/api/v1/keys/revoke", own)
      assert.include(revoked.json, { state: "revoked" })
      assert.strictEqual((yield* request("GET", "/api/v1/usage", own)).problem.code, "key_revoked")
      assert.strictEqual((yield* request("GET", "/api/v1/usage", secret)).status, 200)
    })
  )

  it.effect("gets sub_key_limit_reached at its limit, before a list is computed", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(10)
      const { secret: own } = yield* create(secret, "CRM", 2)
      const three = JSON.stringify({ campaigns: [sample, sample, sample] })
      const refused = yield* free(id, post("/api/v1/forecasts", { key: own, body: three }))
      assert.strictEqual(refused.status, 429)
      assert.include(refused.problem, { code: "sub_key_limit_reached", retryable: false })
      assert.isNull(refused.headers.get("retry-after"))
      assert.match(refused.headers.get("ratelimit") ?? "", /^"credits";r=2, "sub-key";r=2;t=\d+$/)
      assert.match(
        refused.problem.detail,
        /^This sub-key may spend 2 credits per month and has 2 left until \d{4}-\d\d-01T00:00:00\.000Z, but this takes 3\. Nothing was charged\. Ask the holder of the key for a higher limit, or wait for the next month\.$/
      )
      const two = JSON.stringify({ campaigns: [sample, sample] })
      assert.strictEqual((yield* post("/api/v1/forecasts", { key: own, body: two })).status, 200)
      for (const path of ["/api/v1/forecast", "/api/v1/service/roi"]) {
        const one = yield* free(id, post(path, { key: own }))
        assert.strictEqual(one.problem.code, "sub_key_limit_reached")
        assert.match(one.headers.get("ratelimit") ?? "", /^"credits";r=0, "sub-key";r=0;t=\d+$/)
      }
      yield* credits.charge(id, { cost: 8, answer: () => "" })
      assert.strictEqual((yield* post("/api/v1/forecast", { key: own })).problem.code, "usage_exhausted")
      assert.strictEqual((yield* post("/api/v1/forecasts", { key: own, body: two })).problem.code, "usage_exhausted")
    })
  )

  it.effect("has Idempotency-Keys of its own", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey(10)
      const [first, second] = [yield* create(secret, "One"), yield* create(secret, "Two")]
      const headers = { "idempotency-key": "same" }
      for (const key of [secret, first.secret, second.secret]) {
        const response = yield* post("/api/v1/forecast", { key, headers })
        assert.strictEqual(response.status, 200)
        assert.isNull(response.headers.get("idempotent-replayed"))
        assert.strictEqual(
          (yield* post("/api/v1/forecast", { key, headers })).headers.get("idempotent-replayed"),
          "true"
        )
      }
    })
  )

  it.effect("is first refused because its key is inactive or revoked", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { id, secret } = yield* issueKey()
      const { secret: own } = yield* create(secret, "CRM")
      yield* apiKeys.setKeyPlan(id, "inactive")
      assert.strictEqual((yield* request("GET", list, own)).problem.code, "plan_inactive")
      yield* apiKeys.setKeyPlan(id, "active")
      yield* apiKeys.revoke(id, "owner")
      assert.strictEqual((yield* request("GET", list, own)).problem.code, "key_revoked")
    })
  )
})

describe("The rate limit of a key", () => {
  it.effect("counts its sub-keys too", () =>
    Effect.gen(function* () {
      const { id, secret } = yield* issueKey()
      const subKeys = yield* SubKeys
      const { secret: own } = yield* create(secret, "CRM")
      const used = [yield* request("GET", "/api/v1/usage", own), yield* request("GET", "/api/v1/usage", secret)]
      assert.deepStrictEqual(
        used.map(({ status }) => status),
        [200, 200]
      )
      for (const key of [own, secret]) {
        assert.strictEqual((yield* request("GET", "/api/v1/usage", key)).problem.code, "rate_limited")
      }
      assert.lengthOf(yield* subKeys.usableOf(id), 1)
    }).pipe(Effect.provide(httpApplication({ env: { KEY_REQUESTS_PER_SECOND: "3" } })))
  )
})

describe("The requests of a sub-key", () => {
  it.effect("are those of this month, even if the clock was ahead and was set back", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const { path, secret: own } = yield* create(secret, "CRM")
      const timeIs = (day: string) => TestClock.setTime(startOfDay(day))
      const usedIn = Effect.map(request("GET", path, secret), ({ json }) => [json["month"], json["requests"]])
      yield* timeIs("2026-11-20")
      for (let i = 0; i < 2; i++) yield* post("/api/v1/forecast", { key: own })
      yield* timeIs("2026-12-20")
      yield* post("/api/v1/forecast", { key: own })
      assert.deepStrictEqual(yield* usedIn, ["2026-12", 1])
      yield* timeIs("2026-11-21")
      assert.deepStrictEqual(yield* usedIn, ["2026-11", 2])
      yield* post("/api/v1/forecast", { key: own })
      assert.deepStrictEqual(yield* usedIn, ["2026-11", 3])
    }).pipe(Effect.provide(httpApplication()))
  )
})
