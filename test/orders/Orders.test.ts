import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Redacted, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../src/credits/Credits.ts"
import { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { deliverDue } from "../../src/mail/MailWorker.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { defaultCreditPacks } from "../../src/settings/CreditPack.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { applications } from "../support/Application.ts"
import { authenticate } from "../support/Authentication.ts"
import { Postbox } from "../../src/mail/Mailer.ts"
import { withPostbox } from "../support/Mail.ts"
import { orderOf, paymentsAfter, placeOrder } from "../support/Orders.ts"
import type { ApiKey } from "../../src/keys/ApiKey.ts"

const ada = { name: "Ada", email: "ada@example.com", company: "Example" }
/** Monday, 2026-11-23T10:00:00Z. */
const monday = 1_795_428_000_000
const hour = 3_600_000
const [starter = assert.fail("no pack")] = defaultCreditPacks

const place = Effect.fnUntraced(function* (buyer: ApiKey | typeof ada = ada) {
  return yield* placeOrder(starter, buyer)
})

const fulfil = Effect.fnUntraced(function* (id: string, reference: string = "bank 7") {
  const orders = yield* Orders
  return yield* orders.fulfil(id, { reference, paidAt: monday })
})

/** Delivers due emails, and returns the newest one with the token of its link. */
const newestLetter = Effect.gen(function* () {
  const { letters } = yield* Postbox
  yield* Effect.repeat(deliverDue, { while: (tried) => tried > 0 })
  const letter = letters.at(-1) ?? assert.fail("No letter")
  return { ...letter, token: Redacted.make(letter.link.split("/").at(-1) ?? "") }
})

for (const [name, application] of Object.entries(applications)) {
  const layer = (env = {}) => withPostbox(application({ env }))

  describe(`Orders over ${name}`, () => {
    it.effect("give a buyer without a key a new one by email, with the pack and the preview credits", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(monday)
        const accessRequests = yield* AccessRequests
        const apiKeys = yield* ApiKeys
        const placed = yield* place()
        assert.match(placed.id, /^ord_[0-9A-Za-z]{16}$/)
        assert.deepInclude(placed, { state: "awaiting_payment", credits: 500, amount: 1900, currency: "USD" })
        assert.lengthOf(yield* Stream.runCollect(apiKeys.list), 0)
        const confirmation = yield* newestLetter
        assert.include(confirmation.text, `Thank you for your order ${placed.id}: 500 forecast credits.`)
        assert.match(confirmation.link, new RegExp(`^https://forecast.example/orders/${placed.id}/[\\w-]{43}$`))
        const orders = yield* Orders
        assert.deepStrictEqual(yield* orders.findBySecret(placed.id, confirmation.token), placed)
        for (const [id, token] of [
          [placed.id, Redacted.make(Redacted.value(confirmation.token).slice(0, -1))],
          ["ord_other", confirmation.token]
        ] as const) {
          assert.strictEqual((yield* Effect.flip(orders.findBySecret(id, token)))._tag, "LinkUnknown")
        }

        const order = yield* fulfil(placed.id)
        assert.include(order, { state: "fulfilled", reference: "bank 7", paidAt: monday, dueAt: monday + 24 * hour })
        const letter = yield* newestLetter
        assert.strictEqual(letter.to, ada.email)
        assert.include(letter.text, "added the credits to your new API key")
        assert.strictEqual((yield* accessRequests.inspect(letter.token)).purpose, "confirm")
        const { creditsRemaining, secret } = yield* accessRequests.reveal(letter.token)
        assert.strictEqual(creditsRemaining, 600)
        assert.strictEqual((yield* authenticate(secret)).id, order.creditedKeyId)
      }).pipe(Effect.provide(layer()))
    )

    it.effect(
      "add a pack to its key, even while its plan is inactive; the email names the key and offers to replace it",
      () =>
        Effect.gen(function* () {
          const accessRequests = yield* AccessRequests
          const apiKeys = yield* ApiKeys
          const audit = yield* AuditLog
          const { key } = yield* apiKeys.issue(ada, 7)
          const { id } = yield* place(key)
          yield* apiKeys.setKeyPlan(key.id, "inactive")
          const order = yield* fulfil(id)
          assert.strictEqual(order.creditedKeyId, key.id)
          const letter = yield* newestLetter
          assert.include(letter.text, `Credits left: 507\nAPI key: ${key.secretPrefix}…\n`)
          assert.strictEqual((yield* accessRequests.inspect(letter.token)).purpose, "replace")
          assert.deepStrictEqual(
            (yield* audit.entries(key.id, 50)).map(({ action, actor }) => `${actor} ${action}`),
            ["operator issued", "operator deactivated", "operator credits_bought"]
          )
        }).pipe(Effect.provide(layer()))
    )

    it.effect("add the credits of a buyer without a key to the key of their address", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const credits = yield* Credits
        const { id } = yield* place({ ...ada, name: "Somebody", company: "Else" })
        const { key } = yield* apiKeys.issue(ada, 7)
        yield* fulfil(id)
        assert.strictEqual((yield* credits.balance(key.id)).remaining, 507)
        assert.deepStrictEqual((yield* apiKeys.find(key.id)).owner, ada)
      }).pipe(Effect.provide(layer()))
    )

    it.effect("add the credits of a key that was revoked before payment to another key of the address", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const credits = yield* Credits
        const { key } = yield* apiKeys.issue(ada, 7)
        const [first, second] = [yield* place(key), yield* place(key)]
        yield* apiKeys.revoke(key.id, "owner")
        const order = yield* fulfil(first.id)
        assert.notStrictEqual(order.creditedKeyId, key.id)
        assert.strictEqual((yield* fulfil(second.id, "bank 8")).creditedKeyId, order.creditedKeyId)
        assert.strictEqual((yield* credits.balance(key.id)).remaining, 7)
        assert.lengthOf(yield* apiKeys.search(ada.email), 2)
      }).pipe(Effect.provide(layer()))
    )

    it.effect("count a payment once, however often and concurrently it is reported, and refuse another one", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const mails = yield* Mails
        const { id } = yield* place()
        const reported = yield* Effect.all(
          Array.from({ length: 5 }, () => fulfil(id)),
          { concurrency: "unbounded" }
        )
        for (const order of reported) assert.deepStrictEqual(order, reported[0])
        const keyId = reported[0]?.creditedKeyId ?? assert.fail("no key")
        assert.strictEqual((yield* credits.balance(keyId)).remaining, 500)
        assert.deepStrictEqual(
          (yield* mails.list(undefined, 10)).map(({ subject }) => subject),
          ["Your forecast credits are here", "Your order of 500 forecast credits"]
        )
        const failure = yield* Effect.flip(fulfil(id, "bank 8"))
        assert.deepInclude(failure, { _tag: "OrderAlreadyFulfilled", reference: "bank 7" })
        assert.strictEqual((yield* Effect.flip(fulfil("ord_none")))._tag, "OrderNotFound")
      }).pipe(Effect.provide(layer()))
    )

    it.effect("refuse a payment that was for another order, unless the operator says that it is for several", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const credits = yield* Credits
        const [first, second] = [yield* place(), yield* place()]
        const { creditedKeyId = assert.fail("no key") } = yield* fulfil(first.id)
        assert.deepInclude(yield* Effect.flip(fulfil(second.id)), {
          _tag: "PaymentAlreadyUsed",
          reference: "bank 7",
          orderId: first.id
        })
        assert.strictEqual((yield* orders.find(second.id)).state, "awaiting_payment")
        assert.strictEqual((yield* credits.balance(creditedKeyId)).remaining, 500)
        yield* orders.fulfil(second.id, { reference: "bank 7", paidAt: monday }, true)
        assert.strictEqual((yield* credits.balance(creditedKeyId)).remaining, 1000)
        // Neither repeats it.
        yield* fulfil(first.id)
        yield* fulfil(second.id)
        assert.strictEqual((yield* credits.balance(creditedKeyId)).remaining, 1000)
      }).pipe(Effect.provide(layer()))
    )

    it.effect("can be cancelled while awaiting payment; a payment that arrives anyway counts", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { id } = yield* place()
        assert.strictEqual((yield* orders.cancel(id)).state, "cancelled")
        assert.strictEqual((yield* orders.cancel(id)).state, "cancelled")
        assert.strictEqual((yield* fulfil(id)).state, "fulfilled")
        assert.strictEqual((yield* Effect.flip(orders.cancel(id)))._tag, "OrderAlreadyFulfilled")
        assert.strictEqual((yield* Effect.flip(orders.cancel("ord_none")))._tag, "OrderNotFound")
      }).pipe(Effect.provide(layer()))
    )

    it.effect("can be neither cancelled nor fulfilled once they are refunded", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const order = yield* place()
        yield* orders.refund(order, "pi_1")
        const refunded = yield* orders.find(order.id)
        assert.include(refunded, { state: "refunded", reference: "pi_1" })
        assert.strictEqual((yield* Effect.flip(orders.cancel(order.id)))._tag, "OrderRefunded")
        assert.strictEqual((yield* Effect.flip(fulfil(order.id, "pi_1")))._tag, "OrderRefunded")
        yield* orders.failed(refunded)
        assert.deepStrictEqual(yield* orders.find(order.id), refunded)
      }).pipe(Effect.provide(layer()))
    )

    it.effect("are overdue if they are unconfirmed, or if their email was not sent in time", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(monday)
        const orders = yield* Orders
        const ids = Effect.map(orders.overdue, (found) => found.map(({ id }) => id))
        const awaited = yield* place()
        const paid = yield* place()
        yield* fulfil(paid.id)
        yield* TestClock.adjust("47 hours")
        // 2026-11-24 is a holiday.
        assert.deepStrictEqual(yield* ids, [])
        yield* TestClock.adjust("1 hour")
        assert.sameMembers([...(yield* ids)], [awaited.id, paid.id])
        yield* newestLetter
        assert.deepStrictEqual(yield* ids, [awaited.id])
        // Sent again, it is not late: the buyer has had it.
        const { mailId = assert.fail("no email") } = yield* orders.find(paid.id)
        yield* (yield* Mails).retry(mailId)
        assert.deepStrictEqual(yield* ids, [awaited.id])
        yield* orders.cancel(awaited.id)
        assert.deepStrictEqual(yield* ids, [])
      }).pipe(Effect.provide(layer({ HOLIDAYS: "2026-11-24" })))
    )

    it.effect("sell nothing to the demo key", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const orders = yield* Orders
        yield* apiKeys.prepareDemoKey
        const [demo = assert.fail("no demo key")] = yield* Stream.runCollect(apiKeys.list)
        assert.strictEqual((yield* Effect.flip(place(demo)))._tag, "DemoKeyRefused")
        assert.deepStrictEqual(yield* orders.list(undefined, 10), [])
      }).pipe(Effect.provide(layer()))
    )

    it.effect("allow a key only a few unpaid orders, even concurrent ones, but more to a buyer without a key", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const orders = yield* Orders
        const { key } = yield* apiKeys.issue(ada, 7)
        const placed = yield* Effect.all(
          Array.from({ length: 6 }, () => Effect.result(place(key))),
          { concurrency: "unbounded" }
        )
        const failures = placed.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
        assert.isNotEmpty(failures)
        for (const failure of failures) assert.deepInclude(failure, { _tag: "TooManyUnpaidOrders", most: 3 })
        yield* Effect.replicateEffect(Effect.result(place(key)), 3)
        const unpaid = yield* orders.list("awaiting_payment", 10)
        assert.lengthOf(unpaid, 3)
        yield* fulfil(unpaid[0]?.id ?? "")
        yield* place(key)
        yield* orders.cancel(unpaid[1]?.id ?? "")
        yield* place(key)
        assert.strictEqual((yield* Effect.flip(place(key)))._tag, "TooManyUnpaidOrders")
        yield* Effect.replicateEffect(place(), 4)
      }).pipe(Effect.provide(layer({ UNPAID_ORDERS_PER_KEY: "3" })))
    )

    it.effect("open no more payments of a key at the same time than it may have unpaid orders", () => {
      const [full, refused] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
      let opened = 0
      const payments = paymentsAfter(
        Effect.suspend(() => {
          opened++
          if (opened > 3) return Deferred.succeed(refused, undefined)
          const isFull = opened === 3 ? Deferred.succeed(full, undefined) : Effect.void
          return Effect.andThen(isFull, Deferred.await(refused))
        })
      )
      return Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const orders = yield* Orders
        const { key } = yield* apiKeys.issue(ada, 7)
        const attempt = Effect.tapError(place(key), () => Deferred.succeed(refused, undefined))
        const further = Effect.andThen(Deferred.await(full), attempt)
        const placed = yield* Effect.all(
          [attempt, attempt, attempt, further].map((each) => Effect.result(each)),
          { concurrency: "unbounded" }
        )
        const failures = placed.flatMap((result) => (Result.isFailure(result) ? [result.failure._tag] : []))
        assert.deepStrictEqual(failures, ["TooManyUnpaidOrders"])
        assert.strictEqual(opened, 3)
        // The payments are open now, and count no more.
        const [first] = yield* orders.list("awaiting_payment", 10)
        yield* orders.cancel(first?.id ?? "")
        yield* place(key)
      }).pipe(Effect.provide(application({ env: { UNPAID_ORDERS_PER_KEY: "3" }, payments })))
    })

    it.effect("open no payment of an order that would be one too many with those that are stored", () => {
      const refused = Deferred.makeUnsafe<void>()
      let opened = 0
      const payments = paymentsAfter(
        Effect.suspend(() => (++opened > 1 ? Deferred.succeed(refused, undefined) : Deferred.await(refused)))
      )
      return Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const store = yield* OrderStore
        const { key } = yield* apiKeys.issue(ada, 7)
        yield* store.insert(orderOf("one", { keyId: key.id }))
        yield* store.insert(orderOf("other", { keyId: key.id }))
        const attempt = Effect.tapError(place(key), () => Deferred.succeed(refused, undefined))
        const placed = yield* Effect.all(
          Array.from({ length: 2 }, () => Effect.result(attempt)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(placed.map(Result.isSuccess), [true, false])
        assert.strictEqual(opened, 1)
      }).pipe(Effect.provide(application({ env: { UNPAID_ORDERS_PER_KEY: "3" }, payments })))
    })

    it.effect("are not stored if another instance has stored the last that a key may have in the meantime", () => {
      let meanwhile: Effect.Effect<unknown> = Effect.void
      return Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const mails = yield* Mails
        const orders = yield* Orders
        const store = yield* OrderStore
        const { key } = yield* apiKeys.issue(ada, 7)
        meanwhile = store.insert(orderOf("other", { keyId: key.id }))
        assert.strictEqual((yield* Effect.flip(place(key)))._tag, "TooManyUnpaidOrders")
        assert.deepStrictEqual(
          (yield* orders.list(undefined, 10)).map(({ id }) => id),
          ["ord_other"]
        )
        assert.deepStrictEqual(yield* mails.list(undefined, 10), [])
      }).pipe(
        Effect.provide(
          application({
            env: { UNPAID_ORDERS_PER_KEY: "1" },
            payments: paymentsAfter(Effect.suspend(() => meanwhile))
          })
        )
      )
    })

    it.effect("keep an order as it was offered when the packs change", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const order = yield* placeOrder({ ...starter, credits: 5, amount: 100, currency: "EUR" }, ada)
        assert.deepStrictEqual(yield* orders.find(order.id), order)
        const credits = yield* Credits
        const { creditedKeyId = assert.fail("no key") } = yield* fulfil(order.id)
        assert.strictEqual((yield* credits.balance(creditedKeyId)).remaining, 5)
      }).pipe(Effect.provide(layer()))
    )
  })
}
