import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/** Orders of credit packs, and the events of the payment provider that were processed. `amount` is in minor units. */
export const orders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = dialectOf(sql)
  yield* sql`
    CREATE TABLE orders (
      id ${text} PRIMARY KEY,
      key_id ${text} REFERENCES api_keys (id),
      name ${text} NOT NULL,
      email ${text} NOT NULL,
      company ${text} NOT NULL,
      pack ${text} NOT NULL,
      credits ${integer} NOT NULL CHECK (credits > 0),
      amount ${integer} NOT NULL CHECK (amount > 0),
      currency ${text} NOT NULL,
      method ${text} NOT NULL CHECK (method IN ('manual', 'stripe')),
      session_id ${text} UNIQUE,
      pay_url ${text},
      state ${text} NOT NULL CHECK (state IN ('awaiting_payment', 'fulfilled', 'cancelled', 'refunded')),
      reference ${text},
      created_at ${integer} NOT NULL,
      paid_at ${integer},
      fulfilled_at ${integer},
      due_at ${integer},
      mail_id ${text} REFERENCES mails (id),
      credited_key_id ${text} REFERENCES api_keys (id),
      CHECK (state <> 'fulfilled' OR (
        reference IS NOT NULL AND paid_at IS NOT NULL AND fulfilled_at IS NOT NULL AND due_at IS NOT NULL
        AND mail_id IS NOT NULL AND credited_key_id IS NOT NULL))
    )${strict}`
  yield* sql`CREATE INDEX orders_created ON orders (created_at)`
  yield* sql`CREATE INDEX orders_due ON orders (due_at) WHERE state IN ('awaiting_payment', 'fulfilled')`
  yield* sql`CREATE TABLE payment_events (id ${text} PRIMARY KEY, created_at ${integer} NOT NULL)${strict}`
})
