import { Context, Effect, Layer, Option, Schema, SchemaTransformation, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { execute, exists, type Expiring, findAll, findFirst, findValue } from "../database/Statements.ts"
import { StoredOwner } from "../keys/ApiKey.ts"
import type { KeyId } from "../KeyStatus.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { Order, type OrderState } from "./Order.ts"

/** The IDs of the payment provider's events, deleted after `lifetime` milliseconds. */
export const expiringEvents = (lifetime: number): Expiring => ({
  table: "payment_events",
  id: "id",
  column: "created_at",
  lifetime
})

/** An order as `orders` has it, with the columns of its owner and the normal form of the address. */
const OrderRow = Schema.Struct({
  ...Struct.omit(Order.fields, ["owner"]),
  isTrial: Schema.BooleanFromBit,
  ...StoredOwner.fields,
  mailbox: Schema.String
}).pipe(
  Schema.decodeTo(
    Schema.toType(Order),
    SchemaTransformation.transform({
      decode: ({ company, email, name, ...order }): Order => ({ ...order, owner: { name, email, company } }),
      encode: ({ owner, ...order }) => ({ ...order, ...owner, mailbox: mailboxOf(owner.email) })
    })
  )
)

const toOrderRow = Schema.encodeSync(OrderRow)

/**
 * The store of orders in the table `orders`, of the hashes of the secrets of their pages in `order_secrets`, and of the
 * IDs of the payment provider's applied events in `payment_events`.
 */
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
    /** The orders of a person: placed for the mailbox or with one of the keys, or credited to one of them. */
    readonly findOf: (mailbox: string, keyIds: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<Order>>
    /** The orders paid by a payment, by its reference, oldest first. */
    readonly paidBy: (reference: string) => Effect.Effect<ReadonlyArray<Order>>
    /** The orders whose payment is in an open dispute, oldest first. */
    readonly disputed: Effect.Effect<ReadonlyArray<Order>>
    /** Orders due by `now` that await payment, or whose mail was neither sent nor discarded, earliest first. */
    readonly overdue: (now: number) => Effect.Effect<ReadonlyArray<Order>>
    /** Records an event of the payment provider by its id; false if it was recorded before. */
    readonly recordEvent: (eventId: string, at: number) => Effect.Effect<boolean>
  }
>()("outreach-forecast/orders/OrderStore") {
  static readonly layer = Layer.effect(
    OrderStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return OrderStore.of({
        insert: (order) => execute(sql`INSERT INTO orders ${sql.insert(toOrderRow(order))}`),
        update: (order) =>
          execute(sql`UPDATE orders SET ${sql.update(toOrderRow(order), ["id"])} WHERE id = ${order.id}`),
        find: (id) => findFirst(OrderRow, sql`SELECT * FROM orders WHERE id = ${id}`),
        addSecret: (secretHash, orderId, at) =>
          execute(
            sql`INSERT INTO order_secrets (hash, order_id, created_at) VALUES (${secretHash}, ${orderId}, ${at})`
          ),
        findBySecret: (id, secretHash) =>
          findFirst(
            OrderRow,
            sql`
              SELECT o.* FROM order_secrets s JOIN orders o ON o.id = s.order_id
              WHERE s.hash = ${secretHash} AND o.id = ${id}`
          ),
        countUnpaid: (keyId) =>
          Effect.map(
            findValue(
              Schema.Int,
              sql`
                SELECT count(*) FROM orders
                WHERE state = 'awaiting_payment'${keyId === undefined ? sql`` : sql` AND key_id = ${keyId}`}`
            ),
            Option.getOrElse(() => 0)
          ),
        listOf: (keyId, limit) =>
          findAll(
            OrderRow,
            sql`
              SELECT * FROM orders WHERE key_id = ${keyId} OR credited_key_id = ${keyId}
              ORDER BY created_at DESC, id DESC LIMIT ${limit}`
          ),
        list: (state, limit) => {
          const isInState = state === undefined ? sql`true` : sql`state = ${state}`
          return findAll(
            OrderRow,
            sql`SELECT * FROM orders WHERE ${isInState} ORDER BY created_at DESC, id DESC LIMIT ${limit}`
          )
        },
        findOf: (mailbox, keyIds) =>
          findAll(
            OrderRow,
            sql`
              SELECT * FROM orders WHERE ${sql.or([
                sql`mailbox = ${mailbox}`,
                ...(keyIds.length === 0 ? [] : [sql.in("key_id", keyIds), sql.in("credited_key_id", keyIds)])
              ])}`
          ),
        paidBy: (reference) =>
          findAll(OrderRow, sql`SELECT * FROM orders WHERE reference = ${reference} ORDER BY created_at, id`),
        disputed: findAll(OrderRow, sql`SELECT * FROM orders WHERE dispute = 'open' ORDER BY created_at, id`),
        overdue: (now) =>
          findAll(
            OrderRow,
            sql`
              SELECT * FROM orders WHERE state = 'awaiting_payment' AND due_at <= ${now}
              UNION ALL
              SELECT o.* FROM mails m JOIN orders o ON o.mail_id = m.id
              WHERE m.state IN ('queued', 'dead') AND m.sent_at IS NULL AND o.state = 'fulfilled' AND o.due_at <= ${now}
              ORDER BY due_at`
          ),
        recordEvent: (eventId, at) =>
          exists(sql`
            INSERT INTO payment_events (id, created_at) VALUES (${eventId}, ${at})
            ON CONFLICT (id) DO NOTHING RETURNING id`)
      })
    })
  )
}
