import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"
import { mailboxOf } from "./0008_mailboxes.ts"

/** How many orders get their mailbox at a time. */
const atOnce = 1000

/** Orders get the normal form of their address, by which all of a person's are found. */
export const orderMailboxes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { tableOf, text } = dialectOf(sql)
  yield* sql`ALTER TABLE orders ADD COLUMN mailbox ${text} NOT NULL DEFAULT ''`
  for (let last = ""; ;) {
    const orders = yield* sql<{ readonly id: string; readonly email: string }>`
      SELECT id, email FROM orders WHERE id > ${last} ORDER BY id LIMIT ${atOnce}`
    const end = orders.at(-1)
    if (end === undefined) break
    const found = orders.map(({ email, id }) => ({ id, mailbox: mailboxOf(email) }))
    yield* sql`
      UPDATE orders SET mailbox = found.mailbox
      FROM ${tableOf(found, "found", { id: "text", mailbox: "text" })} WHERE orders.id = found.id`
    last = end.id
  }
  yield* sql`CREATE INDEX orders_mailbox ON orders (mailbox)`
})
