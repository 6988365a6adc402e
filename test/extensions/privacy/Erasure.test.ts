import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/keys/AuditLog.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { adjustCredits } from "../../../src/metering/adjustCredits.ts"
import { Credits } from "../../../src/credits/Credits.ts"
import { Grants } from "../../../src/credits/Grants.ts"
import { LedgerAudit } from "../../../src/credits/audit/LedgerAudit.ts"
import { Mails } from "../../../src/mail/Mails.ts"
import { Erasure } from "../../../src/extensions/privacy/Erasure.ts"
import { Orders } from "../../../src/orders/Orders.ts"
import { PaymentEvents } from "../../../src/orders/PaymentEvents.ts"
import { defaultCreditPacks } from "../../../src/settings/CreditPack.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { applications, stores } from "../../support/Application.ts"
import { authenticate } from "../../support/Authentication.ts"
import { FakeStripe, stripePayments } from "../support/Stripe.ts"
import { paymentsAfter, placeOrder } from "../../support/Orders.ts"
import { assertAllOrNothing, unaudited } from "../../support/Unaudited.ts"

const ada = { name: "Ada Lovelace", email: "Ada@example.com", company: "Analytical Ltd" }
const bob = { name: "Bob", email: "bob@example.com", company: "Bobs" }

for (const store of ["SQLite", "Postgres"] as const) {
  it.live(`${store} lets only the text of an entry be erased, and only that of an erased person`, () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [id, email] of [
        ["ada", "ada@example.com"],
        ["nobody", "nobody@erased.invalid"]
      ] as const) {
        yield* sql`INSERT INTO api_keys VALUES (${id}, 'n', ${email}, 'c', 'active', 'revoked', 0, '', 0, ${id})`
        yield* sql`INSERT INTO audit_log (key_id, actor, action, created_at, note) VALUES (${id}, 'owner', 'issued', 0, 'n')`
        yield* sql`INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
          VALUES (${id}, 'adjustment', 5, 5, ${`adjustment:${id}`}, 0)`
      }
      for (const change of [
        sql`UPDATE audit_log SET note = NULL WHERE key_id = 'ada'`,
        sql`UPDATE audit_log SET note = 'other' WHERE key_id = 'nobody'`,
        sql`UPDATE audit_log SET note = NULL, created_at = 1 WHERE key_id = 'nobody'`,
        sql`UPDATE credit_ledger SET reference = 'adjustment:erased ' || id WHERE key_id = 'ada'`,
        sql`UPDATE credit_ledger SET reference = 'other' WHERE key_id = 'nobody'`,
        sql`UPDATE credit_ledger SET reference = 'adjustment:erased ' || id, delta = 6 WHERE key_id = 'nobody'`
      ]) {
        assert.match(String((yield* Effect.flip(change)).reason.cause), /append-only/)
      }
      yield* sql`UPDATE audit_log SET note = NULL WHERE key_id = 'nobody'`
      yield* sql`UPDATE credit_ledger SET reference = 'adjustment:erased ' || id WHERE key_id = 'nobody'`
    }).pipe(Effect.provide(stores[store]))
  )
}

for (const [store, application] of Object.entries(applications)) {
  describe(`erasing a person, in ${store}`, () => {
    it.live("removes everything known about them, for every key of their mailbox, and keeps the sums", () =>
      Effect.gen(function* () {
        const [apiKeys, orders, mails, credits] = [yield* ApiKeys, yield* Orders, yield* Mails, yield* Credits]
        const audit = yield* AuditLog
        const { erase } = yield* Erasure
        const [pack = assert.fail()] = defaultCreditPacks
        const first = yield* apiKeys.issue(ada)
        yield* apiKeys.revoke(first.key.id, "operator")
        const second = yield* apiKeys.issue({ ...ada, email: "ada+lists@example.com" })
        const other = yield* apiKeys.issue(bob)
        const place = (buyer: typeof second.key | typeof ada) => Effect.map(placeOrder(pack, buyer), ({ id }) => id)
        const paid = yield* place(second.key)
        yield* orders.fulfil(paid, { reference: "Lovelace, bank 7", paidAt: 0 })
        yield* Effect.forEach([second.key.id, other.key.id], (id) =>
          adjustCredits(id, {
            action: "credits_adjusted",
            delta: 5,
            reason: "Ada called",
            reference: `call of Lovelace about ${id}`
          })
        )
        const unpaid = yield* place({ ...ada, email: "ADA+Orders@example.com" })
        const bobs = yield* place(other.key)
        assert.include(
          (yield* orders.overdue).map(({ id }) => id),
          paid
        )
        const subKeys = yield* SubKeys
        const { secret } = yield* subKeys.create(second.key.id, { name: "Lovelace's CRM", monthlyLimit: null })
        const before = yield* credits.usage(second.key.id)

        const erased = yield* erase(second.key.id, "operator")
        assert.deepInclude(erased, { keys: 2, orders: 2 })
        assert.isAtLeast(erased.mails, 1)

        const found = JSON.stringify([
          yield* Stream.runCollect(apiKeys.list),
          yield* subKeys.listOf(second.key.id, { limit: 9 }),
          yield* orders.list(undefined, 100),
          yield* mails.list(undefined, 100),
          yield* audit.entries(second.key.id, 50),
          yield* credits.history(second.key.id, 100)
        ])
        // A random id may have these letters too, but not as a word.
        assert.notMatch(found, /\b(?:ada|lovelace|analytical)\b/i)
        assert.match(found, /bob@example\.com/)
        assert.strictEqual((yield* orders.find(unpaid)).state, "cancelled")
        assert.include(yield* orders.find(paid), { state: "fulfilled", amount: pack.amount, reference: "erased" })
        // What was written about another person stays.
        assert.include((yield* audit.entries(other.key.id, 50)).at(-1)?.note, "Ada called")
        assert.include((yield* credits.history(other.key.id, 1))[0]?.reference, "Lovelace")
        assert.deepStrictEqual(yield* orders.overdue, [])
        assert.strictEqual((yield* orders.find(bobs)).state, "awaiting_payment")
        assert.deepStrictEqual(yield* credits.usage(second.key.id), before)
        assert.deepInclude(yield* Effect.flatMap(LedgerAudit, ({ verify }) => verify), {
          faultCount: 0
        })
        assert.deepStrictEqual(
          (yield* mails.list("queued", 100)).filter(({ to }) => to !== bob.email),
          []
        )
        const refused = yield* Effect.flip(authenticate(Redacted.make(Redacted.value(second.secret))))
        assert.strictEqual(refused._tag, "InvalidKey")
        assert.strictEqual((yield* Effect.flip(authenticate(secret)))._tag, "InvalidKey")

        // The mailbox is unknown, except for its credits.
        const again = yield* apiKeys.issue(ada)
        assert.strictEqual((yield* credits.usage(again.key.id)).balance.remaining, 0)
        // A second time there is nothing left to take.
        assert.deepStrictEqual(yield* erase(second.key.id, "operator"), {
          keys: 1,
          orders: 1,
          mails: 0,
          openPayments: 0
        })
      }).pipe(Effect.provide(Layer.fresh(application())))
    )

    it.live("keeps the references that the service gave", () =>
      Effect.gen(function* () {
        const { key } = yield* (yield* ApiKeys).issue(ada)
        const { takeBack } = yield* Grants
        yield* takeBack(key.id, 7, "refund:ord_1")
        const gift = { action: "credits_granted", delta: 5, reason: "Ada called", reference: "Ada called" } as const
        yield* adjustCredits(key.id, gift)
        const { history } = yield* Credits
        const [adjusted, ...others] = yield* history(key.id, 10)
        yield* (yield* Erasure).erase(key.id, "operator")
        const [erased, ...left] = yield* history(key.id, 10)
        assert.strictEqual(erased?.reference, `adjustment:erased ${adjusted?.id}`)
        assert.deepStrictEqual(left, others)
      }).pipe(Effect.provide(Layer.fresh(application())))
    )

    it.live("works while their order is being paid, and the credits add up", () =>
      Effect.gen(function* () {
        const [apiKeys, orders, mails] = [yield* ApiKeys, yield* Orders, yield* Mails]
        const { erase } = yield* Erasure
        const [pack = assert.fail()] = defaultCreditPacks
        for (let round = 0; round < 5; round++) {
          const { key } = yield* apiKeys.issue(ada, 0)
          const order = yield* placeOrder(pack, key)
          const pay = orders.fulfil(order.id, { reference: `bank ${round}`, paidAt: 0 })
          yield* Effect.all(round % 2 === 0 ? [pay, erase(key.id, "operator")] : [erase(key.id, "operator"), pay], {
            concurrency: 2
          })
          const left = [
            yield* Stream.runCollect(apiKeys.list),
            yield* orders.list(undefined, 100),
            yield* mails.list(undefined, 100)
          ]
          assert.notMatch(JSON.stringify(left), /\b(?:ada|lovelace|analytical)\b/i)
          const { reference, state } = yield* orders.find(order.id)
          assert.strictEqual(state, "fulfilled")
          // Erased with the order, unless it was paid afterwards.
          assert.include(["erased", `bank ${round}`], reference)
        }
        const { entries, faultCount } = yield* Effect.flatMap(LedgerAudit, ({ verify }) => verify)
        assert.deepStrictEqual({ entries, faultCount }, { entries: 5, faultCount: 0 })
      }).pipe(Effect.provide(Layer.fresh(application())))
    )

    it.live("refuses and does not store an order whose buyer is erased while its payment is created", () => {
      let meanwhile: Effect.Effect<unknown> = Effect.void
      const payments = paymentsAfter(Effect.suspend(() => meanwhile))
      return Effect.gen(function* () {
        const [apiKeys, orders, mails] = [yield* ApiKeys, yield* Orders, yield* Mails]
        const { erase } = yield* Erasure
        const [pack = assert.fail()] = defaultCreditPacks
        const { key } = yield* apiKeys.issue(ada)
        meanwhile = Effect.orDie(erase(key.id, "operator"))
        const refused = yield* Effect.flip(placeOrder(pack, key))
        assert.strictEqual(refused._tag, "KeyRevoked")
        const left = [
          yield* Stream.runCollect(apiKeys.list),
          yield* orders.list(undefined, 100),
          yield* mails.list(undefined, 100)
        ]
        assert.notMatch(JSON.stringify(left), /\b(?:ada|lovelace|analytical)\b/i)
      }).pipe(Effect.provide(Layer.fresh(application({ payments }))))
    })

    it.live("closes the payments of orders at Stripe, and adds no credits for one that is paid anyway", () =>
      Effect.gen(function* () {
        const [apiKeys, orders, mails] = [yield* ApiKeys, yield* Orders, yield* Mails]
        const { erase } = yield* Erasure
        const { apply } = yield* PaymentEvents
        const { response, calls } = yield* FakeStripe
        const [pack = assert.fail()] = defaultCreditPacks
        const place = Effect.gen(function* () {
          const { key } = yield* apiKeys.issue(ada, 0)
          return { key, order: yield* placeOrder(pack, key) }
        })
        const closed = yield* place
        assert.include(yield* erase(closed.key.id, "operator"), { orders: 1, openPayments: 0 })
        assert.strictEqual(calls.at(-1)?.path, `/v1/checkout/sessions/${closed.order.sessionId}/expire`)

        // Who has the page of a payment can still pay after the order was cancelled.
        const cancelled = yield* place
        yield* orders.cancel(cancelled.order.id)
        assert.include(yield* erase(cancelled.key.id, "operator"), { orders: 1, openPayments: 0 })
        assert.strictEqual(calls.at(-1)?.path, `/v1/checkout/sessions/${cancelled.order.sessionId}/expire`)

        const open = yield* place
        response.status = 400
        assert.include(yield* erase(open.key.id, "operator"), { openPayments: 1 })
        const about = { orderId: open.order.id, reference: "pi_1" }
        const { amount, currency, sessionId = "" } = open.order
        yield* apply({ ...about, id: "evt_1", kind: "paid", sessionId, amount, currency, at: 5 })
        assert.include(yield* orders.find(open.order.id), { state: "cancelled", reference: "pi_1", paidAt: 5 })
        yield* apply({ ...about, id: "evt_2", kind: "paid", sessionId, amount, currency, at: 5 })
        assert.lengthOf(yield* Stream.runCollect(apiKeys.list), 3)
        assert.deepStrictEqual(yield* mails.list("queued", 100), [])
        yield* apply({ ...about, id: "evt_3", kind: "refunded", isWhole: true })
        assert.include(yield* orders.find(open.order.id), { state: "refunded", reference: "pi_1" })
        const { entries } = yield* Effect.flatMap(LedgerAudit, ({ verify }) => verify)
        assert.strictEqual(entries, 0)
      }).pipe(
        Effect.provide(
          Layer.fresh(application({ payments: stripePayments }).pipe(Layer.provideMerge(FakeStripe.layer)))
        )
      )
    )

    it.live("refuses the demo key", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const { erase } = yield* Erasure
        yield* apiKeys.prepareDemoKey
        const { id } = yield* apiKeys.find("ofk_demo")
        assert.strictEqual((yield* Effect.flip(erase(id, "operator")))._tag, "DemoKeyProtected")
      }).pipe(Effect.provide(Layer.fresh(application())))
    )
  })
}

it.effect("a person is not erased if the entry in the audit log cannot be written", () =>
  Effect.gen(function* () {
    const { key } = yield* (yield* ApiKeys).issue(ada)
    yield* assertAllOrNothing("erase", (yield* Erasure).erase(key.id, "owner"))
  }).pipe(Effect.provide(unaudited))
)
