import { setTimeout } from "node:timers/promises"
import { assert, describe, layer } from "@effect/vitest"
import { type Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Orders } from "../../src/orders/Orders.ts"
import { maxOpeningTime } from "../../src/orders/payments/Payments.ts"
import { accessApplication, issueKey, newClient, post, submitForm } from "../support/Http.ts"
import { paymentsAfter } from "../support/Orders.ts"

/** The service with a provider that opens each payment after a time. */
const serviceWith = (duration: Duration.Input) => accessApplication({ payments: paymentsAfter(Effect.sleep(duration)) })

/** Runs an effect while the time of the service passes quickly. */
const passing = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const running = yield* Effect.forkChild(effect)
  while (running.pollUnsafe() === undefined) {
    yield* Effect.promise(() => setTimeout(10))
    yield* TestClock.adjust("1 second")
  }
  return yield* Fiber.join(running)
})

/** The forms that order: of a buyer without a key, and of the owner of a key who is signed in, on both pages. */
const forms = Effect.gen(function* () {
  const { key, secret } = yield* issueKey()
  const here = { "sec-fetch-site": "same-origin" }
  const { headers } = yield* submitForm("/key", { api_key: secret }, here)
  const session = { ...here, cookie: headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie") }
  const fields = { pack: "starter", idempotency_key: "one-form-for-one-order" }
  return [
    submitForm("/credits", { ...fields, name: "Ada", email: "ada@example.com", company: "Example" }),
    submitForm("/credits", { ...fields, idempotency_key: "two-form-for-one-order", ...key.owner }, session),
    submitForm("/key/orders", fields, session)
  ]
})

describe("a payment that takes almost as long to open as it may", () => {
  layer(serviceWith(maxOpeningTime - 1))((it) => {
    it.effect("is opened once for a form that is sent twice, and both lead to the same order", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        for (const form of yield* forms) {
          const before = (yield* orders.list(undefined, 100)).length
          const responses = yield* passing(Effect.all([form, form], { concurrency: 2 }))
          const [first, second] = responses.map(({ headers, status }) => `${status} ${headers.get("location")}`)
          assert.match(first ?? "", /^303 \/orders\/ord_/)
          // Each response has a secret of its own.
          assert.strictEqual(second?.split("/")[2], first?.split("/")[2])
          assert.strictEqual((yield* orders.list(undefined, 100)).length, before + 1)
        }
      })
    )
  })
})

describe("a payment that is never opened", () => {
  layer(serviceWith("1 day"))((it) => {
    it.effect("makes forms answer 503 with Retry-After and the key that they were sent with, and stores nothing", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        for (const form of yield* forms) {
          const responses = yield* passing(Effect.all([form, form, form], { concurrency: 3 }))
          const texts = responses.map(({ headers, status, text }) => {
            assert.deepStrictEqual([status, headers.get("retry-after")], [503, "60"])
            assert.match(text, /name="idempotency_key" value="\w{3}-form-for-one-order"/)
            return /[^.>]*(?:Payments cannot be taken|still being placed)/.exec(text)?.[0]
          })
          // The last one finds the second at work when its own wait is over.
          assert.sameMembers(texts, [
            "Payments cannot be taken",
            "Payments cannot be taken",
            "Your order is still being placed"
          ])
        }
        assert.lengthOf(yield* orders.list(undefined, 100), 0)
      })
    )

    it.effect("makes the API answer 503 unavailable with Retry-After, and 409 to a repetition meanwhile", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (const [key, body] of [
          [secret, { pack: "starter" }],
          [undefined, { pack: "starter", name: "Ada", email: "ada@example.com", company: "Example" }]
        ] as const) {
          const headers = { "idempotency-key": "slow", "x-forwarded-for": newClient() }
          const order = post("/api/v1/orders", { key, body: JSON.stringify(body), headers })
          const responses = yield* passing(Effect.all([order, order], { concurrency: 2 }))
          const codes = responses.map((response) => {
            const { code, status } = response.problem
            return `${status} ${code} ${response.headers.get("retry-after")}`
          })
          assert.sameMembers(codes, ["503 unavailable 60", "409 idempotency_in_progress 1"])
        }
      })
    )
  })
})
