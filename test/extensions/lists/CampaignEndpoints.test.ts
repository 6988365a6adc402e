import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import { body, campaigns, path } from "../../support/CampaignRequests.ts"
import { free, httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"

const notJson = "{ this is no JSON"
const mebibyte = 1024 * 1024

describe(`POST ${path}`, () => {
  layer(httpApplication())((it) => {
    it.effect("answers 413 above 1 MiB, whatever the body is; exactly 1 MiB is read", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        const whole = body(campaigns(2)).padEnd(mebibyte, " ")
        assert.strictEqual((yield* post(path, { key: secret, body: whole })).status, 200)
        for (const [text, type] of [
          [`${whole} `, "application/json"],
          [`${whole} `, "text/csv"],
          ["x".repeat(12 * mebibyte), "text/plain"]
        ] as const) {
          const response = yield* free(id, post(path, { key: secret, body: text, headers: { "content-type": type } }))
          assert.strictEqual(response.status, 413)
          assert.include(response.problem, {
            code: "payload_too_large",
            detail: "The request body is larger than 1024 KiB."
          })
        }
      })
    )

    it.effect("answers 413 for a body of unknown length too", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        const chunks = Array.from({ length: 17 }, () => new Uint8Array(64 * 1024).fill(32))
        const headers = { "x-api-key": secret, "content-type": "application/json" }
        assert.strictEqual((yield* free(id, send(path, { method: "POST", headers, body: chunks }))).status, 413)
      })
    )

    it.effect("answers 415 for a body that is neither JSON nor CSV in UTF-8", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        for (const headers of [
          { "content-type": "text/plain" },
          { "content-type": "text/csv; charset=windows-1252" },
          { "content-type": "application/vnd.ms-excel" },
          { "content-encoding": "gzip" }
        ]) {
          const response = yield* free(id, post(path, { key: secret, body: notJson, headers }))
          assert.strictEqual(response.status, 415)
          assert.include(response.problem.detail, "application/json or text/csv")
          assert.strictEqual(response.headers.get("accept"), "application/json, text/csv")
        }
      })
    )

    it.effect("answers 400 malformed_json, and says where the text stops being JSON", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        for (const [text, where] of [
          ["", "empty"],
          [notJson, "position"],
          ['{"campaigns":[', "Unexpected end of JSON"],
          ['{"campaigns":[{},{"a":NaN}]}', '{"a":NaN}]}"'],
          ["[".repeat(mebibyte), ""]
        ] as const) {
          const response = yield* free(id, post(path, { key: secret, body: text }))
          assert.strictEqual(response.status, 400)
          if (text.length < 100) assert.strictEqual(response.problem.code, "malformed_json")
          assert.include(response.problem.detail, where)
        }
      })
    )

    it.effect("answers 400 before 429, and 429 with how many credits are needed and left", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(3)
        const wrong = body([...campaigns(999), { ...sample, reply_rate: 101 }])
        const invalid = yield* free(id, post(path, { key: secret, body: wrong }))
        assert.deepStrictEqual(invalid.problem.errors, [
          { pointer: "/campaigns/999/reply_rate", message: "must be at most 100", code: "out_of_range" }
        ])
        assert.strictEqual(invalid.headers.get("ratelimit"), '"credits";r=3')
        const response = yield* free(id, post(path, { key: secret, body: body(campaigns(4)) }))
        assert.strictEqual(response.status, 429)
        assert.include(response.problem, { code: "usage_exhausted", retryable: false })
        assert.match(
          response.problem.detail,
          /^This takes 4 forecast credits, but this key has only 3 left\. Nothing was charged: send fewer campaigns, or buy a credit pack: http:.*\/credits$/u
        )
        assert.strictEqual(response.headers.get("ratelimit"), '"credits";r=3')
        assert.isNull(response.headers.get("retry-after"))
        assert.strictEqual((yield* post(path, { key: secret, body: body(campaigns(3)) })).status, 200)
      })
    )

    it.effect("answers 200 with forecasts, totals, ranking and usage, and writes one ledger entry", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(100)
        const small = { ...sample, emails_sent: 500 }
        const response = yield* post(path, { key: secret, body: body([small, { name: "A", ...sample }]) })
        assert.strictEqual(response.status, 200)
        assert.strictEqual(response.headers.get("content-type"), "application/json")
        assert.deepInclude(response.json["totals"], { campaigns: 2, emails_sent: 5500, estimated_clients: 4.125 })
        assert.deepInclude(response.json["ranking"], { by: "profit", order: ["A", 0] })
        assert.deepStrictEqual(response.json["usage"], { month: "1970-01", requests: 2, credits_remaining: 98 })
        assert.strictEqual(response.headers.get("ratelimit"), '"credits";r=98')
        assert.strictEqual(response.headers.get("ratelimit-policy"), '"credits";q=100')
        const [entry, ...others] = yield* credits.history(id, 10)
        assert.include(entry, { kind: "forecast", delta: -2, balanceAfter: 98 })
        assert.lengthOf(others, 1)
      })
    )
  })
})
