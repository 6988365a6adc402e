import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Redacted } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import * as MailLinks from "../../../src/MailLinks.ts"
import { OpenApi } from "effect/http-api"
import { documentedAt } from "../../../src/Api.ts"
import { Draining } from "../../../src/http/server/Draining.ts"
import { alternativesOf, type Node, nodeAt, nodesIn } from "../../../src/http/document/OpenApiDocument.ts"
import { listOperation, operations as paidForOne } from "../../../src/extensions/mcp/paidOperations.ts"
import * as Servers from "../../../src/Servers.ts"
import { MailUrls } from "../../../src/mail/MailWorker.ts"
import { Mails } from "../../../src/mail/Mails.ts"
import { Commits, postgresCommits } from "../../support/Commits.ts"
import { checkResponse, documentedResponses, exampleOf, operations, schemaOf } from "../../support/Contract.ts"
import { application } from "../../support/Application.ts"
import { baseUrl, issueKey, newClient, post, send } from "../../support/Http.ts"
import { oneCredit, sample } from "../../support/Samples.ts"
import { FakeStripe, stripePayments } from "../../extensions/support/Stripe.ts"
import { slowly } from "../../support/slowly.ts"

/** Low limits, so that a test soon exceeds them. */
const keyRequestsPerSecond = 100

const env = {
  TRUSTED_PROXIES: "127.0.0.1",
  KEY_REQUESTS_PER_SECOND: `${keyRequestsPerSecond}`,
  SUPPORT_EMAIL: "help@forecast.example"
}

const service = MailLinks.layer("https://forecast.example").pipe(
  Layer.provideMerge(Servers.layer),
  Layer.provideMerge(application({ env, payments: stripePayments })),
  Layer.provideMerge(FakeStripe.layer)
)

const media = (operation: object) => nodeAt(operation, "requestBody", "content", "application/json")

const paidOperations = [...Object.values(paidForOne), listOperation]

/** The largest bodies, if they are not 16 KiB. */
const maxKibibytes: Readonly<Record<string, number>> = Object.fromEntries(
  paidOperations.map(({ limit, path }) => [path, limit])
)

/** The endpoints that cost credits, each with a request that costs one, changed in some assumptions. */
const paid = operations.flatMap(({ operation, path }) => {
  const id = String(operation["operationId"])
  if (!paidOperations.some((each) => each.id === id)) return []
  const example = exampleOf(media(operation))
  const requestWith = (changes: object) =>
    JSON.stringify(id === "forecasts" ? { campaigns: [{ ...sample, ...changes }] } : { ...example, ...changes })
  return [{ path, requestWith }]
})

const isSecured = (operation: Node) => alternativesOf(operation).length > 0

/** Values at the bounds of a schema, which may also accept null, and values just beyond them. */
const boundsOf = (documented: unknown) => {
  const [given = assert.fail("no schema")] = nodesIn([documented])
  const [schema = given] = nodesIn(given["anyOf"])
  const { maxLength, maximum, minLength, minimum } = schema
  const text = (length: number) =>
    schema["format"] === "email" ? "@example.com".padStart(length, "a") : "x".repeat(length)
  return [
    ...(typeof minimum === "number" ? [{ within: minimum, beyond: minimum - 1 }] : []),
    ...(typeof maximum === "number" ? [{ within: maximum, beyond: maximum + 1 }] : []),
    ...(typeof minLength === "number" ? [{ within: text(minLength), beyond: text(minLength - 1) }] : []),
    ...(typeof maxLength === "number" ? [{ within: text(maxLength), beyond: text(maxLength + 1) }] : [])
  ]
}

/** The schema of a parameter. */
const parameterOf = (operationId: string, name: string): Node => {
  const found = operations.find(({ operation }) => operation["operationId"] === operationId)
  const parameter = nodesIn(found?.operation["parameters"]).find((parameter) => parameter["name"] === name)
  return nodeAt(parameter, "schema") ?? assert.fail(`${operationId} has no ${name}`)
}

describe("the responses of the service", slowly, () => {
  it.effect("are exactly those of the OpenAPI document", () => {
    const triggered = new Set<string | undefined>()
    const request = Effect.fnUntraced(function* (
      method: string,
      path: string,
      options: { key?: string | undefined; body?: string | URLSearchParams; headers?: Record<string, string> } = {}
    ) {
      const { body, headers, key } = options
      const address = path.replaceAll(/\{\w+\}/g, "unknown")
      const response = yield* send(address, {
        method,
        headers: {
          "x-forwarded-for": newClient(),
          ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
          ...(key === undefined ? {} : { "x-api-key": key }),
          ...headers
        },
        ...(body === undefined ? {} : { body })
      })
      // Each operation declares a 500: an undeclared failure would become one.
      assert.notStrictEqual(response.status, 500, `${method} ${path}`)
      triggered.add(checkResponse(method, address, response))
      return response
    })

    const requestSubKeys = Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const list = "/api/v1/sub-keys"
      const create = (name: string, limit: number | null = null) =>
        request("POST", list, { key: secret, body: JSON.stringify({ name, monthly_limit: limit }) })
      const { json } = yield* create("CRM", 1)
      const path = `${list}/${String(json["sub_key_id"])}`
      yield* create("crm")
      for (let i = 0; i < 25; i++) yield* create(`Program ${i}`)
      yield* request("GET", path, { key: secret })
      yield* request("PATCH", path, { key: secret, body: '{"name":"Program 1"}' })
      yield* request("PATCH", path, { key: secret, body: '{"name":"Customers"}' })
      for (const { path, requestWith } of paid) {
        for (let i = 0; i < 2; i++)
          yield* request("POST", path, { key: String(json["api_key"]), body: requestWith({}) })
      }
      for (let i = 0; i < 11; i++) yield* request("POST", `${path}/rotate`, { key: secret, body: "{}" })
      yield* request("DELETE", path, { key: secret })
    })

    const walk = Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const inactive = yield* issueKey()
      yield* apiKeys.setKeyPlan(inactive.id, "inactive")

      for (const { method: name, operation, path } of operations) {
        const method = name.toUpperCase()
        const content = media(operation)
        const body = content === undefined ? {} : { body: JSON.stringify(exampleOf(content)) }
        assert.strictEqual((yield* request("PUT", path)).status, 405)
        if (isSecured(operation)) {
          yield* request(method, path, { ...body, key: "unknown" })
          yield* request(method, path, { ...body, key: inactive.secret })
        }
        yield* request(method, path, body)
        yield* request(method, path, { ...body, key: (yield* issueKey()).secret })
        if (content === undefined) continue
        const { secret } = yield* issueKey()
        const key = isSecured(operation) ? { key: secret } : {}
        for (const [status, wrong] of [
          [400, { body: "{" }],
          [400, { body: '{"nope":1}' }],
          [413, { body: `"${"x".repeat((maxKibibytes[path] ?? 16) * 1024)}"` }],
          [415, { body: "{}", headers: { "content-type": "text/plain" } }]
        ] as const) {
          assert.strictEqual(
            (yield* request(method, path, { ...key, ...wrong })).status,
            status,
            `${path} ${wrong.body}`
          )
        }
      }

      const busy = { key: (yield* issueKey()).secret }
      for (let i = 0; i < keyRequestsPerSecond; i++) yield* request("GET", "/api/v1/usage", busy)
      for (const { method, operation, path } of operations) {
        if (isSecured(operation))
          assert.strictEqual((yield* request(method.toUpperCase(), path, busy)).status, 429, path)
      }

      const { secret } = yield* issueKey()
      for (let i = 0; i < 11; i++) yield* request("POST", "/api/v1/keys/rotate", { key: secret, body: "{}" })

      yield* requestSubKeys

      yield* request("GET", "/api/v1/usage?by=day", { key: secret })
      yield* request("GET", "/api/v1/usage?by=day", { key: secret, headers: { accept: "text/csv" } })
      yield* request("GET", "/api/v1/usage?by=week", { key: secret })
      yield* request("GET", "/api/v1/credits/ledger?limit=0", { key: secret })
      yield* request("GET", "/api/v1/sub-keys?limit=0", { key: secret })
      yield* request("GET", "/api/v1/credits/ledger?limit=1&limit=2", { key: secret })
      for (const { path, requestWith } of paid) {
        const almostEmpty = yield* issueKey(1)
        const headers = { "idempotency-key": "once" }
        for (const emails_sent of [5000, 5000, 1]) {
          yield* request("POST", path, { key: almostEmpty.secret, body: requestWith({ emails_sent }), headers })
        }
        yield* request("POST", path, { key: almostEmpty.secret, body: requestWith({}) })
      }
      yield* request("POST", "/api/v1/forecasts", {
        key: secret,
        body: JSON.stringify({ campaigns: [sample] }),
        headers: { accept: "text/csv" }
      })

      const stripe = yield* FakeStripe
      const owner = { name: "Ada", email: "ada.forms@example.com", company: "Example" }
      const order = (pack: string, idempotencyKey?: string) =>
        request("POST", "/api/v1/orders", {
          key: secret,
          body: JSON.stringify({ pack }),
          ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } })
        })
      const placed = yield* order("starter", "once")
      yield* request("GET", `/api/v1/orders/${String(placed.json["order_id"])}`, { key: secret })
      yield* order("starter", "once")
      yield* order("growth", "once")
      yield* Effect.all(
        Array.from({ length: 20 }, () => order("starter", "race")),
        { concurrency: "unbounded" }
      )
      for (const [path, fields] of [
        ["/api/v1/orders", { ...owner, pack: "starter" }],
        ["/api/v1/access-requests", owner]
      ] as const) {
        const body = JSON.stringify(fields)
        yield* request("POST", path, { body })
        stripe.response.status = 402
        if (path === "/api/v1/orders") {
          yield* request("POST", path, { body })
          yield* order("starter")
        }
        stripe.response.status = 200
        const headers = { "x-forwarded-for": "192.0.2.1" }
        for (let i = 0; i < 21; i++) yield* request("POST", path, { body, headers })
      }

      const mails = yield* Mails
      const links = yield* MailUrls
      const [mail] = yield* mails.list(undefined, 1)
      const link = Redacted.value(yield* links.make(mail?.link ?? assert.fail("no link")))
      const confirm = (token: string | undefined) =>
        request("POST", "/api/v1/access-requests/confirm", { body: JSON.stringify({ token }) })
      let { json } = yield* confirm(link.split("/").at(-1))
      for (let i = 1; i < 20; i++) ({ json } = yield* confirm(link.split("/").at(-1)))
      yield* confirm(link.split("/").at(-1))
      yield* request("GET", "/api/v1/usage", { key: String(json["api_key"]) })
      yield* confirm(link.split("/").at(-1))
      yield* confirm("none")

      const draining = yield* Draining
      yield* draining.drain
      for (const { method, path } of operations) yield* request(method.toUpperCase(), path)
    }).pipe(Effect.provide(service))

    /** The first of two requests is still unanswered when the second arrives. */
    const whileAnotherRuns = ({ path, requestWith }: (typeof paid)[number]) =>
      Effect.gen(function* () {
        const commits = yield* Commits
        const { secret } = yield* issueKey()
        const forecast = request("POST", path, {
          key: secret,
          body: requestWith({}),
          headers: { "idempotency-key": "race" }
        })
        // The first use of a key is recorded in a separate commit.
        yield* request("POST", path, { key: secret, body: requestWith({}) })
        const isHeld = yield* Latch.make()
        const hold = yield* Latch.make()
        commits.before.push(Effect.andThen(isHeld.open, hold.await))
        const first = yield* Effect.forkChild(forecast)
        yield* isHeld.await
        assert.strictEqual((yield* forecast).status, 409)
        yield* hold.open
        yield* Fiber.join(first)
      })

    return Effect.gen(function* () {
      yield* walk
      yield* Effect.forEach(paid, whileAnotherRuns).pipe(
        Effect.provide(Servers.layer.pipe(Layer.provideMerge(postgresCommits)))
      )
      // A defect can occur in any operation, and another test covers one; refusals come before operations.
      const expected = documentedResponses.filter((response) => !response.endsWith(" 500 application/problem+json"))
      assert.deepStrictEqual(
        expected.filter((response) => !triggered.has(response)),
        []
      )
    })
  })
})

describe("the examples and bounds of the OpenAPI document", slowly, () => {
  layer(service)((it) => {
    it.effect("are served as declared", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        const declared: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(documentedAt(yield* baseUrl))))
        assert.deepStrictEqual(json, declared)
      })
    )

    it.effect("show what the service returns for the example request", () =>
      Effect.gen(function* () {
        const own = new Set([
          "api_key",
          "order_id",
          "pay_url",
          "old_key_valid_until",
          "usage",
          "sub_key_id",
          "key_prefix",
          "created_at",
          "month"
        ])
        const withoutOwn = (body: object) => Object.entries(body).filter(([name]) => !own.has(name))
        let examined = 0
        for (const { method, operation, path } of operations) {
          const content = media(operation)
          if (method !== "post" || content === undefined || path.endsWith("/confirm") || path.includes("{")) continue
          const key = path === "/api/v1/orders" ? undefined : (yield* issueKey()).secret
          const { json, status } = yield* post(path, { key, body: JSON.stringify(exampleOf(content)) })
          const response = nodeAt(operation, "responses", String(status), "content", "application/json")
          assert.deepStrictEqual(withoutOwn(json), withoutOwn(exampleOf(response)), path)
          examined++
        }
        assert.isAtLeast(examined, 9)
      })
    )

    it.effect("are the actual bounds of fields: a value at a bound is accepted, one beyond it is refused", () =>
      Effect.gen(function* () {
        let probed = 0
        for (const path of [
          "/api/v1/forecast",
          "/api/v1/goals",
          "/api/v1/access-requests",
          "/api/v1/keys/rotate",
          "/api/v1/sub-keys"
        ]) {
          const content = media(
            operations.find((found) => found.method === "post" && found.path === path)?.operation ?? {}
          )
          // A rotation may end its key, and a key has each name of a sub-key once.
          const issued = /\/(?:rotate|sub-keys)$/.test(path) ? issueKey() : yield* Effect.cached(issueKey())
          const request = Effect.fnUntraced(function* (changes: object) {
            const body = JSON.stringify({ ...exampleOf(content), ...changes })
            const { secret } = yield* issued
            const { status } = yield* post(path, { key: secret, body, headers: { "x-forwarded-for": newClient() } })
            return status
          })
          const { properties, required } = schemaOf(content)
          for (const [field, schema] of Object.entries({ ...nodeAt({ properties }, "properties") })) {
            for (const { beyond, within } of boundsOf(schema)) {
              assert.isBelow(yield* request({ [field]: within }), 300, `${field} ${within}`)
              assert.strictEqual(yield* request({ [field]: beyond }), 400, `${field} ${beyond}`)
              probed++
            }
            const isRequired = Array.isArray(required) && required.includes(field)
            assert.strictEqual((yield* request({ [field]: undefined })) === 400, isRequired, field)
          }
        }
        assert.isAtLeast(probed, 2 * 2 * 10 + 5 + 2 + 4)
      })
    )

    it.effect("are the actual bounds of parameters too", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey()
        const ledger = (limit?: number | string) =>
          send(`/api/v1/credits/ledger${limit === undefined ? "" : `?limit=${limit}`}`, {
            headers: { "x-api-key": secret }
          })
        const forecast = (key: string) => post("/api/v1/forecast", { key: secret, headers: { "idempotency-key": key } })
        for (const { beyond, within } of boundsOf(parameterOf("ledger", "limit"))) {
          assert.strictEqual((yield* ledger(within)).status, 200)
          assert.strictEqual((yield* ledger(beyond)).status, 400)
        }
        const bounds = boundsOf(parameterOf("forecast", "Idempotency-Key"))
        for (const { beyond, within } of bounds) {
          assert.strictEqual((yield* forecast(String(within))).status, 200)
          assert.strictEqual((yield* forecast(String(beyond))).status, 400)
        }
        assert.lengthOf(bounds, 2)
        yield* Effect.replicateEffect(credits.charge(id, oneCredit()), 60, { concurrency: "unbounded" })
        const { json } = yield* ledger()
        assert.lengthOf(
          Array.isArray(json["entries"]) ? json["entries"] : [],
          Number(parameterOf("ledger", "limit")["default"])
        )
      })
    )
  })
})
