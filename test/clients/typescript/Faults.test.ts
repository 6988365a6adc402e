import { createServer } from "node:net"
import { TLSSocket } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import tlsOptions from "smtp-server/lib/tls-options.js"
import {
  APIError,
  Client,
  type ClientOptions,
  InvalidResponseError,
  OutreachForecastError,
  RateLimitError,
  UsageExhaustedError
} from "../../../clients/typescript/src/index.ts"
import { failureOf, inspectAll } from "../../support/Client.ts"
import { cut, faultServer, type Play, problem, reply } from "../../support/FaultServer.ts"
import { sample } from "../../support/Samples.ts"
import { listen } from "../../support/Sockets.ts"

const success = reply(200, '{"estimated_replies":250}')

/** A client of a scripted server. It retries a call once, and waits long enough for a busy machine. */
const clientOf = Effect.fnUntraced(function* (
  script: readonly [Play, ...ReadonlyArray<Play>],
  options: ClientOptions = {}
) {
  const { requests, url } = yield* faultServer(...script)
  return { client: new Client({ apiKey: "key", baseUrl: url, maxRetries: 1, timeout: 600, ...options }), requests, url }
})

const headerOf = (request: string | undefined, name: string) =>
  new RegExp(`^${name}: (.*)\r$`, "im").exec(request ?? "")?.[1]

const hangUp: Play = (socket) => {
  socket.destroy()
}

const drip =
  (beginning: string): Play =>
  (socket) => {
    socket.write(beginning)
    const dripping = setInterval(() => socket.write("x"), 10)
    socket.on("close", () => clearInterval(dripping))
  }

const slow: Readonly<Record<string, Play>> = {
  "no answer": () => {},
  "a head that drips": drip("HTTP/1.1 200 OK\r\nX-Slow: "),
  "a body that drips": drip("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
}

/** Faults after which the same request is retried. */
const passing: Readonly<Record<string, Play>> = {
  "a connection that is closed without an answer": hangUp,
  "a head that is cut off": cut("HTTP/1.1 200 OK\r\nContent-Ty"),
  "a body that is cut off": cut('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"estimated_'),
  "a chunked body that is cut off": cut('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"est\r\n'),
  "the body of an error that is cut off": cut('HTTP/1.1 400 Bad\r\nContent-Length: 100\r\n\r\n{"code'),
  "503 unavailable": problem(503, "unavailable", { "retry-after": "0" }),
  "500 internal": problem(500, "internal", { "retry-after": "0" }),
  "502 of a load balancer, as HTML": reply(502, "<h1>Bad gateway</h1>", { "retry-after": "0" }),
  "429 rate_limited": problem(429, "rate_limited", { "retry-after": "0" }),
  "429 of a load balancer": reply(429, "Slow down", { "retry-after": "0" }),
  "408 request_timeout": problem(408, "request_timeout", { "retry-after": "0" }),
  "409 idempotency_in_progress": problem(409, "idempotency_in_progress", { "retry-after": "0" }),
  "503 until a date": problem(503, "unavailable", { "retry-after": "Sat, 21 Nov 2026 08:00:00 GMT" })
}

/** Refusals that are not retried, because a retry would get the same one. */
const lasting = [
  [400, "invalid_input"],
  [401, "invalid_key"],
  [403, "plan_inactive"],
  [404, "not_found"],
  [409, "another_conflict"],
  [422, "idempotency_mismatch"],
  [429, "usage_exhausted"],
  [429, "sub_key_limit_reached"],
  [500, "usage_exhausted"]
] as const

describe.concurrent("Client", () => {
  for (const [fault, play] of Object.entries(passing)) {
    it.live(`retries the same request after ${fault}`, () =>
      Effect.gen(function* () {
        const { client, requests } = yield* clientOf([play, success])
        assert.deepStrictEqual<unknown>(yield* Effect.promise(() => client.forecast(sample)), {
          estimated_replies: 250
        })
        assert.lengthOf(requests, 2)
        assert.strictEqual(requests[1], requests[0])
        assert.match(headerOf(requests[0], "idempotency-key") ?? "", /^[0-9a-f-]{36}$/)
      })
    )

    it.live(`reports the fault when ${fault} persists`, () =>
      Effect.gen(function* () {
        const { client, requests } = yield* clientOf([play])
        const error = yield* failureOf(client.usage())
        const status = /^\d+/.exec(fault)?.[0]
        if (status === undefined) {
          assert.strictEqual(error.name, "APIConnectionError")
          assert.notInstanceOf(error, APIError)
          assert.exists(error.cause)
        } else {
          assert.instanceOf(error, APIError)
          assert.strictEqual(error.status, Number(status))
          assert.strictEqual(error instanceof RateLimitError, status === "429")
        }
        assert.instanceOf(error, OutreachForecastError)
        assert.lengthOf(requests, 2)
      })
    )
  }

  for (const [status, code] of lasting) {
    it.live(`does not retry a request that was refused with ${status} ${code}`, () =>
      Effect.gen(function* () {
        const { client, requests } = yield* clientOf([problem(status, code, { "retry-after": "0" })])
        const error = yield* failureOf(client.forecast(sample))
        assert.deepInclude<unknown>(error, {
          status,
          statusCode: status,
          code,
          message: `It is ${code}. (${status} ${code}, request request-1)`,
          requestId: "request-1",
          errors: [],
          retryable: false
        })
        assert.strictEqual(error instanceof RateLimitError, code === "sub_key_limit_reached")
        assert.strictEqual(error instanceof UsageExhaustedError, code === "usage_exhausted")
        assert.lengthOf(requests, 1)
      })
    )
  }

  it.live("gives up after maxRetries more attempts, with growing pauses between them", () =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const note: Play = (socket) => {
        times.push(performance.now())
        hangUp(socket)
      }
      const { client } = yield* clientOf([note], { maxRetries: 2 })
      assert.strictEqual((yield* failureOf(client.usage())).name, "APIConnectionError")
      const [first = 0, second = 0, third = 0] = times
      assert.lengthOf(times, 3)
      assert.isAtLeast(second - first, 245)
      assert.isAtLeast(third - second, 495)
      const once = yield* clientOf([hangUp], { maxRetries: 0 })
      yield* failureOf(once.client.usage())
      assert.lengthOf(once.requests, 1)
    })
  )

  it.live("waits as long as the service requests", () =>
    Effect.gen(function* () {
      const started = performance.now()
      const { client } = yield* clientOf([problem(429, "rate_limited", { "retry-after": "1" }), success])
      yield* Effect.promise(() => client.forecast(sample))
      assert.isAtLeast(performance.now() - started, 990)
    })
  )

  it.live("ignores a Retry-After that is not a time", () =>
    Effect.gen(function* () {
      for (const text of ["-1", "1.5", "soon", ""]) {
        const started = performance.now()
        const { client } = yield* clientOf([problem(503, "unavailable", { "retry-after": text }), success])
        yield* Effect.promise(() => client.forecast(sample))
        assert.isAtLeast(performance.now() - started, 245, text)
      }
    })
  )

  it.live("fails immediately if it would have to wait beyond its timeout", () =>
    Effect.gen(function* () {
      const asked = yield* clientOf([problem(429, "rate_limited", { "retry-after": "60" })], { timeout: 30 })
      const limited = yield* failureOf(asked.client.usage())
      assert.instanceOf(limited, RateLimitError)
      assert.strictEqual(limited.retryAfter, 60)
      assert.lengthOf(asked.requests, 1)
      let attempts = 0
      const lost: typeof fetch = () => {
        attempts++
        return Promise.reject(new TypeError("fetch failed"))
      }
      // Its own first pause is at least 0.25 s.
      const hasty = new Client({ apiKey: "key", baseUrl: asked.url, fetch: lost, timeout: 0.24 })
      assert.strictEqual((yield* failureOf(hasty.usage())).name, "APIConnectionError")
      assert.strictEqual(attempts, 1)
    })
  )

  for (const [fault, play] of Object.entries(slow)) {
    it.live(`ends ${fault} after its timeout, and closes the connection`, () =>
      Effect.gen(function* () {
        const closed = Promise.withResolvers<void>()
        const watched: Play = (socket) => {
          socket.on("close", () => closed.resolve())
          play(socket)
        }
        const { client, requests } = yield* clientOf([watched], { timeout: 1 })
        const error = yield* failureOf(client.usage())
        assert.include(error, {
          name: "APITimeoutError",
          message: `There was no response from ${client.baseUrl} within 1 s`
        })
        assert.instanceOf(error, OutreachForecastError)
        assert.lengthOf(requests, 1)
        yield* Effect.promise(() => closed.promise)
      })
    )
  }

  it.live("counts all attempts toward its timeout", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* clientOf([hangUp, () => {}], { timeout: 4 })
      assert.strictEqual((yield* failureOf(client.usage())).name, "APITimeoutError")
      assert.lengthOf(requests, 2)
    })
  )

  it.live("ends with its signal's reason, while it waits for an answer and while it pauses", () =>
    Effect.gen(function* () {
      for (const play of [() => {}, problem(429, "rate_limited", { "retry-after": "5" })]) {
        const controller = new AbortController()
        const { client, requests } = yield* clientOf([
          (socket) => {
            play(socket)
            setTimeout(() => controller.abort(new Error("Enough")), 50)
          }
        ])
        const call = client.forecast(sample, { signal: controller.signal })
        assert.strictEqual((yield* failureOf(call)).message, "Enough")
        assert.lengthOf(requests, 1)
        const late = client.usage({ signal: controller.signal })
        assert.strictEqual((yield* failureOf(late)).message, "Enough")
        assert.lengthOf(requests, 1)
      }
    })
  )

  it.live("prefers the timeout and retries of a single call, or of a copy with other options, to its own", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* clientOf([() => {}], { timeout: 60, maxRetries: 5 })
      const soon = [
        client.forecast(sample, { timeout: 1 }),
        client.usage({ timeout: 1 }),
        client.ledger({ timeout: 1 }).next(),
        client.withOptions({ timeout: 1 }).usage()
      ]
      for (const call of soon) {
        assert.strictEqual((yield* failureOf(call)).message, `There was no response from ${client.baseUrl} within 1 s`)
      }
      assert.lengthOf(requests, 4)
      assert.include(client, { timeout: 60, maxRetries: 5 })
      const refused = yield* clientOf([problem(503, "unavailable", { "retry-after": "0" })], { maxRetries: 1 })
      const copy = refused.client.withOptions({ maxRetries: 3, timeout: undefined })
      assert.include(copy, { baseUrl: refused.url, timeout: 600, maxRetries: 3 })
      yield* failureOf(refused.client.usage({ maxRetries: 0 }))
      assert.lengthOf(refused.requests, 1)
      yield* failureOf(copy.usage())
      assert.lengthOf(refused.requests, 5)
      assert.strictEqual(headerOf(refused.requests.at(-1), "x-api-key"), "key")
      for (const options of [{ timeout: 0 }, { timeout: 20_000 }, { maxRetries: -1 }]) {
        assert.strictEqual((yield* failureOf(refused.client.usage(options))).name, "InvalidArgumentError")
      }
      assert.lengthOf(refused.requests, 5)
    })
  )

  it.live("uses the given fetch, whose signal ends with the timeout and with the caller's", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const unanswered: typeof fetch = (url, { signal } = {}) => {
        asked.push(url)
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
      }
      const client = new Client({
        apiKey: "key",
        baseUrl: "https://forecast.example",
        fetch: unanswered,
        timeout: 0.0505
      })
      assert.strictEqual((yield* failureOf(client.usage())).name, "APITimeoutError")
      const signal = AbortSignal.timeout(10)
      assert.strictEqual((yield* failureOf(client.usage({ signal, timeout: 60 }))).name, "TimeoutError")
      assert.isTrue(signal.aborted)
      assert.deepStrictEqual(asked, Array(2).fill("https://forecast.example/api/v1/usage"))
    })
  )

  it.live("has the request ID and the headers on responses and errors, hidden from logs and copies", () =>
    Effect.gen(function* () {
      const { client } = yield* clientOf([
        reply(200, '{"estimated_replies":250}', { "x-request-id": "request-7", ratelimit: '"credits";r=9' }),
        problem(400, "invalid_input", { "x-more": "more" }),
        reply(200, "<h1>Welcome</h1>", { "x-request-id": "hotel-1" })
      ])
      const response = yield* Effect.promise(() => client.forecast(sample))
      assert.strictEqual(response.requestId, "request-7")
      assert.strictEqual(response.headers.get("ratelimit"), '"credits";r=9')
      assert.deepStrictEqual(Object.keys({ ...response }), ["estimated_replies"])
      assert.strictEqual(JSON.stringify(response), '{"estimated_replies":250}')
      const error = yield* failureOf(client.forecast(sample))
      assert.instanceOf(error, APIError)
      assert.strictEqual(error.requestId, "request-1")
      assert.strictEqual(error.headers.get("x-more"), "more")
      assert.notInclude(Object.keys(error), "headers")
      const other = yield* failureOf(client.forecast(sample))
      assert.instanceOf(other, InvalidResponseError)
      assert.strictEqual(other.requestId, "hotel-1")
    })
  )

  it.live("survives a connection that is closed between two calls", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* clientOf([
        (socket) => {
          success(socket)
          setTimeout(() => socket.destroy(), 5)
        },
        success
      ])
      yield* Effect.promise(() => client.forecast(sample))
      yield* Effect.sleep("20 millis")
      yield* Effect.promise(() => client.forecast(sample))
      assert.lengthOf(requests, 2)
      assert.notStrictEqual(headerOf(requests[0], "idempotency-key"), headerOf(requests[1], "idempotency-key"))
    })
  )

  it.live("reports a success that is not a JSON object", () =>
    Effect.gen(function* () {
      for (const body of ["<h1>Welcome to this hotel</h1>", "", "[]", "null", '{"estimated_replies":']) {
        const { client, requests } = yield* clientOf([reply(200, body)])
        const error = yield* failureOf(client.forecast(sample))
        assert.strictEqual(error.name, "InvalidResponseError")
        assert.match(
          error.message,
          new RegExp(
            `^The response from ${client.baseUrl} is not a JSON object \\(${body.length} characters, .+\\): is baseUrl correct\\?$`
          )
        )
        assert.notInstanceOf(error, APIError)
        assert.instanceOf(error, OutreachForecastError)
        assert.lengthOf(requests, 1)
      }
      const { client } = yield* clientOf([reply(200, "{}")])
      assert.strictEqual((yield* failureOf(client.ledger().next())).name, "InvalidResponseError")
    })
  )

  it.live("reports a response that is not HTTP as a failed connection, with its reason", () =>
    Effect.gen(function* () {
      for (const text of [
        "220 mail.example ESMTP\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n",
        `HTTP/1.1 200 OK\r\nX-Large: ${"x".repeat(100_000)}\r\n\r\n`
      ]) {
        const { client } = yield* clientOf([cut(text)], { maxRetries: 0 })
        const error = yield* failureOf(client.forecast(sample))
        assert.strictEqual(error.name, "APIConnectionError", text.slice(0, 60))
        assert.match(error.message, new RegExp(`^The connection to ${client.baseUrl} failed: (?!fetch failed)\\S`))
      }
    })
  )

  it.live("sends nothing to a server that it cannot trust", () =>
    Effect.gen(function* () {
      const server = createServer((socket) => {
        // With the test certificate of the package, which is not trusted.
        new TLSSocket(socket, { isServer: true, ...tlsOptions() })
          .on("error", () => {})
          .on("data", () => assert.fail("It sent something"))
      })
      const url = yield* listen(server)
      const client = new Client({ apiKey: "key", baseUrl: url.replace("http:", "https:"), maxRetries: 0 })
      const error = yield* failureOf(client.usage())
      assert.strictEqual(error.name, "APIConnectionError")
      assert.match(error.message, /certificate/)
    })
  )

  it.live("stops reading a response that is far too large", () =>
    Effect.gen(function* () {
      for (const status of [200, 502]) {
        const { client, requests } = yield* clientOf([
          (socket) => {
            const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`
            const pour = () => {
              while (socket.writable && socket.write(chunk));
            }
            socket.on("drain", pour)
            socket.write(`HTTP/1.1 ${status} Status\r\nTransfer-Encoding: chunked\r\n\r\n`)
            pour()
          }
        ])
        const error = yield* failureOf(client.usage())
        assert.include(error, {
          name: "InvalidResponseError",
          message: `The response from ${client.baseUrl} is larger than 8 MiB`
        })
        assert.lengthOf(requests, 1)
      }
    })
  )

  it.live("returns a response as it is, with unknown fields and values, and every digit of a number", () =>
    Effect.gen(function* () {
      const body = '{"performance_grade":"stellar","new":[1e-7,0.1,9007199254740991,-0.5],"roi_multiple":15.6}'
      const { client } = yield* clientOf([reply(200, body)])
      assert.strictEqual(JSON.stringify(yield* Effect.promise(() => client.forecast(sample))), body)
    })
  )

  it.live("reports what is known about an error that is not from the service", () =>
    Effect.gen(function* () {
      const { client } = yield* clientOf([reply(404, "<h1>Not here</h1>", { "x-request-id": "balancer-7" })])
      const error = yield* failureOf(client.usage())
      assert.deepInclude<unknown>(error, {
        name: "APIError",
        message:
          "The response with the status 404 is not from the service, but from something in front of it (404 without a code, request balancer-7)",
        status: 404,
        code: undefined,
        requestId: "balancer-7",
        errors: [],
        retryable: false,
        retryAfter: undefined,
        body: "<h1>Not here</h1>"
      })
      const away = yield* clientOf([reply(502, "")], { maxRetries: 0 })
      assert.deepInclude<unknown>(yield* failureOf(away.client.usage()), { status: 502, retryable: true, body: "" })
      const odd = yield* clientOf([
        reply(400, '{"message":7,"code":[],"errors":[null,{"pointer":"/a"}],"retryable":"no"}')
      ])
      assert.deepInclude<unknown>(yield* failureOf(odd.client.usage()), {
        status: 400,
        code: undefined,
        errors: []
      })
    })
  )

  it.live("sends the key to no other address than its own", () =>
    Effect.gen(function* () {
      const other = yield* faultServer(success)
      for (const status of [301, 302, 303, 307, 308]) {
        const { client, requests } = yield* clientOf([reply(status, "", { location: `${other.url}/api/v1/usage` })])
        const error = yield* failureOf(client.usage())
        assert.instanceOf(error, APIError)
        assert.strictEqual(error.status, status)
        assert.include(error.message, `to ${other.url}/api/v1/usage, where the key is not sent: set baseUrl`)
        assert.lengthOf(requests, 1)
      }
      assert.lengthOf(other.requests, 0)
      const cached = yield* clientOf([reply(304, "")])
      assert.deepInclude<unknown>(yield* failureOf(cached.client.usage()), {
        status: 304,
        message:
          "The status 304 is not one that the service uses: set baseUrl to the address of the service itself " +
          "(304 without a code)"
      })
    })
  )

  it.live("does not retry a rotation that may have been carried out, which would replace the new key", () =>
    Effect.gen(function* () {
      for (const [play, attempts] of [
        [hangUp, 1],
        [problem(503, "unavailable", { "retry-after": "0" }), 1],
        [problem(429, "rate_limited", { "retry-after": "0" }), 2]
      ] as const) {
        const { client, requests } = yield* clientOf([play])
        yield* failureOf(client.rotateKey())
        assert.lengthOf(requests, attempts)
      }
    })
  )

  it.live("sends to its base URL, with only what belongs to the request", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* faultServer(reply(200, '{"entries":[],"next_cursor":null}'))
      const client = new Client({ apiKey: "key-1", baseUrl: `${url}/behind/proxy//` })
      yield* Effect.promise(() => client.ledger().next())
      yield* Effect.promise(() => client.forecast(sample, { idempotencyKey: "campaign-17" }))
      assert.isTrue(requests[0]?.startsWith("GET /behind/proxy/api/v1/credits/ledger?limit=200 HTTP/1.1\r\n"))
      assert.isTrue(requests[1]?.startsWith("POST /behind/proxy/api/v1/forecast HTTP/1.1\r\n"))
      assert.strictEqual(headerOf(requests[1], "x-api-key"), "key-1")
      assert.strictEqual(headerOf(requests[1], "content-type"), "application/json")
      assert.strictEqual(headerOf(requests[1], "idempotency-key"), "campaign-17")
      assert.strictEqual(requests[1]?.split("\r\n\r\n")[1], JSON.stringify(sample))

      for (const idempotencyKey of ["a\r\nx-api-key: other", "a b", "", "ü", "a\0"]) {
        const error = yield* failureOf(client.forecast(sample, { idempotencyKey }))
        assert.include(error, {
          name: "InvalidArgumentError",
          message: "The idempotency key must be visible ASCII characters without spaces or line breaks"
        })
      }
      const tooLong = yield* failureOf(client.forecast(sample, { idempotencyKey: "a".repeat(256) }))
      assert.include(tooLong, {
        name: "InvalidArgumentError",
        message: "The idempotency key must have at most 255 characters"
      })
      for (const campaign_cost of [NaN, Infinity]) {
        const error = yield* failureOf(client.forecast({ ...sample, campaign_cost }))
        assert.include(error, { name: "InvalidArgumentError", message: "campaign_cost must be a finite number" })
      }
      assert.lengthOf(requests, 2)
    })
  )

  it.live("has errors whose stack leads to the caller and which show no key", () =>
    Effect.gen(function* () {
      const secret = "ofk_live_secret"
      for (const play of [hangUp, problem(401, "invalid_key"), reply(200, "no"), reply(302, "")]) {
        const { client } = yield* clientOf([play], { apiKey: secret, maxRetries: 0 })
        const requestUsage = async () => await client.usage()
        const error = yield* failureOf(requestUsage())
        assert.include(error.stack ?? "", "requestUsage")
        assert.notInclude(inspectAll(error), secret)
        assert.notInclude(inspectAll(client), secret)
      }
    })
  )
})
