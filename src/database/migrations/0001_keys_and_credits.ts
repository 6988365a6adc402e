import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/**
 * Keys, their credits and their usage. Times are Unix times in milliseconds; months are UTC, like 2026-11. For every
 * key, `credit_balances.balance` is the sum of its ledger, and the `balance_after` of its last row.
 */
export const keysAndCredits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { appendOnly, integer, serial, strict, text } = dialectOf(sql)
  yield* sql`
    CREATE TABLE api_keys (
      id ${text} PRIMARY KEY,
      name ${text} NOT NULL,
      email ${text} NOT NULL,
      company ${text} NOT NULL,
      plan ${text} NOT NULL CHECK (plan IN ('active', 'inactive')),
      state ${text} NOT NULL CHECK (state IN ('unconfirmed', 'usable', 'revoked')),
      is_demo ${integer} NOT NULL CHECK (is_demo IN (0, 1)),
      secret_prefix ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX api_keys_secret_prefix ON api_keys (secret_prefix)`
  yield* sql`CREATE UNIQUE INDEX api_keys_live_email ON api_keys (email)
    WHERE state <> 'revoked' AND is_demo = 0`
  yield* sql`CREATE UNIQUE INDEX api_keys_demo ON api_keys (is_demo) WHERE is_demo = 1`

  yield* sql`
    CREATE TABLE key_secrets (
      hash ${text} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      prefix ${text} NOT NULL,
      link_id ${text},
      created_at ${integer} NOT NULL,
      first_used_at ${integer},
      expires_at ${integer}
    )${strict}`
  yield* sql`CREATE INDEX key_secrets_key ON key_secrets (key_id)`
  yield* sql`CREATE INDEX key_secrets_prefix ON key_secrets (prefix)`

  yield* sql`
    CREATE TABLE credit_balances (
      key_id ${text} PRIMARY KEY REFERENCES api_keys (id),
      balance ${integer} NOT NULL CHECK (balance >= 0),
      granted ${integer} NOT NULL CHECK (granted >= balance)
    )${strict}`

  yield* sql`
    CREATE TABLE credit_ledger (
      id ${serial} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      kind ${text} NOT NULL CHECK (kind IN ('preview_grant', 'forecast', 'credit_pack', 'adjustment')),
      delta ${integer} NOT NULL CHECK (delta <> 0),
      balance_after ${integer} NOT NULL CHECK (balance_after >= 0),
      reference ${text} NOT NULL UNIQUE,
      created_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX credit_ledger_key ON credit_ledger (key_id, id)`
  yield* appendOnly("credit_ledger")

  yield* sql`
    CREATE TABLE usage_months (
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      month ${text} NOT NULL,
      requests ${integer} NOT NULL CHECK (requests > 0),
      PRIMARY KEY (key_id, month)
    )${strict}`

  yield* sql`CREATE TABLE readiness (id ${integer} PRIMARY KEY CHECK (id = 1), checked_at ${integer} NOT NULL)${strict}`
})
