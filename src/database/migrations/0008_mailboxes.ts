import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { mailboxOf } from "../../keys/Mailbox.ts"
import { dialectOf } from "../Dialect.ts"

/** How many keys get their mailbox at a time. */
const atOnce = 1000

/**
 * Keys get the normal form of their address, and addresses are kept as they were typed: they are the same where they
 * differ in nothing but case. Two keys of one mailbox that are there already both stay.
 */
export const mailboxes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { tableOf, text } = dialectOf(sql)
  yield* sql`ALTER TABLE api_keys ADD COLUMN mailbox ${text} NOT NULL DEFAULT ''`
  for (let last = ""; ;) {
    const keys = yield* sql<{ readonly id: string; readonly email: string }>`
      SELECT id, email FROM api_keys WHERE id > ${last} ORDER BY id LIMIT ${atOnce}`
    const end = keys.at(-1)
    if (end === undefined) break
    const found = keys.map(({ email, id }) => ({ id, mailbox: mailboxOf(email) }))
    yield* sql`
      UPDATE api_keys SET mailbox = found.mailbox
      FROM ${tableOf(found, "found", { id: "text", mailbox: "text" })} WHERE api_keys.id = found.id`
    last = end.id
  }
  yield* sql`CREATE INDEX api_keys_mailbox ON api_keys (mailbox)`
  yield* sql`DROP INDEX api_keys_live_email`
  yield* sql`CREATE UNIQUE INDEX api_keys_live_email ON api_keys (lower(email))
    WHERE state <> 'revoked' AND is_demo = 0`
})
