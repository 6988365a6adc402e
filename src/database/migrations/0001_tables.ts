import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/** Makes the database reject updates and deletes, except deletes of rows for which `erasable` returns a row. */
const appendOnly = Effect.fnUntraced(function* (table: string, erasable?: string) {
  const sql = yield* SqlClient.SqlClient
  const message = `${table} is append-only`
  if (!dialectOf(sql).isPostgres) {
    const refuse = sql.literal(`BEGIN SELECT RAISE(ABORT, '${message}'); END`)
    const unless = sql.literal(erasable === undefined ? "" : `WHEN NOT EXISTS (${erasable})`)
    yield* sql`CREATE TRIGGER ${sql(`${table}_no_update`)} BEFORE UPDATE ON ${sql(table)} ${refuse}`
    yield* sql`CREATE TRIGGER ${sql(`${table}_no_delete`)} BEFORE DELETE ON ${sql(table)} ${unless} ${refuse}`
    return
  }
  const refuse = `RAISE EXCEPTION '${message}' USING ERRCODE = 'restrict_violation';`
  const define = (name: string, body: string) => sql`
    CREATE FUNCTION ${sql(`${table}_${name}`)}() RETURNS trigger LANGUAGE plpgsql AS
    ${sql.literal(`$$ BEGIN ${body} END $$`)}`
  yield* define("refuse", refuse)
  yield* sql`
    CREATE TRIGGER ${sql(`${table}_no_change`)}
    BEFORE UPDATE OR TRUNCATE ${sql.literal(erasable === undefined ? "OR DELETE" : "")} ON ${sql(table)}
    FOR EACH STATEMENT EXECUTE FUNCTION ${sql(`${table}_refuse`)}()`
  if (erasable === undefined) return
  yield* define("keep", `IF EXISTS (${erasable}) THEN RETURN OLD; END IF; ${refuse}`)
  yield* sql`
    CREATE TRIGGER ${sql(`${table}_no_delete`)} BEFORE DELETE ON ${sql(table)}
    FOR EACH ROW EXECUTE FUNCTION ${sql(`${table}_keep`)}()`
})

/** Keys, their secrets, the sessions of browsers, and the audit log. */
const keys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, serial, strict, text } = dialectOf(sql)
  // `mailbox` is the normal form of `email`, the same for all spellings of an address.
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
      created_at ${integer} NOT NULL,
      mailbox ${text} NOT NULL DEFAULT ''
    )${strict}`
  yield* sql`CREATE INDEX api_keys_secret_prefix ON api_keys (secret_prefix)`
  yield* sql`CREATE INDEX api_keys_mailbox ON api_keys (mailbox)`
  yield* sql`CREATE INDEX api_keys_unconfirmed ON api_keys (created_at) WHERE state = 'unconfirmed'`
  yield* sql`CREATE UNIQUE INDEX api_keys_live_email ON api_keys (lower(email))
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
  yield* sql`CREATE INDEX key_secrets_expiry ON key_secrets (expires_at) WHERE expires_at IS NOT NULL`

  // No foreign key: a secret is deleted just when a session moves to its replacement.
  yield* sql`
    CREATE TABLE account_sessions (
      hash ${text} PRIMARY KEY,
      secret_hash ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX account_sessions_secret ON account_sessions (secret_hash, created_at)`
  yield* sql`CREATE INDEX account_sessions_expiry ON account_sessions (expires_at)`

  yield* sql`
    CREATE TABLE audit_log (
      id ${serial} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      actor ${text} NOT NULL CHECK (actor IN ('operator', 'owner', 'service')),
      action ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      note ${text}
    )${strict}`
  yield* sql`CREATE INDEX audit_log_key ON audit_log (key_id, id)`
  yield* appendOnly("audit_log", "SELECT 1 FROM api_keys WHERE id = OLD.key_id AND state = 'unconfirmed'")
})

/**
 * The ledger, the balances and the usage of keys, and the answers to requests with an Idempotency-Key. For every key,
 * `credit_balances.balance` is the sum of its ledger, and the `balance_after` of its last entry.
 */
const credits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, serial, strict, text } = dialectOf(sql)
  // The latest month is stored with the balance, so that a debit changes only one row of its key.
  yield* sql`
    CREATE TABLE credit_balances (
      key_id ${text} PRIMARY KEY REFERENCES api_keys (id),
      balance ${integer} NOT NULL CHECK (balance >= 0),
      granted ${integer} NOT NULL CHECK (granted >= balance),
      last_entry_id ${integer} CHECK (last_entry_id IS NOT NULL OR granted = 0),
      month ${text},
      requests ${integer} NOT NULL DEFAULT 0 CHECK (requests >= 0 AND (month IS NOT NULL OR requests = 0))
    )${strict}`

  // Each entry names the previous one of its key, so that a key's entries are found without an index by key, in which
  // every debit would change another page. Nor are keys foreign keys: deleting a key would need that index.
  yield* sql`
    CREATE TABLE credit_ledger (
      id ${serial} PRIMARY KEY,
      key_id ${text} NOT NULL,
      kind ${text} NOT NULL CHECK (kind IN ('preview_grant', 'forecast', 'credit_pack', 'adjustment')),
      delta ${integer} NOT NULL CHECK (delta <> 0),
      balance_after ${integer} NOT NULL CHECK (balance_after >= 0),
      reference ${text} NOT NULL UNIQUE,
      created_at ${integer} NOT NULL,
      previous_id ${integer} UNIQUE CHECK (previous_id < id),
      CHECK (previous_id IS NOT NULL OR balance_after = delta)
    )${strict}`
  yield* appendOnly("credit_ledger")

  // The months before the one stored with the balance.
  yield* sql`
    CREATE TABLE usage_months (
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      month ${text} NOT NULL,
      requests ${integer} NOT NULL CHECK (requests > 0),
      PRIMARY KEY (key_id, month)
    )${strict}`

  yield* sql`
    CREATE TABLE idempotent_answers (
      id ${serial} PRIMARY KEY,
      scope ${text} NOT NULL,
      operation ${text} NOT NULL,
      idempotency_key ${text} NOT NULL,
      fingerprint ${text} NOT NULL,
      answer ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (scope, operation, idempotency_key)
    )${strict}`
})

/** Links that reveal a secret, and emails. */
const mail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = dialectOf(sql)
  yield* sql`
    CREATE TABLE reveal_links (
      id ${text} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      purpose ${text} NOT NULL CHECK (purpose IN ('confirm', 'replace')),
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      voided_at ${integer},
      used_at ${integer}
    )${strict}`
  yield* sql`CREATE INDEX reveal_links_key ON reveal_links (key_id)`
  yield* sql`CREATE INDEX reveal_links_expiry ON reveal_links (expires_at)`
  yield* sql`
    CREATE TABLE reveal_tokens (
      hash ${text} PRIMARY KEY,
      link_id ${text} NOT NULL REFERENCES reveal_links (id)
    )${strict}`
  yield* sql`CREATE INDEX reveal_tokens_link ON reveal_tokens (link_id)`

  yield* sql`
    CREATE TABLE mails (
      id ${text} PRIMARY KEY,
      recipient ${text} NOT NULL,
      subject ${text} NOT NULL,
      text_body ${text} NOT NULL,
      html_body ${text} NOT NULL,
      link_id ${text},
      state ${text} NOT NULL CHECK (state IN ('queued', 'sent', 'dead', 'discarded')),
      attempts ${integer} NOT NULL,
      next_attempt_at ${integer} NOT NULL,
      last_error ${text},
      created_at ${integer} NOT NULL,
      sent_at ${integer}
    )${strict}`
  yield* sql`CREATE INDEX mails_due ON mails (next_attempt_at) WHERE state = 'queued'`
  yield* sql`CREATE INDEX mails_old ON mails (created_at) WHERE state <> 'queued' AND text_body <> ''`
  yield* sql`CREATE INDEX mails_link ON mails (link_id) WHERE link_id IS NOT NULL`
})

/** Orders of credit packs, and the events of the payment provider that were processed. `amount` is in minor units. */
const orders = Effect.gen(function* () {
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
      mailbox ${text} NOT NULL DEFAULT '',
      CHECK (state <> 'fulfilled' OR (
        reference IS NOT NULL AND paid_at IS NOT NULL AND fulfilled_at IS NOT NULL AND due_at IS NOT NULL
        AND mail_id IS NOT NULL AND credited_key_id IS NOT NULL))
    )${strict}`
  yield* sql`CREATE INDEX orders_created ON orders (created_at)`
  yield* sql`CREATE INDEX orders_due ON orders (due_at) WHERE state IN ('awaiting_payment', 'fulfilled')`
  yield* sql`CREATE INDEX orders_unpaid ON orders (key_id) WHERE state = 'awaiting_payment'`
  yield* sql`CREATE INDEX orders_never_paid ON orders (created_at) WHERE state IN ('awaiting_payment', 'cancelled')`
  yield* sql`CREATE INDEX orders_key ON orders (key_id)`
  yield* sql`CREATE INDEX orders_credited_key ON orders (credited_key_id)`
  yield* sql`CREATE INDEX orders_mail ON orders (mail_id)`
  yield* sql`CREATE INDEX orders_mailbox ON orders (mailbox)`

  yield* sql`
    CREATE TABLE order_secrets (
      hash ${text} PRIMARY KEY,
      order_id ${text} NOT NULL REFERENCES orders (id),
      created_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX order_secrets_order ON order_secrets (order_id)`

  yield* sql`CREATE TABLE payment_events (id ${text} PRIMARY KEY, created_at ${integer} NOT NULL)${strict}`
  yield* sql`CREATE INDEX payment_events_created ON payment_events (created_at)`
})

/**
 * The records of instances: when one last ran, the requests of a client in a window of time that ends at `expires_at`,
 * and the outcomes of calls with a key on a UTC day like 2026-11-23.
 */
const instances = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = dialectOf(sql)
  yield* sql`CREATE TABLE readiness (id ${integer} PRIMARY KEY CHECK (id = 1), checked_at ${integer} NOT NULL)${strict}`
  yield* sql`
    CREATE TABLE request_counts (
      id ${text} PRIMARY KEY,
      requests ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX request_counts_expiry ON request_counts (expires_at)`

  // No foreign key: the key may no longer exist, or may never have existed. An empty code means success.
  yield* sql`
    CREATE TABLE call_counts (
      prefix ${text} NOT NULL,
      day ${text} NOT NULL,
      code ${text} NOT NULL,
      calls ${integer} NOT NULL CHECK (calls > 0),
      last_at ${integer} NOT NULL,
      last_request_id ${text} NOT NULL,
      PRIMARY KEY (prefix, day, code)
    )${strict}`
  yield* sql`CREATE INDEX call_counts_day ON call_counts (day)`
})

/** All tables. Times are Unix times in milliseconds; months are UTC, like 2026-11; hashes are SHA-256. */
export const tables = Effect.all([keys, credits, mail, orders, instances], { discard: true })
