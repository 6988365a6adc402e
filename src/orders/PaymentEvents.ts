import { Clock, Context, Effect, Layer, Option } from "effect"
import { Transaction } from "../database/Transaction.ts"
import { InvalidInput } from "../input/InvalidInput.ts"
import { Fulfilment } from "./Fulfilment.ts"
import type { Order } from "./Order.ts"
import { OrderStore } from "./OrderStore.ts"
import type { PaymentEvent } from "./payments/PaymentEvent.ts"

type Of<Kind extends PaymentEvent["kind"]> = Extract<PaymentEvent, { readonly kind: Kind }>

/** What the payment provider tells: each message counts once, and each order is granted once, in whatever order they come. */
export class PaymentEvents extends Context.Service<
  PaymentEvents,
  {
    /** Does what a message says, durably. Fails with InvalidInput where it says another price than the order. */
    readonly settle: (event: PaymentEvent) => Effect.Effect<void, InvalidInput>
  }
>()("outreach-forecast/orders/PaymentEvents") {
  static readonly layer = Layer.effect(
    PaymentEvents,
    Effect.gen(function* () {
      const store = yield* OrderStore
      const fulfilment = yield* Fulfilment
      const transaction = yield* Transaction

      const paid = Effect.fnUntraced(function* (order: Order, event: Of<"paid">) {
        if (event.sessionId !== order.sessionId) return yield* Effect.logWarning("a payment of an unknown session")
        if (event.amount !== order.amount || event.currency !== order.currency) {
          const message = `must be ${order.amount} ${order.currency} in minor units as ordered, not ${event.amount} ${event.currency}`
          yield* Effect.logError(`a payment of another price: it ${message}`)
          return yield* new InvalidInput({
            errors: [{ pointer: "/data/object/amount_total", code: "out_of_range", message }]
          })
        }
        if (order.state === "fulfilled" || order.state === "refunded") {
          return yield* order.reference === event.reference
            ? Effect.logInfo("a payment that was counted before")
            : Effect.logWarning("a second payment of an order; give one of them back")
        }
        yield* fulfilment.pay(order, { reference: event.reference, paidAt: event.at, confirmedBy: "service" })
        yield* Effect.logInfo("an order is paid")
      })

      const failed = Effect.fnUntraced(function* (order: Order, event: Of<"failed">) {
        if (event.sessionId !== order.sessionId || order.state !== "awaiting_payment") return
        yield* store.update({ ...order, state: "cancelled" })
        yield* Effect.logInfo("an order is cancelled")
      })

      const refunded = Effect.fnUntraced(function* (order: Order, { isWhole, reference }: Of<"refunded">) {
        if (!isWhole) return yield* Effect.logWarning("a part of a payment was given back; the credits stay")
        if (order.state === "refunded") return
        if (order.method !== "stripe" || (order.reference !== undefined && order.reference !== reference)) {
          return yield* Effect.logWarning("the refund of another payment than the order's")
        }
        yield* fulfilment.refund(order, reference)
        yield* Effect.logInfo("an order is refunded")
      })

      const apply = (order: Order, event: PaymentEvent) => {
        switch (event.kind) {
          case "paid":
            return paid(order, event)
          case "failed":
            return failed(order, event)
          case "refunded":
            return refunded(order, event)
          case "other":
            return Effect.logInfo("a payment event without effect")
        }
      }

      const settle = Effect.fn("PaymentEvents.settle")(
        function* (event: PaymentEvent) {
          const { id, orderId } = event
          if (orderId === undefined) return yield* Effect.logInfo("a payment event of no order")
          const order = yield* store.find(orderId)
          if (Option.isNone(order)) return yield* Effect.logWarning("a payment event of an unknown order")
          if (!(yield* store.noteEvent(id, yield* Clock.currentTimeMillis))) {
            return yield* Effect.logInfo("a payment event that was counted before")
          }
          yield* apply(order.value, event)
        },
        transaction.run,
        (effect, event) =>
          Effect.annotateLogs(effect, {
            event: event.id,
            kind: event.kind,
            ...(event.orderId && { order: event.orderId })
          })
      )

      return PaymentEvents.of({ settle })
    })
  )
}
