import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { Outbox } from "../../src/mail/Outbox.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { Orders } from "../../src/orders/Orders.ts"
import * as OverdueOrders from "../../src/orders/OverdueOrders.ts"
import { accessApplication, sendAdmin } from "../support/Http.ts"
import { orderOf } from "../support/Orders.ts"

describe("overdue orders", () => {
  it.effect("are counted by a metric, and logged once each", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const recorder = Layer.merge(
        Logger.layer([
          Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
            const { order, reason } = fiber.getRef(References.CurrentLogAnnotations)
            if (logLevel === "Error") lines.push(`${String(message)} ${String(order)} ${String(reason)}`)
          })
        ]),
        Layer.succeed(References.MinimumLogLevel, "All")
      )
      yield* Effect.gen(function* () {
        const store = yield* OrderStore
        const orders = yield* Orders
        const outbox = yield* Outbox
        const gauge = Effect.map(
          sendAdmin("/metrics"),
          ({ text }) => /^outreach_forecast_orders_overdue (\d+)$/m.exec(text)?.[1]
        )
        yield* store.insert(orderOf("awaited", { dueAt: 30_000 }))
        yield* store.insert(orderOf("paid"))
        const { mailId = "" } = yield* orders.fulfil("ord_paid", { reference: "bank 7", paidAt: -3 * 86_400_000 })
        yield* Layer.build(OverdueOrders.layer)
        yield* TestClock.adjust(0)
        assert.strictEqual(yield* gauge, "1")
        yield* TestClock.adjust("3 minutes")
        assert.strictEqual(yield* gauge, "2")
        assert.deepStrictEqual(lines, [
          "order overdue ord_paid mail not sent",
          "order overdue ord_awaited payment not confirmed"
        ])
        const [mail = assert.fail("no mail")] = yield* outbox.list(undefined, 1)
        assert.strictEqual(mail.id, mailId)
        yield* outbox.put({ ...mail, state: "sent", sentAt: 1 })
        yield* orders.cancel("ord_awaited")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* gauge, "0")
        const { headers, status } = yield* sendAdmin("/metrics")
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
        assert.lengthOf(lines, 2)
        // This resets the order, which is logged again if it becomes overdue again.
        yield* outbox.put({ ...mail, state: "queued", sentAt: undefined })
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(lines.slice(2), ["order overdue ord_paid mail not sent"])
      }).pipe(Effect.provide(Layer.provideMerge(accessApplication({ env: { ADMIN_PORT: "0" } }), recorder)))
    })
  )
})
