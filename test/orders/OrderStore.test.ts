import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { Transaction } from "../../src/database/Transaction.ts"
import type { ApiKey } from "../../src/keys/ApiKey.ts"
import { KeyId } from "../../src/KeyStatus.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import type { Mail } from "../../src/mail/Mail.ts"
import { Outbox } from "../../src/mail/Outbox.ts"
import type { Order } from "../../src/orders/Order.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { stores } from "../support/Application.ts"
import { orderOf } from "../support/Orders.ts"

const keyId = KeyId.make("key_ada")

const creditedKey: ApiKey = {
  id: keyId,
  owner: orderOf("x").owner,
  plan: "active",
  state: "usable",
  isDemo: false,
  secretPrefix: "",
  createdAt: 0
}

const mailOf = (id: string, sentAt: number | undefined, state: Mail["state"] = "dead"): Mail => ({
  id,
  to: "ada@example.com",
  subject: "",
  text: "",
  html: "",
  link: undefined,
  state: sentAt === undefined ? state : "sent",
  attempts: 1,
  nextAttemptAt: 0,
  lastError: undefined,
  createdAt: 0,
  sentAt
})

const fulfilled = (mailId: string, dueAt: number): Partial<Order> => ({
  state: "fulfilled",
  reference: "bank 7",
  paidAt: 5,
  fulfilledAt: 6,
  dueAt,
  mailId,
  creditedKeyId: keyId
})

for (const [name, store] of Object.entries(stores)) {
  describe(`OrderStore in ${name}`, () => {
    it.effect("finds the orders of a person by mailbox, by key, and by the key that was credited", () =>
      Effect.gen(function* () {
        const orders = yield* OrderStore
        const keys = yield* KeyStore
        const owner = { name: "Eve", email: "e.v.e+1@gmail.com", company: "Example" }
        const own = KeyId.make("key_eve")
        const rest = { plan: "active", state: "usable", isDemo: false, secretPrefix: "", createdAt: 0 } as const
        yield* keys.insert({ ...rest, id: own, owner })
        yield* orders.insert(orderOf("mailbox", { owner: { ...owner, email: "EVE@googlemail.com" } }))
        yield* orders.insert(orderOf("key", { owner: { ...owner, email: "x@example.com" }, keyId: own }))
        yield* orders.insert(orderOf("credited", { owner: { ...owner, email: "y@example.com" }, creditedKeyId: own }))
        yield* orders.insert(orderOf("other", { owner: { ...owner, email: "z@example.com" } }))
        const idsOf = (keyIds: ReadonlyArray<KeyId>) =>
          Effect.map(orders.findOf("eve@gmail.com", keyIds), (found) => found.map(({ id }) => id).toSorted())
        assert.deepStrictEqual(yield* idsOf([]), ["ord_mailbox"])
        assert.deepStrictEqual(yield* idsOf([own]), ["ord_credited", "ord_key", "ord_mailbox"])
      }).pipe(Effect.provide(store))
    )

    it.effect("keeps every field of an order, and lists the newest first", () =>
      Effect.gen(function* () {
        const orders = yield* OrderStore
        const keys = yield* KeyStore
        const outbox = yield* Outbox
        yield* keys.insert(creditedKey)
        yield* outbox.put(mailOf("unsent", undefined))
        yield* outbox.put(mailOf("sent", 9))
        const first = orderOf("first")
        const second = orderOf("second", {
          keyId,
          method: "stripe",
          sessionId: "cs_1",
          payUrl: "https://checkout.example/1"
        })
        yield* orders.insert(first)
        yield* orders.insert(second)
        assert.deepStrictEqual(yield* orders.find("ord_first"), Option.some(first))
        assert.deepStrictEqual(yield* orders.find("ord_second"), Option.some(second))
        assert.deepStrictEqual(yield* orders.find("ord_third"), Option.none())
        const paid = { ...first, ...fulfilled("unsent", 100) }
        yield* orders.update(paid)
        assert.deepStrictEqual(yield* orders.list(undefined, 10), [second, paid])
        assert.deepStrictEqual(yield* orders.list("fulfilled", 10), [paid])
        assert.deepStrictEqual(yield* orders.paidBy("bank 7"), [paid])
        assert.deepStrictEqual(yield* orders.paidBy("bank"), [])
        assert.deepStrictEqual(yield* orders.list("cancelled", 10), [])
        assert.lengthOf(yield* orders.list(undefined, 1), 1)
        // Placed with the key, or paid and credited to it.
        yield* orders.insert(orderOf("another"))
        assert.deepStrictEqual(yield* orders.listOf(keyId, 10), [second, paid])
        assert.deepStrictEqual(yield* orders.listOf(keyId, 1), [second])
        assert.strictEqual(yield* orders.countUnpaid(keyId), 1)
        yield* orders.update({ ...second, state: "cancelled" })
        assert.strictEqual(yield* orders.countUnpaid(keyId), 0)
      }).pipe(Effect.provide(store))
    )

    it.effect("finds overdue orders from the due time on: awaiting payment, or without their email", () =>
      Effect.gen(function* () {
        const orders = yield* OrderStore
        const outbox = yield* Outbox
        yield* Effect.flatMap(KeyStore, (keys) => keys.insert(creditedKey))
        yield* outbox.put(mailOf("unsent", undefined))
        yield* outbox.put(mailOf("sent", 9))
        yield* orders.insert(orderOf("unmailed", fulfilled("unsent", 100)))
        yield* orders.insert(orderOf("awaited", { dueAt: 90 }))
        yield* orders.insert(orderOf("later", { dueAt: 101 }))
        yield* orders.insert(orderOf("given up", { dueAt: 90, state: "cancelled" }))
        yield* orders.insert(orderOf("mailed", fulfilled("sent", 90)))
        yield* outbox.put(mailOf("discarded", undefined, "discarded"))
        yield* orders.insert(orderOf("settled", fulfilled("discarded", 90)))
        assert.deepStrictEqual(
          (yield* orders.overdue(100)).map(({ id }) => id),
          ["ord_awaited", "ord_unmailed"]
        )
        assert.deepStrictEqual(
          (yield* orders.overdue(99)).map(({ id }) => id),
          ["ord_awaited"]
        )
      }).pipe(Effect.provide(store))
    )

    layer(store)((it) => {
      it.effect("records an event once, and nothing from a failed transaction", () =>
        Effect.gen(function* () {
          const orders = yield* OrderStore
          const transaction = yield* Transaction
          const undone = transaction.run(Effect.andThen(orders.recordEvent("evt_1", 1), Effect.fail("changed my mind")))
          assert.strictEqual(yield* Effect.flip(undone), "changed my mind")
          assert.isTrue(yield* orders.recordEvent("evt_1", 1))
          assert.isFalse(yield* orders.recordEvent("evt_1", 2))
          assert.isTrue(yield* orders.recordEvent("evt_2", 2))
        })
      )

      it.effect("accepts no ID twice", () =>
        Effect.gen(function* () {
          const orders = yield* OrderStore
          yield* orders.insert(orderOf("once"))
          assert.isTrue(Exit.isFailure(yield* Effect.exit(orders.insert(orderOf("once")))))
        })
      )
    })
  })
}
