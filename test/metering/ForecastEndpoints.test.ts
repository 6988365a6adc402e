import { assert, describe, layer } from "@effect/vitest"
import { countNames } from "../../src/campaign/Rates.ts"
import { Credits } from "../../src/credits/Credits.ts"
import { Effect, Schema } from "effect"
import { Forecast } from "../../src/forecast/ForecastAnswer.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { free, httpApplication, issueKey, post, send, unknownKey } from "../support/Http.ts"
import { sample } from "../support/Samples.ts"

const notJson = "{ this is no JSON"
const tooLarge = JSON.stringify({ ...sample, padding: "x".repeat(65 * 1024) })

const row = { emails_sent: 3200, replies: 61, positive_replies: 19, meetings: 5, clients: 1 }

/** Each invalid spread or history, with its error. */
const wrongVariations: ReadonlyArray<readonly [wrong: object, ...errors: ReadonlyArray<string>]> = [
  [{ spread: "some" }, '/spread invalid_format: must be "published" or "none"'],
  [{ spread: 5 }, '/spread invalid_format: must be "published" or "none"'],
  [{ history: [] }, "/history out_of_range: must have 1 to 100 campaigns, or be left out"],
  [{ history: Array.from({ length: 101 }, () => row) }, "/history out_of_range: must have at most 100 campaigns"],
  [{ history: row }, "/history wrong_type: must be an array, not an object"],
  [
    { history: [row, 5] },
    "/history/1 wrong_type: must be an object (name, emails_sent, delivered, replies, positive_replies, meetings, meetings_held, clients), not a number"
  ],
  [{ history: [{ ...row, replies: 61.5 }] }, "/history/0/replies not_an_integer: must be a whole number"],
  [{ history: [{ ...row, emails_sent: 0 }] }, "/history/0/emails_sent out_of_range: must be from 1 to 100000000"],
  [{ history: [{ replies: 5 }] }, "/history/0/emails_sent required: is required"],
  [
    { history: [row, { ...row, replies: 3201 }, { emails_sent: 90, meetings: 8, clients: 9 }] },
    "/history/1/replies out_of_range: must be at most emails_sent",
    "/history/2/clients out_of_range: must be at most meetings"
  ],
  [
    { history: [{ ...row, name: "x".repeat(101) }] },
    "/history/0/name invalid_format: must have at most 100 characters"
  ],
  [
    { history: [{ ...row, meeting: 5, opens: 900 }] },
    '/history/0/meeting unknown_field: is not a known field; did you mean "meetings"?',
    `/history/0/opens unknown_field: is not a known field; the fields are name, ${countNames.join(", ")}`
  ],
  ...[
    { history: [{ emails_sent: 3200 }, { emails_sent: 900, meetings: 4 }] },
    { history: [{ emails_sent: 3200, replies: 0 }], reply_rate: 0 },
    { history: [{ emails_sent: 3200, delivered: 3100 }] },
    { history: [{ emails_sent: 3200, replies: 0, positive_replies: 0 }], reply_rate: 100 }
  ].map(
    (wrong) =>
      [
        wrong,
        "/history required: has nothing to learn from: a rate between 0 and 100 needs a past campaign with both of its counts, such as emails_sent and replies"
      ] as const
  )
]

const decodeForecast = Schema.decodeUnknownSync(Schema.fromJsonString(Forecast))

const path = "/api/v1/forecast"

describe(`POST ${path}`, () => {
  layer(httpApplication())((it) => {
    it.effect("answers 401 missing_key before anything else is checked, and says that it reads no bearer token", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const headers = { "content-type": "text/plain", authorization: `Bearer ${secret}` }
        for (const key of [undefined, ""]) {
          const response = yield* post(path, { key, body: notJson, headers })
          assert.strictEqual(response.status, 401)
          assert.strictEqual(response.problem.code, "missing_key")
          assert.include(response.problem.message, "a bearer token in the Authorization header is not read")
          assert.strictEqual(response.headers.get("www-authenticate"), "ApiKey")
          assert.isNull(response.headers.get("ratelimit"))
        }
      })
    )

    it.effect(
      "answers 401 invalid_key for a key that is unknown, mistyped, from another environment, or not a key at all",
      () =>
        Effect.gen(function* () {
          const { secret } = yield* issueKey()
          const unknown = yield* unknownKey
          const flipped = secret.endsWith("0") ? "1" : "0"
          for (const key of [
            unknown,
            "hello",
            `${secret.slice(0, -1)}${flipped}`,
            secret.replace("test", "live"),
            `${secret}, ${secret}`
          ]) {
            const response = yield* post(path, { key, body: notJson })
            assert.strictEqual(response.status, 401)
            assert.strictEqual(response.problem.code, "invalid_key")
            assert.strictEqual(response.headers.get("www-authenticate"), "ApiKey")
          }
        })
    )

    it.effect("answers 401 key_revoked and 403 plan_inactive from the next request on", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const { id, secret } = yield* issueKey()
        assert.strictEqual((yield* post(path, { key: secret })).status, 200)
        yield* apiKeys.setKeyPlan(id, "inactive")
        const inactive = yield* free(id, post(path, { key: secret, body: notJson }))
        assert.strictEqual(inactive.status, 403)
        assert.strictEqual(inactive.problem.code, "plan_inactive")
        assert.isNull(inactive.headers.get("www-authenticate"))
        assert.strictEqual(inactive.headers.get("ratelimit"), '"credits";r=99')
        yield* apiKeys.setKeyPlan(id, "active")
        assert.strictEqual((yield* post(path, { key: secret })).status, 200)
        yield* apiKeys.revoke(id, "operator")
        const revoked = yield* free(id, post(path, { key: secret, body: notJson }))
        assert.strictEqual(revoked.status, 401)
        assert.strictEqual(revoked.problem.code, "key_revoked")
      })
    )

    it.effect("answers 413 for a body over 64 KiB, whatever it is", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        for (const body of [tooLarge, "x".repeat(12 * 1024 * 1024)]) {
          const response = yield* free(id, post(path, { key: secret, body, headers: { "content-type": "text/plain" } }))
          assert.strictEqual(response.status, 413)
          assert.strictEqual(response.problem.code, "payload_too_large")
        }
        const padded = JSON.stringify(sample).padEnd(64 * 1024, " ")
        assert.strictEqual((yield* post(path, { key: secret, body: padded })).status, 200)
        assert.strictEqual((yield* post(path, { key: secret, body: `${padded} ` })).status, 413)
      })
    )

    it.effect("answers 415 for another content type, none, another charset, or a compressed body", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        for (const headers of [
          { "content-type": "text/plain" },
          { "content-type": "application/x-www-form-urlencoded" },
          { "content-type": "application/jsonp" },
          { "content-type": "application/json; charset=utf-16" },
          { "content-type": "" },
          { "content-encoding": "gzip" }
        ]) {
          const response = yield* free(id, post(path, { key: secret, body: notJson, headers }))
          assert.strictEqual(response.status, 415, JSON.stringify(headers))
          assert.strictEqual(response.problem.code, "unsupported_media_type")
        }
        const untyped = yield* free(
          id,
          send(path, { method: "POST", headers: { "x-api-key": secret }, body: new TextEncoder().encode("{}") })
        )
        assert.strictEqual(untyped.status, 415)
        for (const type of ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"']) {
          assert.strictEqual((yield* post(path, { key: secret, headers: { "content-type": type } })).status, 200)
        }
      })
    )

    it.effect("answers 400 malformed_json", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        for (const body of ["", "   ", notJson, '{"reply_rate":NaN}', '{"reply_rate":5,}', "[".repeat(10_000)]) {
          const response = yield* free(id, post(path, { key: secret, body }))
          assert.strictEqual(response.status, 400)
          assert.strictEqual(response.problem.code, "malformed_json")
          assert.isUndefined(response.problem.errors)
        }
      })
    )

    it.effect("answers 400 invalid_input with all errors at once, and the balance in the headers", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(7)
        const { campaign_cost: _, ...rest } = sample
        const body = JSON.stringify({ ...rest, reply_rate: 101, avg_deal_value: 5 })
        const response = yield* free(id, post(path, { key: secret, body }))
        assert.strictEqual(response.status, 400)
        const { errors, ...problem } = response.problem
        assert.deepStrictEqual(errors, [
          { pointer: "/reply_rate", message: "must be at most 100", code: "out_of_range" },
          {
            pointer: "/avg_deal_value",
            message: 'is not a known field; did you mean "average_deal_value"?',
            code: "unknown_field"
          }
        ])
        assert.include(problem, { code: "invalid_input", title: "Invalid input", status: 400, retryable: false })
        assert.strictEqual(response.headers.get("ratelimit-policy"), '"credits";q=7')
        assert.strictEqual(response.headers.get("ratelimit"), '"credits";r=7')
        for (const whole of ["null", "[]", '"text"', "5"]) {
          const refused = yield* free(id, post(path, { key: secret, body: whole }))
          assert.strictEqual(refused.problem.errors?.[0]?.pointer, "")
        }
      })
    )

    it.effect("answers 400 with a pointer for each wrong spread and history", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        for (const [wrong, ...expected] of wrongVariations) {
          const response = yield* free(id, post(path, { key: secret, body: JSON.stringify({ ...sample, ...wrong }) }))
          assert.strictEqual(response.status, 400)
          assert.deepStrictEqual(
            response.problem.errors?.map(({ code, message, pointer }) => `${pointer} ${code}: ${message}`),
            expected
          )
        }
      })
    )

    it.effect("answers 200 to a history of 100 campaigns in 64 KiB, with the learned rates and its track record", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(2)
        const history = Array.from({ length: 100 }, (_, index) => ({
          name: `Campaign ${index} `.padEnd(100, "x"),
          emails_sent: 3000,
          replies: 60 + index,
          positive_replies: 30
        }))
        const body = JSON.stringify({ ...sample, history }).padEnd(64 * 1024, " ")
        const response = yield* post(path, { key: secret, body })
        assert.strictEqual(response.status, 200)
        const { outlook, track_record } = decodeForecast(response.text)
        assert.deepStrictEqual(
          [outlook.basis, outlook.rates.reply_rate.basis, outlook.rates.close_rate.basis],
          ["history", "history", "as_given"]
        )
        assert.closeTo(outlook.rates.reply_rate.expected, 100 * (109.5 / 3000), 0.1)
        assert.include(track_record, { campaigns: 100, clients_of: 0 })
      })
    )

    it.effect("answers 400 if there would be more replies than contacts", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        const body = JSON.stringify({ ...sample, reply_rate: 11.3, emails_per_contact: 10 })
        const response = yield* free(id, post(path, { key: secret, body }))
        assert.strictEqual(response.status, 400)
        assert.deepStrictEqual(response.problem.errors, [
          {
            pointer: "/reply_rate",
            message: "would mean more replies than contacts: with 10 emails to each contact it must be at most 10",
            code: "out_of_range"
          }
        ])
      })
    )

    it.effect("answers 400 before 429, and says what to do in 429 usage_exhausted", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(1)
        assert.strictEqual((yield* post(path, { key: secret })).status, 200)
        assert.strictEqual((yield* free(id, post(path, { key: secret, body: "{}" }))).status, 400)
        const response = yield* free(id, post(path, { key: secret }))
        assert.strictEqual(response.status, 429)
        assert.include(response.problem, {
          code: "usage_exhausted",
          title: "Usage exhausted",
          retryable: false
        })
        assert.match(
          response.problem.detail,
          /^This key has no forecast credits left\. Buy a credit pack to continue: http\S+\/credits$/
        )
        assert.strictEqual(response.problem.message, response.problem.detail)
        assert.isNull(response.headers.get("retry-after"))
        assert.strictEqual(response.headers.get("ratelimit"), '"credits";r=0')
        assert.strictEqual(response.headers.get("ratelimit-policy"), '"credits";q=1')
      })
    )

    it.effect("answers 200 with the forecast and the usage, and writes one ledger entry", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(100)
        const first = yield* post(path, { key: secret })
        assert.strictEqual(first.status, 200)
        assert.strictEqual(first.headers.get("content-type"), "application/json")
        assert.include(first.json, {
          estimated_replies: 250,
          estimated_positive_replies: 75,
          estimated_meetings: 15,
          estimated_clients: 3.75,
          estimated_revenue: 9375,
          roi_multiple: 15.6,
          cost_per_reply: 2.4,
          cost_per_meeting: 40,
          cost_per_client: 160,
          performance_grade: "strong"
        })
        assert.deepStrictEqual(first.json["risk_flags"], ["optimistic_reply_rate"])
        assert.deepStrictEqual(first.json["usage"], { month: "1970-01", requests: 1, credits_remaining: 99 })
        assert.strictEqual(first.headers.get("ratelimit"), '"credits";r=99')
        assert.strictEqual(first.headers.get("ratelimit-policy"), '"credits";q=100')
        const [entry] = yield* credits.history(id, 1)
        assert.include(entry, { kind: "forecast", delta: -1, balanceAfter: 99 })

        const second = yield* post(path, { key: secret })
        const { usage: _, ...forecast } = first.json
        const { usage, ...again } = second.json
        assert.strictEqual(JSON.stringify(again), JSON.stringify(forecast))
        assert.deepStrictEqual(usage, { month: "1970-01", requests: 2, credits_remaining: 98 })
      })
    )

    it.effect("answers 20 of 60 concurrent calls on 20 credits, and 40 with 429", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(20)
        const responses = yield* Effect.all(
          Array.from({ length: 60 }, () => post(path, { key: secret })),
          { concurrency: "unbounded" }
        )
        const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length
        assert.deepStrictEqual([count(200), count(429)], [20, 40])
        assert.strictEqual((yield* credits.balance(id)).remaining, 0)
        assert.lengthOf(yield* credits.history(id, 100), 21)
      })
    )
  })
})

describe("POST /api/v1/service/roi", () => {
  layer(httpApplication())((it) => {
    it.effect(
      "adds score and risk level, counts with the other endpoint, and names its successor in every response",
      () =>
        Effect.gen(function* () {
          const { secret } = yield* issueKey(2)
          const forecast = yield* post("/api/v1/forecast", { key: secret })
          const legacy = yield* post("/api/v1/service/roi", { key: secret })
          const exhausted = yield* post("/api/v1/service/roi", { key: secret })
          const anonymous = yield* post("/api/v1/service/roi", {})
          const { calculation_notes: notes, campaign_score, risk_level, usage, ...rest } = legacy.json
          assert.strictEqual(campaign_score, 74)
          assert.strictEqual(risk_level, "medium")
          assert.deepStrictEqual(usage, { month: "1970-01", requests: 2, credits_remaining: 0 })
          assert.include(JSON.stringify(notes), "Campaign score, with weights of our own: 15 × min(reply rate ÷ 10, 1)")
          const { calculation_notes: _, summary: ___, usage: __, ...plain } = forecast.json
          assert.deepStrictEqual(rest, plain)
          assert.deepStrictEqual(
            [legacy, exhausted, anonymous].map(({ status }) => status),
            [200, 429, 401]
          )
          for (const { headers } of [legacy, exhausted, anonymous]) {
            assert.strictEqual(headers.get("deprecation"), "@1795219200")
            assert.strictEqual(headers.get("link"), '</api/v1/forecast>; rel="successor-version"')
            assert.isNull(headers.get("sunset"))
          }
          assert.isNull(forecast.headers.get("deprecation"))
        })
    )
  })
})
