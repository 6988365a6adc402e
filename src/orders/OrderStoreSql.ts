import { Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Expiring } from "../database/Expiring.ts"
import { orDefect } from "../database/Failures.ts"
import { KeyId } from "../KeyId.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import type { Order, OrderState, PaymentMethod } from "./Order.ts"
import { OrderStore } from "./OrderStore.ts"

/** The ids of the payment provider's events, after `lifetime` milliseconds. */
export const expiringEvents = (lifetime: number): Expiring => ({
  table: "payment_events",
  id: "id",
  column: "created_at",
  lifetime
})

type Row = {
  readonly id: string
  readonly key_id: string | null
  readonly name: string
  readonly email: string
  readonly mailbox: string
  readonly company: string
  readonly pack: string
  readonly credits: number
  readonly amount: number
  readonly currency: string
  readonly method: PaymentMethod
  readonly session_id: string | null
  readonly pay_url: string | null
  readonly invoice_url: string | null
  readonly state: OrderState
  readonly reference: string | null
  readonly created_at: number
  readonly paid_at: number | null
  readonly fulfilled_at: number | null
  readonly due_at: number | null
  readonly mail_id: string | null
  readonly credited_key_id: string | null
}

const toRow = (order: Order): Row => ({
  id: order.id,
  key_id: order.keyId ?? null,
  name: order.owner.name,
  email: order.owner.email,
  mailbox: mailboxOf(order.owner.email),
  company: order.owner.company,
  pack: order.pack,
  credits: order.credits,
  amount: order.amount,
  currency: order.currency,
  method: order.method,
  session_id: order.sessionId ?? null,
  pay_url: order.payUrl ?? null,
  invoice_url: order.invoiceUrl ?? null,
  state: order.state,
  reference: order.reference ?? null,
  created_at: order.createdAt,
  paid_at: order.paidAt ?? null,
  fulfilled_at: order.fulfilledAt ?? null,
  due_at: order.dueAt ?? null,
  mail_id: order.mailId ?? null,
  credited_key_id: order.creditedKeyId ?? null
})

const keyIdFrom = (id: string | null) => (id === null ? undefined : KeyId.make(id))

const fromRow = (row: Row): Order => ({
  id: row.id,
  keyId: keyIdFrom(row.key_id),
  owner: { name: row.name, email: row.email, company: row.company },
  pack: row.pack,
  credits: row.credits,
  amount: row.amount,
  currency: row.currency,
  method: row.method,
  sessionId: row.session_id ?? undefined,
  payUrl: row.pay_url ?? undefined,
  invoiceUrl: row.invoice_url ?? undefined,
  state: row.state,
  reference: row.reference ?? undefined,
  createdAt: row.created_at,
  paidAt: row.paid_at ?? undefined,
  fulfilledAt: row.fulfilled_at ?? undefined,
  dueAt: row.due_at ?? undefined,
  mailId: row.mail_id ?? undefined,
  creditedKeyId: keyIdFrom(row.credited_key_id)
})

/**
 * Orders in the table `orders`, the hashes of the secrets of their pages in `order_secrets`, and the ids of applied events in
 * `payment_events`.
 */
export const layer = Layer.effect(
  OrderStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const many = (rows: Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) =>
      orDefect(Effect.map(rows, (found) => found.map(fromRow)))
    return OrderStore.of({
      insert: (order) => orDefect(Effect.asVoid(sql`INSERT INTO orders ${sql.insert(toRow(order))}`)),
      update: (order) =>
        orDefect(Effect.asVoid(sql`UPDATE orders SET ${sql.update(toRow(order), ["id"])} WHERE id = ${order.id}`)),
      find: (id) =>
        Effect.map(many(sql<Row>`SELECT * FROM orders WHERE id = ${id}`), ([order]) => Option.fromUndefinedOr(order)),
      addSecret: (secretHash, orderId, at) =>
        orDefect(
          Effect.asVoid(
            sql`INSERT INTO order_secrets (hash, order_id, created_at) VALUES (${secretHash}, ${orderId}, ${at})`
          )
        ),
      findBySecret: (id, secretHash) =>
        Effect.map(
          many(sql<Row>`
            SELECT o.* FROM order_secrets s JOIN orders o ON o.id = s.order_id
            WHERE s.hash = ${secretHash} AND o.id = ${id}`),
          ([order]) => Option.fromUndefinedOr(order)
        ),
      countUnpaid: (keyId) =>
        orDefect(
          Effect.map(
            sql<{ readonly unpaid: number }>`
              SELECT count(*) AS unpaid FROM orders WHERE key_id = ${keyId} AND state = 'awaiting_payment'`,
            ([row]) => row?.unpaid ?? 0
          )
        ),
      listOf: (keyId, limit) =>
        many(sql<Row>`
          SELECT * FROM orders WHERE key_id = ${keyId} OR credited_key_id = ${keyId}
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`),
      list: (state, limit) =>
        many(
          state === undefined
            ? sql<Row>`SELECT * FROM orders ORDER BY created_at DESC, id DESC LIMIT ${limit}`
            : sql<Row>`SELECT * FROM orders WHERE state = ${state} ORDER BY created_at DESC, id DESC LIMIT ${limit}`
        ),
      findOf: (mailbox, keyIds) =>
        many(sql<Row>`
          SELECT * FROM orders WHERE ${sql.or([
            sql`mailbox = ${mailbox}`,
            ...(keyIds.length === 0 ? [] : [sql.in("key_id", keyIds), sql.in("credited_key_id", keyIds)])
          ])}`),
      paidBy: (reference) =>
        many(sql<Row>`SELECT * FROM orders WHERE reference = ${reference} ORDER BY created_at, id`),
      countByState: orDefect(
        Effect.map(
          sql<{ readonly state: OrderState; readonly count: number }>`
            SELECT state, count(*) AS count FROM orders GROUP BY state`,
          (rows) => new Map(rows.map(({ count, state }) => [state, count]))
        )
      ),
      overdue: (now) =>
        many(sql<Row>`
          SELECT o.* FROM orders o LEFT JOIN mails m ON m.id = o.mail_id
          WHERE o.due_at <= ${now}
            AND (o.state = 'awaiting_payment' OR (o.state = 'fulfilled' AND m.sent_at IS NULL AND m.state <> 'discarded'))
          ORDER BY o.due_at`),
      recordEvent: (eventId, at) =>
        orDefect(
          Effect.map(
            sql`INSERT INTO payment_events (id, created_at) VALUES (${eventId}, ${at})
                ON CONFLICT (id) DO NOTHING RETURNING id`,
            (rows) => rows.length > 0
          )
        )
    })
  })
)
