import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../src/credits/Credits.ts"
import { httpApplication, issueKey, post, sendRaw } from "../support/Http.ts"
import { type RetriedRequest, testRetries } from "../support/retriedRequests.ts"
import { measured, sample } from "../support/Samples.ts"

const path = "/api/v1/forecast"
const legacyPath = "/api/v1/service/roi"

const { emails_sent, reply_rate, ...rest } = sample
const respelled = `{ "replyRate": ${reply_rate}.0, "emailsSent": ${emails_sent}e0,\n ${JSON.stringify(rest).slice(1)}`
const { campaign_cost: _, ...withoutCost } = sample
const changed = [JSON.stringify({ ...sample, reply_rate: 5.1 }), JSON.stringify(withoutCost)]
/** A forecast of each kind. */
const forecasts: ReadonlyArray<RetriedRequest> = [
  { name: "a forecast", path, request: { text: JSON.stringify(sample) }, again: { text: respelled }, others: changed },
  {
    name: "a forecast from a history",
    path,
    request: { text: JSON.stringify(measured) },
    again: { text: JSON.stringify(measured, undefined, 2) },
    others: [JSON.stringify(sample)]
  },
  {
    name: "a legacy forecast",
    path: legacyPath,
    request: { text: JSON.stringify(sample) },
    again: { text: respelled },
    others: changed
  }
]

const forecast = (key: string, idempotencyKey: string, body?: string, on = path) =>
  post(on, { key, body, headers: { "idempotency-key": idempotencyKey } })

describe("Idempotency-Key", () => {
  layer(httpApplication())((it) => {
    testRetries(it, forecasts)

    it.effect("repeats a response when no credit is left, and charges no other key", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(1)
        const other = yield* issueKey(1)
        const first = yield* forecast(secret, "last")
        assert.strictEqual((yield* forecast(secret, "next")).problem.code, "usage_exhausted")
        assert.strictEqual((yield* forecast(secret, "last")).text, first.text)
        // The same Idempotency-Key from another API key, or on another path, is a different request.
        const others = yield* forecast(other.secret, "last")
        assert.isNull(others.headers.get("idempotent-replayed"))
        assert.strictEqual((yield* forecast(secret, "last", undefined, legacyPath)).problem.code, "usage_exhausted")
        assert.lengthOf(yield* credits.history(id, 10), 2)
        assert.lengthOf(yield* credits.history(other.id, 10), 2)
      })
    )

    it.effect("stores no error, and is checked after 401, 403, 413, 415 and 400", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(1)
        assert.strictEqual((yield* forecast("nobody", "")).status, 401)
        assert.strictEqual((yield* forecast(secret, "later", "{}")).status, 400)
        assert.strictEqual((yield* forecast(secret, "later", " ".repeat(66_000))).status, 413)
        assert.strictEqual((yield* forecast(secret, "later")).status, 200)
        assert.strictEqual((yield* forecast(secret, "later", "{}")).status, 400)
      })
    )

    it.effect("answers 400 for a key that is empty, too long, not visible ASCII, or given twice", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(10)
        for (const key of ["", "x".repeat(256), "two words", "tab\tbed", "ümlaut"]) {
          const response = yield* forecast(secret, key)
          assert.strictEqual(response.status, 400, JSON.stringify(key))
          assert.deepStrictEqual(response.problem.errors, [
            {
              pointer: "/Idempotency-Key",
              code: "invalid_format",
              message: "must be a header of 1 to 255 visible ASCII characters, given once"
            }
          ])
        }
        const body = JSON.stringify(sample)
        const raw = (headers: string) =>
          sendRaw(
            `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${secret}\r\nContent-Type: application/json\r\n` +
              `Content-Length: ${body.length}\r\nConnection: close\r\n${headers}\r\n${body}`
          )
        assert.include(yield* raw("Idempotency-Key: a\r\nIdempotency-Key: b\r\n"), '"status":400')
        // Node's parser refuses a control character in a header before the service sees it.
        assert.include(yield* raw("Idempotency-Key: a\u0001b\r\n"), "HTTP/1.1 400")
        assert.strictEqual((yield* credits.balance(id)).remaining, 10)
        assert.strictEqual((yield* forecast(secret, "~".repeat(255))).status, 200)
      })
    )

    it.effect("keeps a response for 24 hours", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(10)
        const first = yield* forecast(secret, "day")
        yield* TestClock.adjust("23 hours")
        assert.strictEqual((yield* forecast(secret, "day")).text, first.text)
        assert.strictEqual((yield* credits.balance(id)).remaining, 9)
        yield* TestClock.adjust("1 hour")
        const next = yield* forecast(secret, "day", JSON.stringify({ ...sample, reply_rate: 6 }))
        assert.strictEqual(next.status, 200)
        assert.isNull(next.headers.get("idempotent-replayed"))
        assert.strictEqual((yield* credits.balance(id)).remaining, 8)
      })
    )
  })
})
