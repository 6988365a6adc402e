import { Clock, Context, Effect, Layer, Option } from "effect"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { Transaction } from "../database/Transaction.ts"
import { InvalidInput } from "../input/InvalidInput.ts"
import { isErased } from "../mail/Mail.ts"
import type { Order } from "./Order.ts"
import { Orders } from "./Orders.ts"
import { OrderStore } from "./OrderStore.ts"
import type { PaymentEvent, PaymentEventOf } from "./payments/Payments.ts"

const ignored = (reason: string) => Effect.annotateLogs(Effect.logInfo("payment event ignored"), { reason })
const suspicious = (reason: string) => Effect.annotateLogs(Effect.logWarning("payment event ignored"), { reason })

/** True if a payment by the provider is that of the order, or may still become it. */
const isOf = (order: Order, payment: string | undefined) =>
  order.method === "stripe" && (order.reference === undefined || order.reference === payment)

/** Applies the payment provider's events: each event and each payment once, in whatever order they arrive. */
export class PaymentEvents extends Context.Service<
  PaymentEvents,
  {
    /** Applies an event durably. Fails with InvalidInput if the amount paid is not the price of the order. */
    readonly apply: (event: PaymentEvent) => Effect.Effect<void, InvalidInput>
  }
>()("outreach-forecast/orders/PaymentEvents") {
  static readonly layer = Layer.effect(
    PaymentEvents,
    Effect.gen(function* () {
      const { find, recordEvent } = yield* OrderStore
      const orders = yield* Orders
      const transaction = yield* Transaction
      const { assertInPlace } = yield* DatabaseHealth

      const paid = Effect.fnUntraced(function* (order: Order, event: PaymentEventOf<"paid">) {
        if (event.sessionId !== order.sessionId) return yield* suspicious("unknown session")
        if (event.amount !== order.amount || event.currency !== order.currency) {
          const message = `must be ${order.amount} ${order.currency} in minor units as ordered, not ${event.amount} ${event.currency}`
          yield* Effect.annotateLogs(Effect.logError("payment amount mismatch"), {
            ordered: `${order.amount} ${order.currency}`,
            paid: `${event.amount} ${event.currency}`
          })
          return yield* new InvalidInput({
            errors: [{ pointer: "/data/object/amount_total", code: "out_of_range", message }]
          })
        }
        if (order.state === "fulfilled" || order.state === "refunded") {
          return yield* order.reference === event.reference
            ? ignored("payment already applied")
            : suspicious("second payment of the order; refund one of them")
        }
        if (isErased(order.owner.email)) {
          yield* orders.keepPayment(order, { reference: event.reference, paidAt: event.at })
          yield* Effect.annotateLogs(Effect.logError("erased order paid"), {
            reason: "its buyer was erased; refund the payment",
            payment: event.reference
          })
          return
        }
        yield* orders.pay(order, { reference: event.reference, paidAt: event.at, confirmedBy: "service" })
        yield* Effect.logInfo("order paid")
      })

      const refunded = Effect.fnUntraced(function* (order: Order, { isWhole, reference }: PaymentEventOf<"refunded">) {
        if (!isWhole) return yield* suspicious("partial refund; the credits stay")
        if (order.state === "refunded") return
        if (!isOf(order, reference)) return yield* suspicious("refund of a payment that is not the order's")
        yield* orders.refund(order, reference)
        yield* Effect.logInfo("order refunded")
      })

      const invoiced = Effect.fnUntraced(function* (order: Order, { invoiceUrl }: PaymentEventOf<"invoiced">) {
        if (order.method !== "stripe") return yield* suspicious("invoice of an order that is not Stripe's")
        // The page of an invoice names its buyer.
        if (isErased(order.owner.email)) return yield* ignored("its buyer was erased")
        yield* orders.invoice(order, invoiceUrl)
      })

      /** Reports a dispute to the operator once, whichever of its events arrives first. */
      const disputed = Effect.fnUntraced(function* (order: Order, event: PaymentEventOf<"disputed">) {
        const { disputeId, reference, state } = event
        if (!isOf(order, reference)) return yield* suspicious("dispute of a payment that is not the order's")
        const isKnown = disputeId === order.disputeId
        if (isKnown && state === "open") return yield* ignored("dispute already known")
        if (!isKnown && state !== "open" && order.dispute === "open") return yield* ignored("an earlier dispute")
        yield* orders.dispute(order, event)
        const log = state === "won" ? Effect.logInfo : Effect.logError
        yield* Effect.annotateLogs(log("payment disputed"), { dispute: disputeId, state, reason: event.reason })
      })

      const applyTo = (order: Order, event: PaymentEvent) => {
        switch (event.kind) {
          case "paid":
            return paid(order, event)
          case "failed":
            return event.sessionId === order.sessionId ? orders.failed(order) : Effect.void
          case "refunded":
            return refunded(order, event)
          case "invoiced":
            return invoiced(order, event)
          case "disputed":
            return disputed(order, event)
          case "other":
            return ignored(event.type)
        }
      }

      const apply = Effect.fn("PaymentEvents.apply")(
        function* (event: PaymentEvent) {
          const order = event.orderId === undefined ? Option.none() : yield* find(event.orderId)
          if (Option.isNone(order)) {
            return yield* event.orderId === undefined ? ignored("no order") : suspicious("unknown order")
          }
          if (!(yield* recordEvent(event.id, yield* Clock.currentTimeMillis))) return yield* ignored("already applied")
          yield* applyTo(order.value, event)
        },
        transaction.run,
        // The provider does not send an event again that was applied to a deleted file.
        (effect) => Effect.andThen(assertInPlace, effect),
        (effect, event) =>
          Effect.annotateLogs(effect, {
            event: event.id,
            kind: event.kind,
            ...(event.orderId && { order: event.orderId })
          })
      )

      return PaymentEvents.of({ apply })
    })
  ).pipe(Layer.provide(Orders.layer))
}
