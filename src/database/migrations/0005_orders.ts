import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Orders of credit packs, and the messages of the payment provider that counted. `amount` is in minor units. */
export const orders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE orders (
      id TEXT PRIMARY KEY,
      key_id TEXT REFERENCES api_keys (id),
      name TEXT NOT NULL,
      email TEXT NOT NULL,
      company TEXT NOT NULL,
      pack TEXT NOT NULL,
      credits INTEGER NOT NULL CHECK (credits > 0),
      amount INTEGER NOT NULL CHECK (amount > 0),
      currency TEXT NOT NULL,
      method TEXT NOT NULL CHECK (method IN ('manual', 'stripe')),
      session_id TEXT UNIQUE,
      pay_url TEXT,
      state TEXT NOT NULL CHECK (state IN ('awaiting_payment', 'fulfilled', 'cancelled', 'refunded')),
      reference TEXT,
      created_at INTEGER NOT NULL,
      paid_at INTEGER,
      fulfilled_at INTEGER,
      due_at INTEGER,
      mail_id TEXT REFERENCES mails (id),
      credited_key_id TEXT REFERENCES api_keys (id),
      CHECK (state <> 'fulfilled' OR (
        reference IS NOT NULL AND paid_at IS NOT NULL AND fulfilled_at IS NOT NULL AND due_at IS NOT NULL
        AND mail_id IS NOT NULL AND credited_key_id IS NOT NULL))
    ) STRICT`
  yield* sql`CREATE INDEX orders_created ON orders (created_at)`
  yield* sql`CREATE INDEX orders_due ON orders (due_at) WHERE state IN ('awaiting_payment', 'fulfilled')`
  yield* sql`CREATE TABLE payment_events (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL) STRICT`
})
