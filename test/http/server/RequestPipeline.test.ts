import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Credits } from "../../../src/credits/Credits.ts"
import * as Servers from "../../../src/Servers.ts"
import { KeyStore } from "../../../src/keys/KeyStore.ts"
import { application, storesWith } from "../../support/Application.ts"
import { httpApplication, issueKey, post, send, sendRaw } from "../../support/Http.ts"
import { type Problem } from "../../support/Requests.ts"
import { sample } from "../../support/Samples.ts"
import { slowly } from "../../support/slowly.ts"

const forecastPath = "/api/v1/forecast"

describe("every path", () => {
  layer(httpApplication())((it) => {
    it.effect("answers 404 not_found as a problem that points to its explanation", () =>
      Effect.gen(function* () {
        for (const path of ["/nope", "/api/v1", "/api/v2/forecast", "/%00", "/..%2f..%2fetc"]) {
          const response = yield* send(path)
          assert.strictEqual(response.status, 404, path)
          assert.strictEqual(response.headers.get("content-type"), "application/problem+json")
          assert.strictEqual(response.problem.code, "not_found")
          assert.match(response.problem.type, /^http:\/\/127\.0\.0\.1:\d+\/docs\/errors#not_found$/)
          assert.strictEqual(response.problem.request_id, response.headers.get("x-request-id"))
        }
      })
    )

    it.effect("answers 404 for every spelling of a path except the documented one", () =>
      Effect.gen(function* () {
        const answered = (path: string) =>
          Effect.map(
            sendRaw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
            (response) => /^HTTP\/1\.1 (\d+)/.exec(response)?.[1]
          )
        for (const path of [
          "/livez",
          "/livez?a=//;B",
          "/api/v1/credit-packs",
          "/docs/errors.md",
          "/",
          "http://a/livez"
        ]) {
          assert.strictEqual(yield* answered(path), "200", path)
        }
        for (const path of ["/api/v1/usage", "/api/v1/usage?x"]) assert.strictEqual(yield* answered(path), "401", path)
        const spellings =
          "/livez/ //livez /livez;a /LIVEZ /%6civez /docs/errors%2Emd /docs//errors /Docs /livez# // /; /./livez * livez " +
          "/api/v1/Usage /api/v1/usage/ /api//v1/usage /api/v1/usage;a /api/v1/usag%65 http://a//livez http://livez"
        for (const path of spellings.split(" ")) {
          assert.match((yield* answered(path)) ?? "", /^40[04]$/, path)
        }
      })
    )

    it.effect("answers 405 method_not_allowed with Allow, without asking for a key", () =>
      Effect.gen(function* () {
        for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
          const response = yield* send(forecastPath, { method })
          assert.strictEqual(response.status, 405, method)
          assert.strictEqual(response.headers.get("allow"), "POST, OPTIONS")
          assert.strictEqual(response.problem.code, "method_not_allowed")
        }
        const response = yield* send("/livez", { method: "POST" })
        assert.strictEqual(response.headers.get("allow"), "GET, HEAD, OPTIONS")
      })
    )

    it.effect("answers HEAD like GET without a body, and OPTIONS with the methods of the path", () =>
      Effect.gen(function* () {
        const head = yield* send("/livez", { method: "HEAD" })
        assert.deepStrictEqual([head.status, head.text], [200, ""])
        const refused = yield* send(forecastPath, { method: "HEAD" })
        assert.deepStrictEqual([refused.status, refused.text], [405, ""])
        const options = yield* send(forecastPath, { method: "OPTIONS" })
        assert.deepStrictEqual([options.status, options.headers.get("allow"), options.text], [204, "POST, OPTIONS", ""])
        assert.isNull(options.headers.get("access-control-allow-origin"))
        assert.strictEqual((yield* send("/nope", { method: "OPTIONS" })).status, 404)
      })
    )

    it.effect("uses the request ID of the client if it is well-formed, otherwise creates one", () =>
      Effect.gen(function* () {
        const given = "Batch_7.line-42"
        const response = yield* send("/livez", { headers: { "x-request-id": given } })
        assert.strictEqual(response.headers.get("x-request-id"), given)
        const ids = new Set<string | null>()
        for (const wrong of ["", "two words", "a".repeat(129), "a,b", "ümlaut"]) {
          const { headers } = yield* send("/livez", { headers: { "x-request-id": wrong } })
          ids.add(headers.get("x-request-id"))
          assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
        }
        assert.strictEqual(ids.size, 5)
        const refused = yield* post(forecastPath, { headers: { "x-request-id": given } })
        assert.strictEqual(refused.problem.request_id, given)
        assert.strictEqual(refused.headers.get("x-request-id"), given)
      })
    )

    it.effect("is alive and ready", () =>
      Effect.gen(function* () {
        for (const path of ["/livez", "/readyz"]) {
          const response = yield* send(path)
          assert.deepStrictEqual([response.status, response.json], [200, { status: "ok" }])
        }
      })
    )
  })
})

const problemOf = (raw: string) => {
  const [head = "", body = ""] = raw.split("\r\n\r\n")
  const problem: unknown = JSON.parse(body)
  assert.match(head, /content-type: application\/problem\+json/i)
  assert.match(head, /connection: close/i)
  if (!isProblem(problem)) return assert.fail(`No problem: ${body}`)
  const requestId = /x-request-id: (\S+)/i.exec(head)?.[1]
  assert.strictEqual(problem.request_id, requestId)
  return problem
}

const isProblem = (value: unknown): value is typeof Problem.Type =>
  typeof value === "object" && value !== null && "code" in value && "status" in value

describe("input that is not a valid request", slowly, () => {
  layer(httpApplication())((it) => {
    it.effect("gets 400 malformed_request for broken framing and for a missing Host", () =>
      Effect.gen(function* () {
        for (const text of ["HELLO\r\n\r\n", "GET / HTTP/1.1\r\nBad Header: x\r\n\r\n"]) {
          const problem = problemOf(yield* sendRaw(text))
          assert.deepStrictEqual([problem.status, problem.code], [400, "malformed_request"])
        }
        for (const hosts of ["", "Host: a\r\nHost: b\r\n"]) {
          const problem = problemOf(yield* sendRaw(`GET /livez HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`))
          assert.deepStrictEqual([problem.status, problem.code], [400, "malformed_request"])
        }
        assert.match(yield* sendRaw("GET /livez HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 OK/)
        const tunnel = problemOf(yield* sendRaw("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"))
        assert.strictEqual(tunnel.code, "malformed_request")
      })
    )

    it.effect("gets a response if it asks for an unsupported expectation or upgrade", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const body = JSON.stringify(sample)
        for (const header of ["Expect: banana", "Expect: 100-continue", "Connection: upgrade\r\nUpgrade: h2c"]) {
          const response = yield* sendRaw(
            `POST ${forecastPath} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\n${header}\r\n` +
              `Content-Length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`
          )
          assert.match(response, /HTTP\/1\.1 200 OK/, header)
        }
      })
    )

    it.effect("is refused only after the complete request before it has been answered", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(10)
        const body = JSON.stringify(sample)
        const request = `POST ${forecastPath} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        for (const rest of ["GARBAGE\r\n\r\n", "xx"]) {
          const response = yield* sendRaw(request + rest)
          assert.match(response, /^HTTP\/1\.1 200 OK/)
          assert.notInclude(response, "HTTP/1.1 400")
        }
        const both = yield* sendRaw(`${request}${request}GARBAGE\r\n\r\n`)
        assert.lengthOf(both.match(/HTTP\/1\.1 200 OK/g) ?? [], 2)
        assert.strictEqual((yield* credits.balance(id)).remaining, 6)
      })
    )

    it.effect("waits unread if too many wait on its connection, and each is charged and answered", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(1000)
        const body = JSON.stringify(sample)
        const request = `POST ${forecastPath} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        const last = request.replace("Host", "Connection: close\r\nHost")
        const responses = (yield* sendRaw(request.repeat(499) + last)).match(/HTTP\/1\.1 200 OK/g) ?? []
        assert.lengthOf(responses, 500)
        assert.strictEqual((yield* credits.balance(id)).remaining, 500)
        assert.strictEqual((yield* post(forecastPath, { key: secret })).status, 200)
      })
    )

    it.effect("gets a response of at most a few times its size", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const fields = Array.from({ length: 1500 }, (_, i) => `"f${i}":1`).join(",")
        const response = yield* post(forecastPath, { key: secret, body: `{${fields}}` })
        assert.strictEqual(response.status, 400)
        assert.isBelow(response.text.length, 32 * 1024)
      })
    )

    it.effect("gets 431 headers_too_large for too large headers", () =>
      Effect.gen(function* () {
        const problem = problemOf(yield* sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${"x".repeat(20_000)}\r\n\r\n`))
        assert.deepStrictEqual([problem.status, problem.code], [431, "headers_too_large"])
      })
    )

    it.effect("gets a page instead of a problem document if it comes from a browser", () =>
      Effect.gen(function* () {
        const accept = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
        const response = yield* sendRaw(`GET /?x=${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n${accept}\r\n\r\n`)
        assert.match(response, /^HTTP\/1\.1 431 .*?\r\ncontent-type: text\/html/s)
        assert.include(response, "<h1>This address is too long</h1>")
        assert.match(response, /content-security-policy: default-src 'none'/)
        assert.include(response, "</html>")
      })
    )

    it.effect(
      "gets 408 request_timeout for headers that take longer than 10 seconds, and for a body that takes longer than 15",
      () =>
        Effect.gen(function* () {
          const { secret } = yield* issueKey()
          const head = `POST ${forecastPath} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n`
          const responses = yield* Effect.forEach(["GET /livez HTTP/1.1\r\nHost: x\r\n", `${head}{`], sendRaw, {
            concurrency: 2
          })
          for (const { code, retryable, status } of responses.map(problemOf)) {
            assert.deepStrictEqual([status, code, retryable], [408, "request_timeout", true])
          }
        })
    )
  })
})

describe("a client that disconnects", slowly, () => {
  const quietServer = Layer.fresh(Servers.layer).pipe(Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")))
  it.live("is charged if and only if the ledger says so, and never for an incomplete request", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(1000)
      const body = JSON.stringify(sample)
      const head = `POST ${forecastPath} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
      const hangUp = (text: string, millis: number) => Effect.ignore(Effect.timeout(sendRaw(text), `${millis} millis`))

      // Each server has exited before the ledger is read: all accepted requests are answered, or their clients have disconnected.
      yield* Effect.provide(
        Effect.all(
          Array.from({ length: 20 }, () => hangUp(head + body.slice(0, -1), 20)),
          { concurrency: 20 }
        ),
        quietServer
      )
      assert.deepStrictEqual(yield* credits.balance(id), { remaining: 1000, granted: 1000 })

      yield* Effect.gen(function* () {
        yield* Effect.all(
          Array.from({ length: 200 }, (_, i) => hangUp(head + body, i % 8)),
          { concurrency: 20 }
        )
        // One stays connected, however slow the machine is.
        assert.strictEqual((yield* post(forecastPath, { key: secret })).status, 200)
      }).pipe(Effect.provide(quietServer))
      const forecasts = (yield* credits.history(id, 2000)).filter(({ kind }) => kind === "forecast")
      assert.strictEqual((yield* credits.balance(id)).remaining, 1000 - forecasts.length)
      assert.strictEqual((yield* credits.usage(id)).requests, forecasts.length)
      assert.isAbove(forecasts.length, 0)
    }).pipe(Effect.provide(application()))
  )
})

describe("a database that refuses writes", () => {
  it.effect("answers 503 unavailable without a charge, and recovers by itself", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const credits = yield* Credits
      const { id, secret } = yield* issueKey(5)
      yield* sql`PRAGMA query_only = ON`
      for (const response of [yield* post(forecastPath, { key: secret }), yield* send("/readyz")]) {
        assert.strictEqual(response.status, 503)
        assert.include(response.problem, { code: "unavailable", retryable: true })
        assert.strictEqual(response.headers.get("retry-after"), "1")
        assert.notMatch(response.text, /sql|readonly|query_only/i)
      }
      assert.strictEqual((yield* send("/livez")).status, 200)
      yield* sql`PRAGMA query_only = OFF`
      assert.strictEqual((yield* credits.balance(id)).remaining, 5)
      assert.strictEqual((yield* post(forecastPath, { key: secret })).status, 200)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* send("/readyz")).status, 200)
    }).pipe(Effect.provide(Servers.layer.pipe(Layer.provideMerge(application()))))
  )
})

describe("a defect of the service", () => {
  const broken = storesWith(KeyStore, { findSecrets: () => Effect.die(new Error("secret details of the fault")) })

  it.effect("answers 500 internal without details", () =>
    Effect.gen(function* () {
      const response = yield* post(forecastPath, { key: "demo" })
      assert.strictEqual(response.status, 500)
      assert.include(response.problem, { code: "internal", title: "Internal error" })
      assert.notInclude(response.text, "details of the fault")
    }).pipe(Effect.provide(httpApplication({ stores: broken })))
  )
})
