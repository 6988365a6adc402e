import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { exampleAssumptions } from "../src/campaign/Assumptions.ts"
import { Credits, UsageExhausted } from "../src/credits/Credits.ts"
import { Forecaster } from "../src/forecast/Forecaster.ts"
import { computeForecast } from "../src/forecast/Forecast.ts"
import { KeyId } from "../src/KeyId.ts"
import { Authenticator } from "../src/keys/Authenticator.ts"
import { PlanInactive } from "../src/KeyStanding.ts"
import { type Letter, Mailer } from "../src/mail/Mailer.ts"
import * as MailWorker from "../src/mail/MailWorker.ts"
import { Forecasts } from "../src/metering/Forecasts.ts"
import { application } from "./support/Application.ts"
import { operations } from "./support/Contract.ts"
import { accessApplication, issueKey, post, send, server } from "./support/Http.ts"

/** The server over the application in memory, with one layer in place of the application's. */
const serverWith = <I, R>(swap: Layer.Layer<I, never, R>) =>
  server.pipe(Layer.provide(swap), Layer.provideMerge(application()))

const forecast = Effect.gen(function* () {
  const { secret } = yield* issueKey(5)
  return yield* post("/api/v1/forecast", { key: secret })
})

/** The response to confirming an access request with the token from its email. */
const confirmation = (letters: ReadonlyArray<Letter>) =>
  Effect.gen(function* () {
    const owner = { name: "Ada", email: "ada@example.com", company: "Example" }
    yield* post("/api/v1/access-requests", { body: JSON.stringify(owner) })
    yield* MailWorker.deliverDue
    const token = /\/confirm\/([\w-]+)/.exec(letters[0]?.text ?? "")?.[1] ?? "none"
    return yield* post("/api/v1/access-requests/confirm", { body: JSON.stringify({ token }) })
  })

describe("an endpoint's response changes with one swapped layer", () => {
  it.effect("for the forecast computation", () => {
    const computed = { ...computeForecast(exampleAssumptions).forecast, estimated_replies: 42 }
    const known = Layer.mock(Forecaster, { forecast: () => Effect.succeed(computed) })
    return Effect.gen(function* () {
      const { json } = yield* forecast
      assert.strictEqual(json["estimated_replies"], 42)
      assert.deepInclude(json["usage"], { requests: 1, credits_remaining: 4 })
    }).pipe(Effect.provide(serverWith(Layer.fresh(Forecasts.layer).pipe(Layer.provide(known)))))
  })

  it.effect("for key look-up, at each endpoint that needs a key", () => {
    const inactive = new PlanInactive({ keyId: KeyId.make("key_other"), prefix: "ofk_test_other" })
    const needKey = operations.filter(({ operation }) => JSON.stringify(operation["security"] ?? []).includes("apiKey"))
    return Effect.gen(function* () {
      assert.isAtLeast(needKey.length, 10)
      for (const { method, path } of needKey) {
        const { problem } = yield* send(path.replaceAll(/\{\w+\}/g, "any"), {
          method: method.toUpperCase(),
          headers: { "x-api-key": "any", "content-type": "application/json" },
          ...(method !== "get" && { body: "{}" })
        })
        assert.deepInclude(problem, { status: 403, code: "plan_inactive" }, `${method} ${path}`)
      }
    }).pipe(Effect.provide(serverWith(Layer.succeed(Authenticator, { authenticate: () => Effect.fail(inactive) }))))
  })

  it.effect("for credit accounting", () => {
    const exhausted = new UsageExhausted({ cost: 1, remaining: 0, granted: 5 })
    const withoutCredits = Layer.effect(
      Credits,
      Effect.map(Credits, (credits) => ({ ...credits, charge: () => Effect.fail(exhausted) }))
    )
    return Effect.gen(function* () {
      const { headers, problem } = yield* forecast
      assert.deepInclude(problem, { status: 429, code: "usage_exhausted" })
      assert.strictEqual(headers.get("ratelimit"), '"credits";r=0')
      // A different instance from that of the application, which charges with its own Credits.
    }).pipe(Effect.provide(serverWith(Layer.fresh(Forecasts.layer).pipe(Layer.provide(withoutCredits)))))
  })

  it.effect("for mail sending", () =>
    Effect.gen(function* () {
      const arrived: Array<Letter> = []
      const delivering = Layer.succeed(Mailer, { send: (letter) => Effect.sync(() => void arrived.push(letter)) })
      const losing = Layer.succeed(Mailer, { send: () => Effect.void })
      const statuses: Array<number> = []
      for (const mailer of [delivering, losing]) {
        arrived.length = 0
        const response = yield* Effect.provide(
          confirmation(arrived),
          Layer.fresh(mailer.pipe(Layer.provideMerge(accessApplication({ env: { TRUSTED_PROXIES: "" } }))))
        )
        statuses.push(response.status)
      }
      assert.deepStrictEqual(statuses, [200, 404])
    })
  )
})
