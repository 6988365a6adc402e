import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../src/credits/Credits.ts"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { free, httpApplication, issueKey, post, sendRaw } from "../support/Http.ts"
import { nothingSent } from "../support/InFlight.ts"
import { measured, sample } from "../support/Samples.ts"

const path = "/api/v1/forecast"
const legacyPath = "/api/v1/service/roi"

/** A body, as JSON if there is no type. */
interface Sent {
  readonly text: string
  readonly type?: string
}

const withGoal = (goal: object, campaign: object = sample) => JSON.stringify({ ...campaign, goal })
const flight = (changes: object = {}) =>
  JSON.stringify({
    ...sample,
    so_far: { ...nothingSent, emails_sent: 2000, replies: 62 },
    emails_left: 3000,
    ...changes
  })
const { emails_sent, reply_rate, ...rest } = sample
const respelled = `{ "replyRate": ${reply_rate}.0, "emailsSent": ${emails_sent}e0,\n ${JSON.stringify(rest).slice(1)}`
const { campaign_cost: _, ...withoutCost } = sample
const changed = [JSON.stringify({ ...sample, reply_rate: 5.1 }), JSON.stringify(withoutCost)]
const [one, two] = campaigns(2)
const csv = `name,${Object.keys(sample).join()}
Campaign 0,${Object.values(sample).join()}
Campaign 1,${Object.values({ ...sample, emails_sent: 5001 }).join()}
`

/** The paid operations: a request of each, quick to compute or not, the same spelled differently, and others. */
const paid: ReadonlyArray<{
  readonly name: string
  readonly path: string
  readonly request: Sent
  readonly again: Sent
  readonly others: ReadonlyArray<string>
}> = [
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
  },
  {
    name: "a quick goal",
    path: "/api/v1/goals",
    request: { text: withGoal({ clients: 4 }) },
    again: { text: JSON.stringify({ goal: { clients: 4 }, ...sample }).replace('"clients":4', '"clients":4.0') },
    others: [withGoal({ clients: 5 }), withGoal({ meetings: 4 }), withGoal({ clients: 4, chance: 0.9 })]
  },
  {
    name: "a goal with a chance",
    path: "/api/v1/goals",
    request: { text: withGoal({ clients: 4, chance: 0.8 }) },
    again: { text: JSON.stringify({ goal: { chance: 0.8, clients: 4 }, ...sample }) },
    others: [withGoal({ clients: 4 })]
  },
  {
    name: "the progress of a campaign",
    path: "/api/v1/progress",
    request: { text: flight() },
    // Sending a default explicitly makes no difference.
    again: { text: flight({ spread: "published", open: { emails: null } }) },
    others: [flight({ emails_left: 2999 }), flight({ open: { replies: 1 } })]
  },
  {
    name: "a list of campaigns",
    path: "/api/v1/forecasts",
    request: { text: body([one, two]) },
    again: { text: csv, type: "text/csv" },
    others: [body([two, one]), body([one])]
  }
]

const forecast = (key: string, idempotencyKey: string, body?: string, on = path) =>
  post(on, { key, body, headers: { "idempotency-key": idempotencyKey } })

describe("Idempotency-Key", () => {
  layer(httpApplication())((it) => {
    for (const { again, name, others, path, request } of paid) {
      const send = (key: string, idempotencyKey: string, { text, type = "application/json" }: Sent) =>
        post(path, { key, body: text, headers: { "idempotency-key": idempotencyKey, "content-type": type } })

      it.effect(`returns the same bytes again, for one charge, however ${name} is spelled, and 422 for another`, () =>
        Effect.gen(function* () {
          const { id, secret } = yield* issueKey(2)
          const first = yield* send(secret, "once", request)
          assert.strictEqual(first.status, 200)
          assert.isNull(first.headers.get("idempotent-replayed"))
          for (const sent of [request, again]) {
            const replay = yield* free(id, send(secret, "once", sent))
            assert.deepStrictEqual([replay.status, replay.text], [200, first.text])
            assert.strictEqual(replay.headers.get("idempotent-replayed"), "true")
            for (const header of ["content-type", "ratelimit"])
              assert.strictEqual(replay.headers.get(header), first.headers.get(header))
          }
          for (const other of others) {
            const { problem } = yield* free(id, send(secret, "once", { text: other }))
            assert.include(problem, { status: 422, code: "idempotency_mismatch", retryable: false })
          }
        })
      )

      it.effect(
        `answers 409 while ${name} is running: of ten at once one is charged, and all can get its response`,
        () =>
          Effect.gen(function* () {
            const credits = yield* Credits
            const { id, secret } = yield* issueKey(10)
            const responses = yield* Effect.replicateEffect(send(secret, "race", request), 10, { concurrency: 10 })
            const answered = responses.filter(({ status }) => status === 200)
            const refused = responses.filter(({ status }) => status === 409)
            assert.strictEqual(answered.length + refused.length, 10)
            assert.strictEqual(new Set(answered.map(({ text }) => text)).size, 1)
            assert.lengthOf(
              answered.filter(({ headers }) => headers.get("idempotent-replayed") === null),
              1
            )
            for (const { headers, problem } of refused) {
              assert.include(problem, { code: "idempotency_in_progress", retryable: true })
              assert.strictEqual(headers.get("retry-after"), "1")
            }
            assert.strictEqual((yield* send(secret, "race", request)).text, answered[0]?.text)
            assert.lengthOf(yield* credits.history(id, 10), 2)
          })
      )
    }

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
