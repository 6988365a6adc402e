import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import * as Application from "../src/Application.ts"
import { Credits } from "../src/credits/Credits.ts"
import { AdminServer } from "../src/health/AdminHttp.ts"
import { ApiKeys } from "../src/keys/ApiKeys.ts"
import { type AnsweredRequest, RequestLog } from "../src/observability/Logging.ts"
import * as Servers from "../src/Servers.ts"

const logged: Array<AnsweredRequest> = []

/** The whole service as `serve` builds it, on free ports and a database in memory. */
const service = Servers.layer.pipe(
  Layer.provide(Layer.succeed(RequestLog, (request) => void logged.push(request))),
  Layer.provideMerge(Application.layer),
  Layer.provideMerge(Servers.listening),
  Layer.provide(Application.environment),
  Layer.provide(
    ConfigProvider.layer(
      ConfigProvider.fromEnv({
        env: {
          APP_ENV: "test",
          PORT: "0",
          ADMIN_PORT: "0",
          DATABASE_URL: "sqlite::memory:",
          DRAIN_SECONDS: "0",
          LOG_LEVEL: "none"
        }
      })
    )
  ),
  Layer.provide(NodeServices.layer)
)

const creditsCharged = Effect.gen(function* () {
  const admin = Option.getOrThrow((yield* AdminServer).url)
  const metrics = yield* Effect.promise(async () => (await fetch(`${admin}/metrics`)).text())
  return Number(/^outreach_forecast_credits_charged_total (\d+)$/m.exec(metrics)?.[1] ?? 0)
})

it.live("a forecast takes one credit, which ledger, log and metrics show", () =>
  Effect.gen(function* () {
    const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
    const owner = { name: "Ada", email: "ada@example.com", company: "Example" }
    const { key, secret } = yield* (yield* ApiKeys).issue(owner, 100)
    const chargedBefore = yield* creditsCharged

    const answer = yield* Effect.promise(async () => {
      const response = await fetch(`${url}/api/v1/forecast`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": Redacted.value(secret) },
        body: JSON.stringify({
          emails_sent: 5000,
          reply_rate: 5,
          positive_reply_rate: 30,
          meeting_booking_rate: 20,
          close_rate: 25
        })
      })
      const json: unknown = await response.json()
      return { status: response.status, json }
    })
    assert.strictEqual(answer.status, 200)
    const usage = { requests: 1, credits_remaining: 99 }
    assert.containSubset(answer.json, { estimated_replies: 250, estimated_clients: 3.75, usage })

    const [charge, grant] = yield* (yield* Credits).history(key.id, 10)
    assert.deepInclude(grant, { kind: "adjustment", delta: 100, balanceAfter: 100 })
    assert.deepInclude(charge, { kind: "forecast", delta: -1, balanceAfter: 99 })

    assert.strictEqual(logged.length, 1)
    const line = { method: "POST", route: "/api/v1/forecast", status: 200, key: key.secretPrefix }
    assert.deepInclude(logged[0], { ...line, charge: charge?.reference })

    assert.strictEqual((yield* creditsCharged) - chargedBefore, 1)
  }).pipe(Effect.provide(service))
)
