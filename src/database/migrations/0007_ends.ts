import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Finds the secrets that have ended, and the orders of a key that await payment, without a look at the others. */
export const ends = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX key_secrets_expiry ON key_secrets (expires_at) WHERE expires_at IS NOT NULL`
  yield* sql`CREATE INDEX orders_unpaid ON orders (key_id) WHERE state = 'awaiting_payment'`
})
