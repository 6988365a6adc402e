import { Clock, Context, Effect, Layer, Option } from "effect"
import { Grants } from "../credits/Grants.ts"
import { AccessRequests } from "../keys/AccessRequests.ts"
import { isLive } from "../keys/ApiKey.ts"
import { type Actor, AuditLog } from "../keys/AuditLog.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { Mails } from "../mail/Mails.ts"
import { creditsAdded } from "./messages/creditsAdded.ts"
import { showPrice } from "../settings/CreditPack.ts"
import { Settings } from "../Settings.ts"
import { oneBusinessDayAfter } from "./BusinessDays.ts"
import type { Order } from "./Order.ts"
import { OrderStore } from "./OrderStore.ts"

/** A payment: its reference, its time (milliseconds UTC), and who confirmed it. */
export interface Payment {
  readonly reference: string
  readonly paidAt: number
  readonly confirmedBy: Actor
}

/** Applies a payment or a refund to an order. Callers check the order's state first, in the same transaction. */
export class Fulfilment extends Context.Service<
  Fulfilment,
  {
    /**
     * Adds the credits to the order's key, otherwise to the live key of its address, otherwise to a new one, and queues the email
     * with the link that reveals a secret of that key.
     */
    readonly pay: (order: Order, payment: Payment) => Effect.Effect<Order>
    /** Takes back the remaining credits, if they were added. */
    readonly refund: (order: Order, reference: string | undefined) => Effect.Effect<Order>
  }
>()("outreach-forecast/orders/Fulfilment") {
  static readonly layer = Layer.effect(
    Fulfilment,
    Effect.gen(function* () {
      const { holidays } = yield* Settings
      const store = yield* OrderStore
      const keys = yield* KeyStore
      const accessRequests = yield* AccessRequests
      const grants = yield* Grants
      const mails = yield* Mails
      const audit = yield* AuditLog

      /** The key that gets the credits: the order's own, unless it has been revoked since. */
      const keyOf = Effect.fnUntraced(function* ({ keyId, owner }: Order) {
        const own = keyId === undefined ? Option.none() : yield* keys.findById(keyId)
        return Option.isSome(own) && isLive(own.value) ? own.value : yield* accessRequests.keyFor(owner)
      })

      const pay = Effect.fn("Fulfilment.pay")(function* (order: Order, { confirmedBy, paidAt, reference }: Payment) {
        const key = yield* keyOf(order)
        const { remaining } = yield* grants.addPack(key.id, order.credits, `order:${order.id}`)
        const link = yield* accessRequests.newLink(key)
        const message = creditsAdded({
          // A stranger may have chosen the name in an order for the address of an existing key.
          name: key.state === "usable" ? key.owner.name : undefined,
          credits: order.credits,
          balance: remaining,
          price: showPrice(order),
          prefix: key.secretPrefix,
          isUsable: key.state === "usable"
        })
        const fulfilled: Order = {
          ...order,
          state: "fulfilled",
          reference,
          paidAt,
          fulfilledAt: yield* Clock.currentTimeMillis,
          dueAt: oneBusinessDayAfter(paidAt, holidays),
          mailId: yield* mails.enqueue(order.owner.email, message, link.id),
          creditedKeyId: key.id
        }
        yield* store.update(fulfilled)
        yield* audit.append(key.id, confirmedBy, "credits_bought")
        return fulfilled
      })

      const refund = Effect.fn("Fulfilment.refund")(function* (order: Order, reference: string | undefined) {
        const { creditedKeyId } = order
        if (creditedKeyId !== undefined) {
          yield* grants.takeBack(creditedKeyId, order.credits, `refund:${order.id}`)
          yield* audit.append(creditedKeyId, "service", "credits_refunded")
        }
        const refunded: Order = { ...order, state: "refunded", reference: order.reference ?? reference }
        yield* store.update(refunded)
        return refunded
      })

      return Fulfilment.of({ pay, refund })
    })
  )
}
