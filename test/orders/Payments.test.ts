import type { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, Fiber, Layer, Result } from "effect"
import { Orders } from "../../src/orders/Orders.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { applicationOn, configuredStores, settings, temporaryDirectory } from "../support/Application.ts"
import { serveHere } from "../support/Http.ts"
import { ledgerFaults } from "../support/Instances.ts"
import { orderOf } from "../support/Orders.ts"
import { serve, stop, until } from "../support/Process.ts"
import { openSqlite } from "../support/SqliteFile.ts"
import { signed, stripeEvent, stripeSecrets } from "../extensions/support/Stripe.ts"
import { slowly } from "../support/slowly.ts"

const stripeEnv = {
  STRIPE_SECRET_KEY: stripeSecrets.secretKey,
  STRIPE_WEBHOOK_SECRET: stripeSecrets.webhookSecret
}

/** The URL of the database that an instance in a folder uses. */
const urlIn = (directory: string) => `sqlite:${directory}/data/outreach-forecast.db`

/** Stores orders that await payment, before any instance starts. */
const insert = (directory: string, orders: ReadonlyArray<ReturnType<typeof orderOf>>) =>
  Effect.provide(
    Effect.flatMap(OrderStore, (store) => Effect.forEach(orders, store.insert)),
    configuredStores.pipe(Layer.provide(settings({ DATABASE_URL: urlIn(directory) })))
  )

/** The database that the instances use. */
const openDatabase = (directory: string) =>
  Effect.acquireRelease(
    Effect.sync(() => openSqlite(`${directory}/data/outreach-forecast.db`)),
    (database) => Effect.sync(() => database.close())
  )

const post = (url: string, path: string, init: RequestInit) => fetch(`${url}${path}`, { method: "POST", ...init })

/** The entries of the ledger for an order, and the mails. */
const outcome = (database: DatabaseSync, id: string) => [
  database.prepare("SELECT delta FROM credit_ledger WHERE reference = ?").all(`order:${id}`).length,
  database.prepare("SELECT id FROM mails").all().length
]

describe("payments reported to several instances, or to one that crashes", slowly, () => {
  it.live("result in one grant and one email if two instances confirm an order at the same time", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const [same, different] = [orderOf("same"), orderOf("different")]
      yield* insert(directory, [same, different])
      const database = yield* openDatabase(directory)
      const instance = Effect.map(Layer.build(Layer.fresh(applicationOn(urlIn(directory)))), Context.get(Orders))
      const instances = [yield* instance, yield* instance]
      const confirm = Effect.fnUntraced(function* (id: string, references: ReadonlyArray<string>) {
        // Both have begun before either can write.
        database.exec("BEGIN IMMEDIATE")
        const fibers = yield* Effect.forEach(instances, ({ fulfil }, i) =>
          Effect.forkChild(Effect.result(fulfil(id, { reference: references[i] ?? "", paidAt: 1 })))
        )
        yield* Effect.sleep("50 millis")
        database.exec("ROLLBACK")
        return yield* Effect.forEach(fibers, Fiber.join)
      })
      const alike = yield* confirm(same.id, ["bank 7", "bank 7"])
      const [first = assert.fail("not confirmed")] = Arr.getSuccesses(alike)
      assert.deepStrictEqual(alike, [Result.succeed(first), Result.succeed(first)])
      assert.deepStrictEqual(outcome(database, same.id), [1, 1])

      const refused = Arr.getFailures(yield* confirm(different.id, ["bank 0", "bank 1"]))
      assert.deepStrictEqual(
        refused.map(({ _tag }) => _tag),
        ["OrderAlreadyFulfilled"]
      )
      assert.deepStrictEqual(outcome(database, different.id), [1, 2])
      assert.deepStrictEqual(yield* ledgerFaults(urlIn(directory)), [])
    })
  )

  it.live("are reported again and result in one grant if the server crashes before or after storing them", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const order = orderOf("stripe", { method: "stripe", sessionId: "cs_1" })
      yield* insert(directory, [order])
      const database = yield* openDatabase(directory)
      const event = stripeEvent("evt_1", "checkout.session.completed", {
        id: order.sessionId,
        payment_status: "paid",
        amount_total: order.amount,
        currency: "usd",
        payment_intent: "pi_1",
        metadata: { order_id: order.id }
      })
      const report = Effect.fnUntraced(function* (url: string) {
        const message = yield* signed(JSON.stringify(event))
        return post(url, "/webhooks/stripe", message).then(
          ({ status }) => status,
          () => "cut"
        )
      })

      const first = yield* serve(directory, stripeEnv)
      database.exec("BEGIN IMMEDIATE")
      const waiting = yield* report(first.url)
      // This response comes after the message, which waits for the database.
      for (let i = 0; i < 3; i++) yield* Effect.promise(() => fetch(`${first.url}/livez`))
      yield* stop(first, "SIGKILL")
      database.exec("ROLLBACK")
      assert.strictEqual(yield* Effect.promise(() => waiting), "cut")
      assert.deepStrictEqual(outcome(database, order.id), [0, 0])

      const second = yield* serve(directory, stripeEnv)
      const stored = yield* report(second.url)
      yield* until(() => database.prepare("SELECT id FROM payment_events").all().length === 1)
      yield* stop(second, "SIGKILL")
      yield* Effect.promise(() => stored)
      assert.deepStrictEqual(outcome(database, order.id), [1, 1])

      const third = yield* serveHere({ DATABASE_URL: urlIn(directory), ...stripeEnv }, Layer.orDie(configuredStores))
      for (let i = 0; i < 2; i++) {
        const again = yield* report(third.url)
        assert.strictEqual(yield* Effect.promise(() => again), 200)
      }
      assert.deepStrictEqual(outcome(database, order.id), [1, 1])
      assert.deepStrictEqual(yield* ledgerFaults(urlIn(directory)), [])
    })
  )
})
