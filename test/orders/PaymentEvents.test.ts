import { assert, describe, it } from "@effect/vitest"
import { renameSync } from "node:fs"
import { Arbitrary, Cause, Effect, Exit, Layer, Schema, Stream } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { Grants } from "../../src/credits/Grants.ts"
import { DatabaseUnavailable } from "../../src/database/Failures.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Mails } from "../../src/mail/Mails.ts"
import type { Order } from "../../src/orders/Order.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { PaymentEvents } from "../../src/orders/PaymentEvents.ts"
import type { PaymentEvent } from "../../src/orders/payments/Payments.ts"
import { applicationOn, applications, temporaryDirectory } from "../support/Application.ts"
import { orderOf } from "../support/Orders.ts"

const stripeOrder = orderOf("stripe", { method: "stripe", sessionId: "cs_1", payUrl: "https://checkout.example/cs_1" })
const about = { orderId: stripeOrder.id }
const paidOf = (
  id: string,
  changes: { reference?: string; sessionId?: string; amount?: number; currency?: string } = {}
): PaymentEvent => ({
  ...about,
  id,
  kind: "paid",
  sessionId: "cs_1",
  reference: "pi_1",
  amount: 1900,
  currency: "USD",
  at: 1_795_428_000_000,
  ...changes
})

/** The possible messages about an order: that it is paid, that it expired, that a part or all of it was refunded. */
const events: ReadonlyArray<PaymentEvent> = [
  ...["evt_1", "evt_2", "evt_3"].map((id) => paidOf(id)),
  { ...about, id: "evt_4", kind: "failed", sessionId: "cs_1" },
  { ...about, id: "evt_5", kind: "refunded", reference: "pi_1", isWhole: false },
  { ...about, id: "evt_6", kind: "refunded", reference: "pi_1", isWhole: true },
  { ...about, id: "evt_7", kind: "other", type: "checkout.session.completed (unpaid)" }
]

const applyAll = Effect.fnUntraced(function* (reported: ReadonlyArray<PaymentEvent>) {
  const { apply } = yield* PaymentEvents
  yield* Effect.forEach(reported, apply, { concurrency: "unbounded", discard: true })
})

/** The final order, the credits of all keys, and the numbers of ledger entries and emails. */
const outcome = Effect.gen(function* () {
  const orders = yield* Orders
  const apiKeys = yield* ApiKeys
  const credits = yield* Credits
  const mails = yield* Mails
  const keys = yield* Stream.runCollect(apiKeys.list)
  const ledgers = yield* Effect.forEach(keys, ({ id }) => credits.history(id, 100))
  return {
    state: (yield* orders.find(stripeOrder.id)).state,
    kinds: ledgers.flat().map(({ kind }) => kind),
    sum: ledgers.flat().reduce((sum, { delta }) => sum + delta, 0),
    mails: (yield* mails.list(undefined, 100)).length
  }
})

const insert = (order: Order) => Effect.flatMap(OrderStore, (store) => store.insert(order))

const reported = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: events.length - 1 }))),
    (i) => events[i] ?? paidOf("evt_1")
  ),
  { minLength: 1, maxLength: 20 }
)

for (const [name, application] of Object.entries(applications)) {
  describe(`PaymentEvents over ${name}`, () => {
    it.effect.prop(
      "give the credits of an order at most once, whatever events arrive, how often and in which order",
      [reported],
      ([reported]) =>
        Effect.gen(function* () {
          yield* insert(stripeOrder)
          yield* applyAll(reported)
          const { kinds, mails, state, sum } = yield* outcome
          const has = (matches: (event: PaymentEvent) => boolean) => reported.some(matches)
          const isRefunded = has((event) => event.kind === "refunded" && event.isWhole)
          const isPaid = has(({ kind }) => kind === "paid")
          const isFailed = has(({ kind }) => kind === "failed")
          assert.strictEqual(
            state,
            isRefunded ? "refunded" : isPaid ? "fulfilled" : isFailed ? "cancelled" : "awaiting_payment"
          )
          assert.strictEqual(sum, isPaid && !isRefunded ? 500 : 0)
          const grants = kinds.filter((kind) => kind === "credit_pack").length
          assert.isAtMost(grants, 1)
          assert.strictEqual(mails, grants)
        }).pipe(Effect.provide(application())),
      // Each run needs a new database, which is slow to create on Postgres.
      { arbitrary: { runs: name === "Postgres" ? 10 : 40 } }
    )

    it.effect("have the same effect once as five times concurrently", () =>
      Effect.gen(function* () {
        yield* insert(stripeOrder)
        yield* applyAll(events.slice(0, 5).flatMap((event) => [event, event, event, event, event]))
        assert.deepStrictEqual(yield* outcome, { state: "fulfilled", kinds: ["credit_pack"], sum: 500, mails: 1 })
      }).pipe(Effect.provide(application()))
    )

    it.effect("take back the remaining credits after a refund, but never more than the pack", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const apiKeys = yield* ApiKeys
        const owner = { ...stripeOrder.owner, email: "spent@example.com" }
        const { key } = yield* apiKeys.issue(owner, 0)
        yield* insert({ ...stripeOrder, credits: 2, keyId: key.id })
        yield* applyAll([paidOf("evt_1")])
        const grants = yield* Grants
        yield* grants.setBalance(key.id, 1, "adjustment")
        yield* applyAll(events.slice(5, 6))
        assert.strictEqual((yield* credits.balance(key.id)).remaining, 0)
        const [last] = yield* credits.history(key.id, 1)
        assert.deepInclude(last, { kind: "adjustment", delta: -1, reference: `refund:${stripeOrder.id}` })

        const second = orderOf("second", { method: "stripe", sessionId: "cs_2", keyId: key.id })
        yield* insert(second)
        yield* grants.setBalance(key.id, 100, "adjustment")
        yield* applyAll([{ ...paidOf("evt_8", { sessionId: "cs_2", reference: "pi_2" }), orderId: second.id }])
        yield* applyAll([{ id: "evt_9", orderId: second.id, kind: "refunded", reference: "pi_2", isWhole: true }])
        assert.strictEqual((yield* credits.balance(key.id)).remaining, 100)
      }).pipe(Effect.provide(application()))
    )

    it.effect("refuse another price, change nothing, and still count the right one", () =>
      Effect.gen(function* () {
        const { apply } = yield* PaymentEvents
        yield* insert(stripeOrder)
        for (const [wrong, figure] of [
          [{ amount: 1800 }, "1800 USD"],
          [{ currency: "EUR" }, "1900 EUR"]
        ] as const) {
          const { errors } = yield* Effect.flip(apply(paidOf("evt_1", wrong)))
          assert.strictEqual(errors[0]?.pointer, "/data/object/amount_total")
          assert.include(errors[0]?.message, `must be 1900 USD in minor units as ordered, not ${figure}`)
        }
        assert.strictEqual((yield* outcome).state, "awaiting_payment")
        yield* apply(paidOf("evt_1"))
        assert.strictEqual((yield* outcome).sum, 500)
      }).pipe(Effect.provide(application()))
    )

    it.effect("keep the latest dispute of an order, whatever arrives late about an earlier one", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        yield* insert(stripeOrder)
        const disputed = (disputeId: string, state: "open" | "won" | "lost"): PaymentEvent => ({
          ...about,
          id: `evt_${disputeId}_${state}`,
          kind: "disputed",
          disputeId,
          reference: "pi_1",
          state,
          amount: 1900,
          currency: "USD",
          reason: "fraudulent",
          answerBy: undefined
        })
        const found: Array<string> = []
        for (const event of [
          paidOf("evt_1"),
          disputed("dp_1", "open"),
          disputed("dp_2", "open"),
          disputed("dp_1", "lost"),
          disputed("dp_2", "won"),
          disputed("dp_2", "open"),
          disputed("dp_3", "lost")
        ]) {
          yield* applyAll([event])
          const { dispute, disputeId } = yield* orders.find(stripeOrder.id)
          found.push(`${disputeId} ${dispute}`)
        }
        assert.deepStrictEqual(found, [
          "undefined undefined",
          "dp_1 open",
          "dp_2 open",
          "dp_2 open",
          "dp_2 won",
          "dp_2 won",
          "dp_3 lost"
        ])
      }).pipe(Effect.provide(application()))
    )

    it.effect("change nothing if they are about another session, order, product or payment", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        yield* insert(stripeOrder)
        yield* applyAll([
          paidOf("evt_1", { sessionId: "cs_other" }),
          { ...paidOf("evt_2"), orderId: "ord_other" },
          { ...paidOf("evt_3"), orderId: undefined },
          { ...about, id: "evt_4", kind: "failed", sessionId: "cs_other" }
        ])
        assert.deepStrictEqual(yield* outcome, { state: "awaiting_payment", kinds: [], sum: 0, mails: 0 })
        // The operator confirmed a different payment from the one that Stripe refunds.
        yield* orders.fulfil(stripeOrder.id, { reference: "bank 7", paidAt: 0 })
        yield* applyAll([
          paidOf("evt_5"),
          { ...about, id: "evt_6", kind: "refunded", reference: "pi_1", isWhole: true }
        ])
        assert.deepStrictEqual(yield* outcome, { state: "fulfilled", kinds: ["credit_pack"], sum: 500, mails: 1 })
      }).pipe(Effect.provide(application()))
    )
  })
}

describe("PaymentEvents on a file", () => {
  it.effect("applies no payment to a file that was deleted, and applies it once it is back", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      const state = Effect.flatMap(Orders, ({ find }) => Effect.map(find(stripeOrder.id), ({ state }) => state))
      yield* Effect.gen(function* () {
        yield* insert(stripeOrder)
        renameSync(file, `${file}.away`)
        const exit = yield* Effect.exit(applyAll([paidOf("evt_1")]))
        const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.isTrue(failure instanceof DatabaseUnavailable && failure.fault === "damaged")
        renameSync(`${file}.away`, file)
      }).pipe(Effect.provide(Layer.fresh(applicationOn(`sqlite:${file}`))))
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* state, "awaiting_payment")
        yield* applyAll([paidOf("evt_1")])
        assert.strictEqual(yield* state, "fulfilled")
      }).pipe(Effect.provide(Layer.fresh(applicationOn(`sqlite:${file}`))))
    })
  )
})
