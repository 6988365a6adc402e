import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { KeyId } from "../KeyId.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { Outbox } from "../mail/Outbox.ts"
import { isOrderOf, type Order, type OrderState } from "./Order.ts"

/** Stores orders, and the applied events of the payment provider. */
export class OrderStore extends Context.Service<
  OrderStore,
  {
    /** Dies if the id exists. */
    readonly insert: (order: Order) => Effect.Effect<void>
    /** Replaces the order with the same id. */
    readonly update: (order: Order) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<Order>>
    /** Adds a secret, by its hash, that opens the page of an order. */
    readonly addSecret: (secretHash: string, orderId: string, at: number) => Effect.Effect<void>
    /** Finds an order by its id and one of its secrets. */
    readonly findBySecret: (id: string, secretHash: string) => Effect.Effect<Option.Option<Order>>
    /** The number of orders that await payment: those placed with a key, or all. */
    readonly countUnpaid: (keyId?: KeyId) => Effect.Effect<number>
    /** The most recent orders of a key, newest first: those placed with it, and those whose credits it received. */
    readonly listOf: (keyId: KeyId, limit: number) => Effect.Effect<ReadonlyArray<Order>>
    /** The most recent orders, newest first, in one state or all. */
    readonly list: (state: OrderState | undefined, limit: number) => Effect.Effect<ReadonlyArray<Order>>
    /** The orders of a person: placed in the name of the mailbox or with one of the keys, or credited to one of them. */
    readonly findOf: (mailbox: string, keyIds: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<Order>>
    /** The orders paid by a payment, by its reference, oldest first. */
    readonly paidBy: (reference: string) => Effect.Effect<ReadonlyArray<Order>>
    /** The orders whose payment is in an open dispute, oldest first. */
    readonly disputed: Effect.Effect<ReadonlyArray<Order>>
    /** Orders due at `now` or earlier that await payment or whose mail was neither sent nor discarded, the earliest due first. */
    readonly overdue: (now: number) => Effect.Effect<ReadonlyArray<Order>>
    /** Records an event of the payment provider by its id; false if it was recorded before. */
    readonly recordEvent: (eventId: string, at: number) => Effect.Effect<boolean>
  }
>()("outreach-forecast/orders/OrderStore") {
  static readonly layerMemory = Layer.effect(
    OrderStore,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const tables = yield* MemoryTables
      const orders = tables.table<Order>("orders")
      const events = tables.table<number>("payment_events")
      const secrets = tables.table<string>("order_secrets")
      const isUnsent = ({ mailId }: Order) =>
        Effect.map(
          outbox.find(mailId ?? ""),
          (mail) => !Option.exists(mail, ({ sentAt, state }) => sentAt !== undefined || state === "discarded")
        )
      const newest = (isMatching: (order: Order) => boolean, limit: number) =>
        Effect.sync(() =>
          [...orders.values()]
            .filter(isMatching)
            .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
            .slice(0, limit)
        )
      return OrderStore.of({
        insert: (order) =>
          Effect.suspend(() =>
            orders.has(order.id)
              ? Effect.die(new Error("The order exists"))
              : Effect.sync(() => orders.set(order.id, order))
          ),
        update: (order) => Effect.sync(() => orders.set(order.id, order)),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(orders.get(id))),
        addSecret: (secretHash, orderId) => Effect.sync(() => secrets.set(secretHash, orderId)),
        findBySecret: (id, secretHash) =>
          Effect.sync(() => Option.fromUndefinedOr(secrets.get(secretHash) === id ? orders.get(id) : undefined)),
        countUnpaid: (keyId) =>
          Effect.sync(
            () =>
              [...orders.values()].filter(
                (order) => order.state === "awaiting_payment" && (keyId === undefined || order.keyId === keyId)
              ).length
          ),
        listOf: (keyId, limit) => newest((order) => isOrderOf(order, keyId), limit),
        list: (state, limit) => newest((order) => state === undefined || order.state === state, limit),
        findOf: (mailbox, keyIds) =>
          Effect.sync(() =>
            [...orders.values()].filter(
              ({ creditedKeyId, keyId, owner }) =>
                mailboxOf(owner.email) === mailbox || keyIds.some((id) => id === keyId || id === creditedKeyId)
            )
          ),
        paidBy: (reference) =>
          Effect.sync(() =>
            [...orders.values()]
              .filter((order) => order.reference === reference)
              .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
          ),
        disputed: Effect.sync(() =>
          [...orders.values()]
            .filter(({ dispute }) => dispute === "open")
            .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        ),
        overdue: (now) =>
          Effect.filter(
            [...orders.values()]
              .filter(({ dueAt = Infinity }) => dueAt <= now)
              .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0)),
            (order) =>
              order.state === "fulfilled" ? isUnsent(order) : Effect.succeed(order.state === "awaiting_payment")
          ),
        recordEvent: (eventId, at) =>
          Effect.sync(() => {
            const isNew = !events.has(eventId)
            events.set(eventId, at)
            return isNew
          })
      })
    })
  )
}
