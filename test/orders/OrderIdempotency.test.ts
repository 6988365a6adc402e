import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { IdempotentAnswers } from "../../src/idempotency/IdempotentAnswers.ts"
import { Idempotency } from "../../src/idempotency/Idempotency.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { defaultCreditPacks } from "../../src/settings/CreditPack.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { httpApplication, issueKey, post } from "../support/Http.ts"
import { FakeStripe, stripePayments } from "../extensions/support/Stripe.ts"

const server = httpApplication({ env: { TRUSTED_PROXIES: "127.0.0.1" }, payments: stripePayments }).pipe(
  Layer.provideMerge(FakeStripe.layer)
)

const path = "/api/v1/orders"
const [starter = assert.fail("no pack")] = defaultCreditPacks
const ada = { pack: "starter", name: "Ada", email: "ada@example.com", company: "Example" }

let clients = 0
/** The address of a new client, as reported by a trusted proxy. */
const client = () => `198.51.100.${++clients}`

const order = (idempotencyKey: string, body: unknown = ada, key?: string, ip = client()) =>
  post(path, {
    key,
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "idempotency-key": idempotencyKey, "x-forwarded-for": ip }
  })

/** The number of orders, and of payments opened at Stripe. */
const counts = Effect.gen(function* () {
  const orders = yield* Orders
  const { calls } = yield* FakeStripe
  return [(yield* orders.list(undefined, 1000)).length, calls.length]
})

/** The number of orders and payments that an effect creates. */
const made = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const [orders = 0, calls = 0] = yield* counts
  yield* effect
  const [ordersAfter = 0, callsAfter = 0] = yield* counts
  return [ordersAfter - orders, callsAfter - calls]
})

describe("Idempotency-Key on orders", () => {
  layer(server)((it) => {
    it.effect("answers 409 unpaid_orders if a key has too many, before a payment is opened", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(3)
        const place = (idempotencyKey: string) => order(idempotencyKey, { pack: "starter" }, secret)
        for (const name of ["1", "2", "3", "4", "5"]) assert.strictEqual((yield* place(name)).status, 201)
        const refused = made(
          Effect.gen(function* () {
            const { problem } = yield* place("6")
            assert.include(problem, { status: 409, code: "unpaid_orders", retryable: false })
            assert.include(problem.message, "This key has 5 orders")
          })
        )
        assert.deepStrictEqual(yield* refused, [0, 0])
        assert.strictEqual((yield* place("5")).headers.get("idempotent-replayed"), "true")
      })
    )

    it.effect("returns the same bytes again, for one order and one payment, however the request is spelled", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(3)
        const reformatted =
          '{ "company": " Example", "email":"ADA@example.com",\n "name":"\\u0041da ", "pack":"starter" }'
        for (const [key, bodies] of [
          [undefined, [ada, reformatted, ada]],
          [secret, [{ pack: "starter" }, '{ "pack" : "\\u0073tarter", "name": null }']]
        ] as const) {
          const counted = yield* made(
            Effect.gen(function* () {
              const first = yield* order("once", bodies[0], key)
              assert.strictEqual(first.status, 201)
              assert.isNull(first.headers.get("idempotent-replayed"))
              for (const body of bodies.slice(1)) {
                const again = yield* order("once", body, key)
                assert.deepStrictEqual([again.status, again.text], [201, first.text])
                assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
                for (const header of ["content-type", "ratelimit"])
                  assert.strictEqual(again.headers.get(header), first.headers.get(header))
              }
            })
          )
          assert.deepStrictEqual(counted, [1, 1])
        }
      })
    )

    it.effect("answers 422 for another pack or another buyer at the same address, and orders nothing", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const first = yield* order("mine")
        yield* order("mine", { pack: "starter" }, secret)
        const counted = yield* made(
          Effect.gen(function* () {
            for (const changed of [
              yield* order("mine", { ...ada, pack: "growth" }),
              yield* order("mine", { ...ada, name: "Eve" }),
              yield* order("mine", { ...ada, company: "Else" }),
              yield* order("mine", { pack: "growth" }, secret)
            ]) {
              assert.include(changed.problem, { status: 422, code: "idempotency_mismatch", retryable: false })
            }
            assert.strictEqual((yield* order("mine")).text, first.text)
          })
        )
        assert.deepStrictEqual(counted, [0, 0])
      })
    )

    it.effect(
      "answers 409 while the first is running: twenty at once are one order, and all can get its response",
      () =>
        Effect.gen(function* () {
          const counted = yield* made(
            Effect.gen(function* () {
              const responses = yield* Effect.all(
                Array.from({ length: 20 }, () => order("race")),
                { concurrency: "unbounded" }
              )
              const answered = responses.filter(({ status }) => status === 201)
              const refused = responses.filter(({ status }) => status === 409)
              assert.strictEqual(answered.length + refused.length, 20)
              assert.strictEqual(new Set(answered.map(({ text }) => text)).size, 1)
              assert.isNotEmpty(refused)
              for (const { headers, problem } of refused) {
                assert.include(problem, { code: "idempotency_in_progress", retryable: true })
                assert.strictEqual(headers.get("retry-after"), "1")
              }
              assert.strictEqual((yield* order("race")).text, answered[0]?.text)
            })
          )
          assert.deepStrictEqual(counted, [1, 1])
        })
    )

    it.effect("rolls back an order that another process has answered in the meantime", () =>
      Effect.gen(function* () {
        const responses = yield* IdempotentAnswers
        const idempotency = yield* Idempotency
        const { place } = yield* Orders
        const request = { scope: "ada@example.com", operation: `POST ${path}`, key: "two", fingerprint: "f" }
        const mails = yield* Mails
        const sent = yield* mails.list(undefined, 1000)
        const stored = { ...request, answer: "the other's", createdAt: yield* Clock.currentTimeMillis }
        const [ordered] = yield* made(
          Effect.gen(function* () {
            const perform = idempotency.once(request, (keep) =>
              Effect.gen(function* () {
                yield* responses.put([stored])
                return yield* place(starter, ada, "https://forecast.example/credits", () =>
                  Effect.as(keep("mine"), "mine")
                )
              })
            )
            assert.strictEqual((yield* Effect.flip(perform))._tag, "IdempotencyInProgress")
            assert.deepStrictEqual(yield* perform, { answer: "the other's", isReplay: true })
          })
        )
        assert.strictEqual(ordered, 0)
        assert.deepStrictEqual(yield* mails.list(undefined, 1000), sent)
      })
    )

    it.effect("stores no error: a failed request can be retried, and corrected", () =>
      Effect.gen(function* () {
        const { response } = yield* FakeStripe
        const { secret } = yield* issueKey()
        assert.strictEqual((yield* order("later", ada, `${secret}x`)).status, 401)
        assert.strictEqual((yield* order("later", { ...ada, pack: "huge" })).status, 400)
        response.status = 500
        assert.strictEqual((yield* order("later")).problem.code, "unavailable")
        response.status = 200
        const right = yield* order("later", { ...ada, pack: "growth" })
        assert.strictEqual(right.status, 201)
        assert.isNull(right.headers.get("idempotent-replayed"))
        assert.strictEqual((yield* order("later", { ...ada, pack: "huge" })).status, 400)
      })
    )

    it.effect(
      "belongs to a key, or without one to an address: elsewhere the same Idempotency-Key is another order",
      () =>
        Effect.gen(function* () {
          const [one, two] = [yield* issueKey(), yield* issueKey()]
          const counted = yield* made(
            Effect.gen(function* () {
              for (const [body, key] of [
                [{ pack: "starter" }, one.secret],
                [{ pack: "starter" }, two.secret],
                [{ ...ada, email: one.key.owner.email }, undefined],
                [{ ...ada, email: "eve@example.com" }, undefined]
              ] as const) {
                const { headers, status } = yield* order("shared", body, key)
                assert.deepStrictEqual([status, headers.get("idempotent-replayed")], [201, null])
              }
            })
          )
          assert.deepStrictEqual(counted, [4, 4])
        })
    )

    it.effect("does not count replays toward a client's limit, but counts orders and wrong guesses", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("1 hour")
        const flooder = client()
        const first = yield* order("limit", ada, undefined, flooder)
        const others = Array.from({ length: 19 }, (_, i) =>
          order("limit", i === 0 ? { ...ada, email: "eve@example.com" } : { ...ada, name: "Eve" }, undefined, flooder)
        )
        assert.deepStrictEqual(
          (yield* Effect.all(others)).map(({ status }) => status),
          [201, ...Array.from({ length: 18 }, () => 422)]
        )
        assert.strictEqual((yield* order("next", ada, undefined, flooder)).problem.code, "rate_limited")
        assert.strictEqual((yield* order("limit", { ...ada, name: "Eve" }, undefined, flooder)).status, 429)
        assert.strictEqual((yield* order("limit", ada, undefined, flooder)).text, first.text)
      })
    )

    it.effect("answers 400 for a header that is not a valid key, and orders nothing", () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("1 hour")
        const counted = yield* made(
          Effect.forEach(["", "x".repeat(256), "two words", "ümlaut"], (key) =>
            Effect.map(order(key), ({ problem }) => {
              assert.strictEqual(problem.status, 400, JSON.stringify(key))
              assert.strictEqual(problem.errors?.[0]?.pointer, "/Idempotency-Key")
            })
          )
        )
        assert.deepStrictEqual(counted, [0, 0])
        assert.strictEqual((yield* order("~".repeat(255))).status, 201)
      })
    )
  })
})
