import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Keys, their credits and their use. Times are milliseconds since 1970 in UTC; months are UTC, as in 2026-11. For every
 * key, `credit_balances.balance` is the sum of its ledger and what its last row says.
 */
export const keysAndCredits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      email TEXT NOT NULL,
      company TEXT NOT NULL,
      plan TEXT NOT NULL CHECK (plan IN ('active', 'inactive')),
      state TEXT NOT NULL CHECK (state IN ('unconfirmed', 'usable', 'revoked')),
      is_demo INTEGER NOT NULL CHECK (is_demo IN (0, 1)),
      secret_prefix TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX api_keys_secret_prefix ON api_keys (secret_prefix)`
  yield* sql`CREATE UNIQUE INDEX api_keys_live_email ON api_keys (email)
    WHERE state <> 'revoked' AND is_demo = 0`
  yield* sql`CREATE UNIQUE INDEX api_keys_demo ON api_keys (is_demo) WHERE is_demo = 1`

  yield* sql`
    CREATE TABLE key_secrets (
      hash TEXT PRIMARY KEY,
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      prefix TEXT NOT NULL,
      link_id TEXT,
      created_at INTEGER NOT NULL,
      first_used_at INTEGER,
      expires_at INTEGER
    ) STRICT`
  yield* sql`CREATE INDEX key_secrets_key ON key_secrets (key_id)`
  yield* sql`CREATE INDEX key_secrets_prefix ON key_secrets (prefix)`

  yield* sql`
    CREATE TABLE credit_balances (
      key_id TEXT PRIMARY KEY REFERENCES api_keys (id),
      balance INTEGER NOT NULL CHECK (balance >= 0),
      granted INTEGER NOT NULL CHECK (granted >= balance)
    ) STRICT`

  yield* sql`
    CREATE TABLE credit_ledger (
      id INTEGER PRIMARY KEY,
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      kind TEXT NOT NULL CHECK (kind IN ('preview_grant', 'forecast', 'credit_pack', 'adjustment')),
      delta INTEGER NOT NULL CHECK (delta <> 0),
      balance_after INTEGER NOT NULL CHECK (balance_after >= 0),
      reference TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX credit_ledger_key ON credit_ledger (key_id, id)`
  for (const change of ["UPDATE", "DELETE"]) {
    yield* sql`
      CREATE TRIGGER ${sql(`credit_ledger_no_${change.toLowerCase()}`)} BEFORE ${sql.literal(change)} ON credit_ledger
      BEGIN SELECT RAISE(ABORT, 'credit_ledger is append-only'); END`
  }

  yield* sql`
    CREATE TABLE usage_months (
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      month TEXT NOT NULL,
      requests INTEGER NOT NULL CHECK (requests > 0),
      PRIMARY KEY (key_id, month)
    ) STRICT`

  yield* sql`CREATE TABLE readiness (id INTEGER PRIMARY KEY CHECK (id = 1), checked_at INTEGER NOT NULL) STRICT`
})
