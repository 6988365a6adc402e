import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { exampleAssumptions } from "../src/campaign/Assumptions.ts"
import { Credits } from "../src/credits/Credits.ts"
import { Forecaster } from "../src/forecast/Forecaster.ts"
import { computeForecast } from "../src/forecast/Forecast.ts"
import { KeyId, PlanInactive } from "../src/KeyStatus.ts"
import { type AuthenticatedKey, Authenticator } from "../src/keys/Authenticator.ts"
import { Mailer, Postbox } from "../src/mail/Mailer.ts"
import * as MailWorker from "../src/mail/MailWorker.ts"
import { application } from "./support/Application.ts"
import { operations } from "./support/Contract.ts"
import { accessApplication, issueKey, post, send, server, unknownKey } from "./support/Http.ts"

/** The server over the application in memory, with one layer in place of the application's. */
const serverWith = <A>(swap: Layer.Layer<A>) => server.pipe(Layer.provide(swap), Layer.provideMerge(application()))

/** The form and the checksum of a secret are right; no key is stored. */
const secret = `ofk_test_${"0".repeat(32)}4HYo81`

const forecast = Effect.gen(function* () {
  const { secret } = yield* issueKey(5)
  return yield* post("/api/v1/forecast", { key: secret })
})

const computed = { ...computeForecast(exampleAssumptions).forecast, estimated_replies: 42 }
const known = Layer.mock(Forecaster, { forecast: () => Effect.succeed(computed) })

describe("an endpoint's response changes with one swapped layer", () => {
  it.effect("for the forecast computation", () =>
    Effect.gen(function* () {
      const { json } = yield* forecast
      assert.strictEqual(json["estimated_replies"], 42)
      assert.deepInclude(json["usage"], { requests: 1, credits_remaining: 4 })
    }).pipe(Effect.provide(serverWith(known)))
  )

  it.effect("for key look-up, at each endpoint that needs a key", () => {
    const inactive = new PlanInactive({ keyId: KeyId.make("key_other"), prefix: "ofk_test_other" })
    const needKey = operations.filter(({ operation }) => JSON.stringify(operation["security"] ?? []).includes("apiKey"))
    return Effect.gen(function* () {
      assert.isAtLeast(needKey.length, 9)
      for (const { method, path } of needKey) {
        const { problem } = yield* send(path.replaceAll(/\{\w+\}/g, "any"), {
          method: method.toUpperCase(),
          headers: { "x-api-key": secret, "content-type": "application/json" },
          ...(method !== "get" && { body: "{}" })
        })
        assert.deepInclude(problem, { status: 403, code: "plan_inactive" }, `${method} ${path}`)
      }
    }).pipe(Effect.provide(serverWith(Authenticator.layerMemory({ [secret]: Result.fail(inactive) }))))
  })

  it.effect("for credit accounting", () =>
    Effect.gen(function* () {
      const { headers, problem } = yield* forecast
      assert.deepInclude(problem, { status: 429, code: "usage_exhausted" })
      assert.strictEqual(headers.get("ratelimit"), '"credits";r=0')
    }).pipe(Effect.provide(serverWith(Credits.layerMemory(0))))
  )

  const losing = Layer.effect(Mailer, Effect.as(Postbox, { send: () => Effect.void }))
  for (const [fate, mailer, status] of [
    ["arrives", Mailer.layerMemory, 200],
    ["is lost", losing.pipe(Layer.provideMerge(Mailer.layerMemory)), 404]
  ] as const) {
    it.effect(`for mail sending: the link of a request for a key works unless its email is lost; it ${fate}`, () =>
      Effect.gen(function* () {
        const owner = { name: "Ada", email: "ada@example.com", company: "Example" }
        yield* post("/api/v1/access-requests", { body: JSON.stringify(owner) })
        yield* MailWorker.deliverDue
        const { letters } = yield* Postbox
        const token = /\/confirm\/([\w-]+)/.exec(letters[0]?.text ?? "")?.[1] ?? "none"
        const response = yield* post("/api/v1/access-requests/confirm", { body: JSON.stringify({ token }) })
        assert.strictEqual(response.status, status)
      }).pipe(Effect.provide(mailer.pipe(Layer.provideMerge(accessApplication({ env: { TRUSTED_PROXIES: "" } })))))
    )
  }

  it.effect("for computation, key look-up and credit accounting at once, without a stored key", () => {
    const key: AuthenticatedKey = {
      id: KeyId.make("key_memory"),
      owner: { name: "Ada", email: "ada@example.com", company: "Example" },
      plan: "active",
      state: "usable",
      isDemo: false,
      secretPrefix: "ofk_test_memory",
      createdAt: 0,
      subKey: undefined
    }
    const services = Layer.mergeAll(
      known,
      Authenticator.layerMemory({ [secret]: Result.succeed(key) }),
      Credits.layerMemory(1)
    )
    return Effect.gen(function* () {
      const request = post("/api/v1/forecast", { key: secret })
      const { headers, json } = yield* request
      assert.deepInclude(json, { estimated_replies: 42 })
      assert.deepInclude(json["usage"], { requests: 1, credits_remaining: 0 })
      assert.strictEqual(headers.get("ratelimit"), '"credits";r=0')
      assert.strictEqual((yield* request).problem.code, "usage_exhausted")
      assert.strictEqual((yield* post("/api/v1/forecast", { key: yield* unknownKey })).problem.code, "invalid_key")
    }).pipe(Effect.provide(serverWith(services)))
  })
})
