import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import { Outbox } from "../mail/Outbox.ts"
import type { Order, OrderState } from "./Order.ts"

/** Where orders are kept, and which messages of the payment provider counted. */
export class OrderStore extends Context.Service<
  OrderStore,
  {
    /** An id that is taken is a defect. */
    readonly insert: (order: Order) => Effect.Effect<void>
    /** Replaces the order with the same id. */
    readonly update: (order: Order) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<Order>>
    /** The last orders, newest first, of one state or all. */
    readonly list: (state: OrderState | undefined, limit: number) => Effect.Effect<ReadonlyArray<Order>>
    /** Those due at `now` or before that await their payment, or whose mail was not sent; the longest due first. */
    readonly overdue: (now: number) => Effect.Effect<ReadonlyArray<Order>>
    /** Notes a message of the payment provider by its id; false where it was noted before. */
    readonly noteEvent: (eventId: string, at: number) => Effect.Effect<boolean>
  }
>()("outreach-forecast/orders/OrderStore") {
  static readonly layerMemory = Layer.effect(
    OrderStore,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const tables = yield* MemoryTables
      const orders = tables.make<Order>()
      const events = tables.make<number>()
      const isUnsent = ({ mailId }: Order) =>
        Effect.map(outbox.find(mailId ?? ""), (mail) => !Option.exists(mail, ({ sentAt }) => sentAt !== undefined))
      return OrderStore.of({
        insert: (order) =>
          Effect.suspend(() =>
            orders.has(order.id)
              ? Effect.die(new Error("The order is there"))
              : Effect.sync(() => orders.set(order.id, order))
          ),
        update: (order) => Effect.sync(() => orders.set(order.id, order)),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(orders.get(id))),
        list: (state, limit) =>
          Effect.sync(() =>
            [...orders.values()]
              .filter((order) => state === undefined || order.state === state)
              .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
              .slice(0, limit)
          ),
        overdue: (now) =>
          Effect.filter(
            [...orders.values()]
              .filter(({ dueAt = Infinity }) => dueAt <= now)
              .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0)),
            (order) =>
              order.state === "fulfilled" ? isUnsent(order) : Effect.succeed(order.state === "awaiting_payment")
          ),
        noteEvent: (eventId, at) =>
          Effect.sync(() => {
            const isNew = !events.has(eventId)
            events.set(eventId, at)
            return isNew
          })
      })
    })
  )
}
