import { assert, describe, layer } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  APIError,
  type Answered,
  AuthenticationError,
  BadRequestError,
  Client,
  type LedgerEntry,
  type MinimalForecast,
  PermissionDeniedError,
  UsageExhaustedError
} from "../../../clients/typescript/src/index.ts"
import { Credits } from "../../../src/credits/Credits.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { responseDropper } from "../../support/ResponseDropper.ts"
import { failureOf } from "../../support/Client.ts"
import { baseUrl, httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"

/** Waits for responses as long as a busy machine takes. */
const clientOf = (apiKey: string) => Effect.map(baseUrl, (url) => new Client({ apiKey, baseUrl: url, timeout: 600 }))

describe("Client on the service", () => {
  layer(httpApplication())((it) => {
    it.effect("returns responses as the service sends them, for one credit per forecast", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const client = yield* clientOf(secret)
        const { usage, ...forecast } = yield* Effect.promise(() => client.forecast(sample))
        const legacy = yield* Effect.promise(() => client.legacyRoi(sample))
        const { usage: _, ...expected } = (yield* post("/api/v1/forecast", { key: secret })).json
        const expectedLegacy = (yield* post("/api/v1/service/roi", { key: secret })).json
        assert.deepStrictEqual<unknown>(forecast, expected)
        assert.deepStrictEqual<unknown>({ ...legacy, usage: expectedLegacy["usage"] }, expectedLegacy)
        assert.deepInclude(usage, { requests: 1, credits_remaining: 9 })
        assert.deepInclude(legacy.usage, { requests: 2, credits_remaining: 8 })

        const used = yield* Effect.promise(() => client.usage())
        assert.deepStrictEqual<unknown>(used, (yield* send("/api/v1/usage", { headers: { "x-api-key": secret } })).json)
        assert.strictEqual(used.credits_remaining, 6)
        const packs = yield* Effect.promise(() => client.creditPacks())
        assert.deepStrictEqual<unknown>(packs, (yield* send("/api/v1/credit-packs")).json)
      })
    )

    it.effect("returns the short form of a forecast if that is asked for, with its type", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const client = yield* clientOf(secret)
        const whole = yield* Effect.promise(() => client.forecast(sample, { minimal: false }))
        const short: Answered<MinimalForecast> = yield* Effect.promise(() => client.forecast(sample, { minimal: true }))
        assert.strictEqual(short.summary, whole.summary)
        assert.strictEqual(short.headers.get("preference-applied"), "return=minimal")
        assert.isNotEmpty(whole.calculation_notes)
        // @ts-expect-error -- The short form has no notes.
        assert.isUndefined(short.calculation_notes)
        assert.deepInclude(short.usage, { requests: 2, credits_remaining: 8 })
      })
    )

    it.effect("creates, limits, counts, replaces and revokes sub-keys", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const client = yield* clientOf(secret)
        const { api_key, ...made } = yield* Effect.promise(() => client.createSubKey({ name: "CRM", monthly_limit: 1 }))
        const id = made.sub_key_id
        const program = yield* clientOf(api_key)
        const { usage } = yield* Effect.promise(() => program.forecast(sample))
        assert.strictEqual(usage.sub_key_credits_remaining, 0)
        const refused = yield* failureOf(program.forecast(sample))
        assert.instanceOf(refused, APIError)
        assert.strictEqual(refused.code, "sub_key_limit_reached")
        const rows = [{ sub_key_id: id, name: "CRM", requests: 1 }]
        assert.deepInclude(yield* Effect.promise(() => program.usageBy("sub_key")), { by: "sub_key", rows })
        assert.deepInclude(yield* Effect.promise(() => client.usageBy("day", { month: "2020-01" })), { rows: [] })
        const changed = yield* Effect.promise(() => client.changeSubKey(id, { name: "Sales", monthly_limit: null }))
        assert.include(changed, { name: "Sales", monthly_limit: null })
        const { api_key: next } = yield* Effect.promise(() => client.rotateSubKey(id, { grace_hours: 0 }))
        const replaced = yield* clientOf(next)
        yield* Effect.promise(() => replaced.forecast(sample))
        assert.include(yield* Effect.promise(() => client.subKey(id)), { requests: 2, state: "usable" })
        assert.deepStrictEqual({ ...(yield* Effect.promise(() => client.revokeSubKey(id))) }, {})
        assert.instanceOf(yield* failureOf(replaced.usage()), AuthenticationError)
        const { sub_keys } = yield* Effect.promise(() => client.subKeys())
        assert.deepStrictEqual(
          sub_keys.map(({ name, state }) => [name, state]),
          [["Sales", "revoked"]]
        )
      })
    )

    it.effect("solves a goal for one credit, and lists the benchmarks for free", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const client = yield* clientOf(secret)
        const request = { ...sample, goal: { clients: 4, chance: 0.8 } }
        const { usage, ...goal } = yield* Effect.promise(() => client.goal(request, { idempotencyKey: "once" }))
        assert.deepInclude(usage, { requests: 1, credits_remaining: 9 })
        const body = JSON.stringify(request)
        const { usage: _, ...expected } = (yield* post("/api/v1/goals", { key: secret, body })).json
        assert.deepStrictEqual<unknown>(goal, expected)
        const again = yield* Effect.promise(() => client.goal(request, { idempotencyKey: "once" }))
        assert.deepStrictEqual(again, { ...goal, usage })
        const benchmarks = yield* Effect.promise(() => client.benchmarks())
        assert.deepStrictEqual<unknown>(benchmarks, (yield* send("/api/v1/benchmarks")).json)
        const wrong = yield* failureOf(client.goal({ ...sample, goal: { clients: 4, chance: 0 } }))
        assert.instanceOf(wrong, BadRequestError)
        assert.strictEqual(wrong.errors[0]?.pointer, "/goal/chance")
        assert.strictEqual((yield* Effect.promise(() => client.usage())).credits_remaining, 8)
      })
    )

    it.effect("forecasts a campaign in flight for one credit, and reports every error in one for free", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const client = yield* clientOf(secret)
        const so_far = { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 }
        const request = { ...sample, so_far, open: { replies: 7, positive_replies: 4, meetings: 2 } }
        const { usage, ...response } = yield* Effect.promise(() => client.progress(request, { idempotencyKey: "week" }))
        assert.deepInclude(usage, { requests: 1, credits_remaining: 9 })
        const { usage: _, ...expected } = (yield* post("/api/v1/progress", {
          key: secret,
          body: JSON.stringify(request)
        })).json
        assert.deepStrictEqual<unknown>(response, expected)
        const again = yield* Effect.promise(() => client.progress(request, { idempotencyKey: "week" }))
        assert.deepStrictEqual(again, { ...response, usage })
        const wrong = yield* failureOf(client.progress({ ...request, open: { replies: 49, meetings: 4 } }))
        assert.instanceOf(wrong, BadRequestError)
        assert.deepStrictEqual(
          wrong.errors.map(({ pointer }) => pointer),
          ["/open/replies", "/open/meetings"]
        )
        assert.strictEqual((yield* Effect.promise(() => client.usage())).credits_remaining, 8)
      })
    )

    it.effect("forecasts many campaigns at once, for one credit each, or none at all", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(3)
        const client = yield* clientOf(secret)
        const campaigns = [
          { name: "A", ...sample },
          { ...sample, emails_sent: 500 }
        ]
        const { forecasts, ranking, totals, usage } = yield* Effect.promise(() =>
          client.forecasts(campaigns, { idempotencyKey: "many" })
        )
        const again = yield* Effect.promise(() => client.forecasts(campaigns, { idempotencyKey: "many" }))
        assert.deepStrictEqual(again, { ...again, forecasts, ranking, totals, usage })
        assert.deepStrictEqual(
          forecasts.map(({ estimated_clients, name }) => [name, estimated_clients]),
          [
            ["A", 3.75],
            [null, 0.375]
          ]
        )
        assert.deepStrictEqual(ranking.order, ["A", 1])
        assert.deepInclude(usage, { requests: 2, credits_remaining: 1 })
        const exhausted = yield* failureOf(client.forecasts(campaigns))
        assert.instanceOf(exhausted, UsageExhaustedError)
        assert.include(exhausted.message, "takes 2 forecast credits, but this key has only 1 left")
        const history = [61, 70, 50].map((replies) => ({ emails_sent: 3200, replies }))
        const learned = yield* Effect.promise(() => client.forecasts([sample], { history }))
        assert.strictEqual(learned.forecasts[0]?.outlook.rates.reply_rate.basis, "history")
        assert.strictEqual(learned.track_record?.campaigns, 3)
        const wrong = yield* failureOf(client.forecasts([sample, { ...sample, close_rate: 101 }]))
        assert.instanceOf(wrong, BadRequestError)
        assert.strictEqual(wrong.errors[0]?.pointer, "/campaigns/1/close_rate")
      })
    )

    it.effect("takes campaigns as one sender's, or as those of different clients", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(4)
        const client = yield* clientOf(secret)
        const notes = (options: { readonly independent?: boolean }) =>
          Effect.map(
            Effect.promise(() => client.forecasts([sample, sample], options)),
            ({ calculation_notes }) => calculation_notes.join(" ")
          )
        assert.match(yield* notes({}), /taken as one sender's/)
        assert.match(yield* notes({ independent: true }), /taken as those of different clients/)
      })
    )

    it.effect("lists the whole ledger once, across all its pages", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(402)
        const client = yield* clientOf(secret)
        for (const _ of Arr.range(1, 4)) {
          yield* Effect.promise(() => Promise.all(Arr.makeBy(100, () => client.forecast(sample))))
        }
        const entries = yield* Effect.promise(async () => {
          const entries: Array<LedgerEntry> = []
          for await (const entry of client.ledger()) entries.push(entry)
          return entries
        })
        assert.deepStrictEqual(
          entries.map((entry) => entry.balance_after),
          Arr.range(2, 402)
        )
      })
    )

    it.effect("replaces the key: the new one is valid, and the old one for its hours", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const old = yield* clientOf(secret)
        const { api_key } = yield* Effect.promise(() => old.rotateKey({ grace_hours: 1 }))
        const renewed = yield* clientOf(api_key)
        for (const [client, key] of [
          [old, secret],
          [renewed, api_key]
        ] as const) {
          const { key_prefix } = yield* Effect.promise(() => client.usage())
          assert.isTrue(key.startsWith(key_prefix))
        }
        yield* Effect.promise(() => renewed.rotateKey({ grace_hours: 0 }))
        assert.instanceOf(yield* failureOf(renewed.usage()), AuthenticationError)
      })
    )

    it.effect("leaves a valid key if the response with the new one was lost, and reports the loss", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const { url } = yield* responseDropper(yield* baseUrl, "x-api-key")
        const client = new Client({ apiKey: secret, baseUrl: url })
        assert.strictEqual((yield* failureOf(client.rotateKey())).name, "APIConnectionError")
        const { api_key } = yield* Effect.promise(() => client.rotateKey())
        const renewed = yield* clientOf(api_key)
        yield* TestClock.adjust("25 hours")
        assert.isTrue(api_key.startsWith((yield* Effect.promise(() => renewed.usage())).key_prefix))
        assert.instanceOf(yield* failureOf(client.usage()), AuthenticationError)
      })
    )

    it.effect("rejects with the service's problem, in a class for each kind", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(0)
        const client = yield* clientOf(secret)
        const wrong = yield* failureOf(client.forecast({ ...sample, emails_sent: 0, reply_rate: 101 }))
        assert.instanceOf(wrong, BadRequestError)
        assert.include(wrong, { status: 400, code: "invalid_input", retryable: false })
        assert.deepStrictEqual<unknown>(wrong.errors, [
          { pointer: "/emails_sent", message: "must be at least 1", code: "out_of_range" },
          { pointer: "/reply_rate", message: "must be at most 100", code: "out_of_range" }
        ])
        assert.deepInclude(wrong.body, { request_id: wrong.requestId, title: "Invalid input" })
        assert.match(wrong.requestId ?? "", /^[\w-]{36}$/)
        assert.isTrue(wrong.message.endsWith(` (400 invalid_input, request ${wrong.requestId})`), wrong.message)

        const exhausted = yield* failureOf(client.forecast(sample))
        assert.instanceOf(exhausted, UsageExhaustedError)
        assert.include(exhausted, { status: 429, code: "usage_exhausted", retryable: false })

        yield* (yield* ApiKeys).setKeyPlan(id, "inactive")
        const inactive = yield* failureOf(client.usage())
        assert.instanceOf(inactive, PermissionDeniedError)
        assert.include(inactive, { status: 403, code: "plan_inactive" })

        const unknown = yield* failureOf((yield* clientOf("nobody's")).usage())
        assert.instanceOf(unknown, AuthenticationError)
        assert.include(unknown, { status: 401, code: "invalid_key" })

        const mine = yield* clientOf((yield* issueKey(10)).secret)
        yield* Effect.promise(() => mine.forecast(sample, { idempotencyKey: "mine" }))
        const mismatch = yield* failureOf(mine.forecast({ ...sample, reply_rate: 6 }, { idempotencyKey: "mine" }))
        assert.instanceOf(mismatch, APIError)
        assert.include(mismatch, { status: 422, code: "idempotency_mismatch" })
      })
    )

    it.effect("gets the first response again for the same idempotency key, for one credit", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(10)
        const client = yield* clientOf(secret)
        const first = yield* Effect.promise(() => client.forecast(sample, { idempotencyKey: "once" }))
        const again = yield* Effect.promise(() => client.forecast(sample, { idempotencyKey: "once" }))
        assert.deepStrictEqual(again, first)
        assert.strictEqual((yield* (yield* Credits).balance(id)).remaining, 9)
      })
    )
  })
})
