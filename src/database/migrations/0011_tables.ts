import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/**
 * Makes the database reject updates and deletes, except those that are allowed by a condition on the row: as it is
 * (OLD), and for an update as it would be (NEW).
 */
const appendOnly = Effect.fnUntraced(function* (
  table: string,
  allowed: { readonly update: string; readonly delete?: string }
) {
  const sql = yield* SqlClient.SqlClient
  const message = `${table} is append-only`
  if (!dialectOf(sql).isPostgres) {
    const refuse = sql.literal(`BEGIN SELECT RAISE(ABORT, '${message}'); END`)
    const unless = (condition: string | undefined) =>
      sql.literal(condition === undefined ? "" : `WHEN NOT ${condition}`)
    yield* sql`
      CREATE TRIGGER ${sql(`${table}_no_update`)} BEFORE UPDATE ON ${sql(table)} ${unless(`(${allowed.update})`)} ${refuse}`
    yield* sql`
      CREATE TRIGGER ${sql(`${table}_no_delete`)} BEFORE DELETE ON ${sql(table)} ${unless(allowed.delete)} ${refuse}`
    return
  }
  const refuse = `RAISE EXCEPTION '${message}' USING ERRCODE = 'restrict_violation';`
  const define = (name: string, body: string) => sql`
    CREATE FUNCTION ${sql(`${table}_${name}`)}() RETURNS trigger LANGUAGE plpgsql AS
    ${sql.literal(`$$ BEGIN ${body} END $$`)}`
  yield* define("refuse", refuse)
  // A trigger for each statement refuses whatever the rows are, even if there are none.
  yield* sql`
    CREATE TRIGGER ${sql(`${table}_no_change`)}
    BEFORE TRUNCATE ${sql.literal(allowed.delete === undefined ? "OR DELETE" : "")} ON ${sql(table)}
    FOR EACH STATEMENT EXECUTE FUNCTION ${sql(`${table}_refuse`)}()`
  yield* define("erase", `IF ${allowed.update} THEN RETURN NEW; END IF; ${refuse}`)
  yield* sql`
    CREATE TRIGGER ${sql(`${table}_no_update`)} BEFORE UPDATE ON ${sql(table)}
    FOR EACH ROW EXECUTE FUNCTION ${sql(`${table}_erase`)}()`
  if (allowed.delete === undefined) return
  yield* define("keep", `IF ${allowed.delete} THEN RETURN OLD; END IF; ${refuse}`)
  yield* sql`
    CREATE TRIGGER ${sql(`${table}_no_delete`)} BEFORE DELETE ON ${sql(table)}
    FOR EACH ROW EXECUTE FUNCTION ${sql(`${table}_keep`)}()`
})

/** A condition that is true for an update that leaves these columns as they are. */
const unchanged = (...columns: ReadonlyArray<string>) => {
  const [after, before] = ["NEW", "OLD"].map((row) => `(${columns.map((column) => `${row}.${column}`).join(", ")})`)
  return `${after} IS NOT DISTINCT FROM ${before}`
}

/** A condition that is true for an entry about a key whose owner was erased. */
const isErased = "EXISTS (SELECT 1 FROM api_keys WHERE id = OLD.key_id AND email LIKE '%@erased.invalid')"

/** Keys, their sub-keys, the secrets of both, the sessions of browsers, and the audit log. */
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

  // `folded_name` is the same for all names that look the same. The latest month of a sub-key is counted in its row, which
  // a debit locks to hold its limit.
  yield* sql`
    CREATE TABLE sub_keys (
      id ${text} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      name ${text} NOT NULL,
      folded_name ${text} NOT NULL,
      monthly_limit ${integer} CHECK (monthly_limit > 0),
      secret_prefix ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      revoked_at ${integer},
      last_used_at ${integer},
      month ${text},
      requests ${integer} NOT NULL DEFAULT 0 CHECK (requests >= 0 AND (month IS NOT NULL OR requests = 0))
    )${strict}`
  yield* sql`CREATE INDEX sub_keys_key ON sub_keys (key_id, created_at, id)`
  yield* sql`CREATE INDEX sub_keys_secret_prefix ON sub_keys (secret_prefix)`
  yield* sql`CREATE INDEX sub_keys_revoked ON sub_keys (revoked_at) WHERE revoked_at IS NOT NULL`
  yield* sql`CREATE UNIQUE INDEX sub_keys_name ON sub_keys (key_id, folded_name) WHERE revoked_at IS NULL`

  yield* sql`
    CREATE TABLE key_secrets (
      hash ${text} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      prefix ${text} NOT NULL,
      link_id ${text},
      created_at ${integer} NOT NULL,
      first_used_at ${integer},
      expires_at ${integer},
      sub_key_id ${text} REFERENCES sub_keys (id)
    )${strict}`
  yield* sql`CREATE INDEX key_secrets_key ON key_secrets (key_id)`
  yield* sql`CREATE INDEX key_secrets_sub_key ON key_secrets (sub_key_id) WHERE sub_key_id IS NOT NULL`
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

  // A change that is repeated counts in its entry. A note can be erased with its person.
  yield* sql`
    CREATE TABLE audit_log (
      id ${serial} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      actor ${text} NOT NULL CHECK (actor IN ('operator', 'owner', 'service')),
      action ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      note ${text},
      times ${integer} NOT NULL DEFAULT 1 CHECK (times > 0),
      last_at ${integer}
    )${strict}`
  yield* sql`CREATE INDEX audit_log_key ON audit_log (key_id, id)`
  yield* appendOnly("audit_log", {
    update: `${unchanged("id", "key_id", "created_at", "actor", "action")} AND (
      (NEW.times = OLD.times + 1 AND ${unchanged("note", "key_id")}) OR
      (NEW.note IS NULL AND ${unchanged("times", "last_at")} AND ${isErased}))`,
    delete: "EXISTS (SELECT 1 FROM api_keys WHERE id = OLD.key_id AND state = 'unconfirmed')"
  })
})

/**
 * The ledger, the balances and the usage of keys, and the answers to requests with an Idempotency-Key. For every key,
 * `credit_balances.balance` is the sum of its ledger, and the `balance_after` of its last entry.
 */
const credits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, serial, strict, text } = dialectOf(sql)
  // The latest month is stored with the balance, so that a debit changes only one row of its key. So are the balance
  // after credits were last added and whether a notice is due: the same update finds that a balance falls too low.
  yield* sql`
    CREATE TABLE credit_balances (
      key_id ${text} PRIMARY KEY REFERENCES api_keys (id),
      balance ${integer} NOT NULL CHECK (balance >= 0),
      granted ${integer} NOT NULL CHECK (granted >= balance),
      last_entry_id ${integer} CHECK (last_entry_id IS NOT NULL OR granted = 0),
      month ${text},
      requests ${integer} NOT NULL DEFAULT 0 CHECK (requests >= 0 AND (month IS NOT NULL OR requests = 0)),
      refilled_to ${integer} NOT NULL DEFAULT 0,
      is_notice_due ${integer} NOT NULL DEFAULT 0 CHECK (is_notice_due IN (0, 1))
    )${strict}`
  yield* sql`CREATE INDEX credit_balances_notice ON credit_balances (key_id) WHERE is_notice_due = 1`

  // Each entry names the previous one of its key, so that a key's entries are found without an index by key, in which
  // every debit would change another page; only the few that are not forecasts have one. Nor are keys foreign keys:
  // deleting a key would need that index. The reference that an operator chose for an adjustment can be erased with the
  // person.
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
      sub_key_id ${text},
      CHECK (previous_id IS NOT NULL OR balance_after = delta)
    )${strict}`
  yield* sql`CREATE INDEX credit_ledger_changes ON credit_ledger (key_id, created_at) WHERE kind <> 'forecast'`
  yield* appendOnly("credit_ledger", {
    update: `${unchanged("id", "key_id", "created_at", "kind", "delta", "balance_after", "previous_id", "sub_key_id")}
      AND OLD.kind = 'adjustment' AND OLD.reference LIKE 'adjustment:%'
      AND NEW.reference = 'adjustment:erased ' || OLD.id AND ${isErased}`
  })

  // The months before the one stored with the balance.
  yield* sql`
    CREATE TABLE usage_months (
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      month ${text} NOT NULL,
      requests ${integer} NOT NULL CHECK (requests > 0),
      PRIMARY KEY (key_id, month)
    )${strict}`

  // The forecasts of the key itself are in rows whose sub-key is empty. The last entry of a day is the way to all of its
  // entries in the ledger.
  yield* sql`
    CREATE TABLE usage_days (
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      day ${text} NOT NULL,
      sub_key_id ${text} NOT NULL,
      requests ${integer} NOT NULL CHECK (requests > 0),
      last_entry_id ${integer},
      PRIMARY KEY (key_id, day, sub_key_id)
    )${strict}`
  yield* sql`CREATE INDEX usage_days_day ON usage_days (day)`

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

/** Links that reveal a secret, links that switch notices off and the keys that have none, and emails. */
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
    CREATE TABLE unsubscribed_keys (
      key_id ${text} PRIMARY KEY REFERENCES api_keys (id),
      created_at ${integer} NOT NULL
    )${strict}`
  yield* sql`
    CREATE TABLE unsubscribe_links (
      hash ${text} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      created_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX unsubscribe_links_created ON unsubscribe_links (created_at)`

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
      sent_at ${integer},
      link_kind ${text} CHECK (link_kind IN ('reveal', 'order', 'unsubscribe'))
    )${strict}`
  yield* sql`CREATE INDEX mails_due ON mails (next_attempt_at) WHERE state = 'queued'`
  // Those to send or left to the operator, which are counted every few seconds among all that were ever sent.
  yield* sql`CREATE INDEX mails_open ON mails (state, created_at) WHERE state IN ('queued', 'dead')`
  yield* sql`CREATE INDEX mails_old ON mails (created_at) WHERE state <> 'queued' AND text_body <> ''`
  yield* sql`CREATE INDEX mails_link ON mails (link_id) WHERE link_id IS NOT NULL`
})

/**
 * Orders of credit packs, and the events of the payment provider that were processed. `amount` is in minor units. A
 * trial charges nothing; an order says so itself, because settings may change afterwards.
 */
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
      invoice_url ${text},
      dispute_id ${text},
      dispute ${text} CHECK (dispute IN ('open', 'won', 'lost')),
      is_trial ${integer} NOT NULL DEFAULT 0 CHECK (is_trial IN (0, 1)),
      CHECK (state <> 'fulfilled' OR (
        reference IS NOT NULL AND paid_at IS NOT NULL AND fulfilled_at IS NOT NULL AND due_at IS NOT NULL
        AND mail_id IS NOT NULL AND credited_key_id IS NOT NULL))
    )${strict}`
  yield* sql`CREATE INDEX orders_created ON orders (created_at)`
  yield* sql`CREATE INDEX orders_unpaid ON orders (key_id) WHERE state = 'awaiting_payment'`
  yield* sql`CREATE INDEX orders_never_paid ON orders (created_at) WHERE state IN ('awaiting_payment', 'cancelled')`
  yield* sql`CREATE INDEX orders_key ON orders (key_id)`
  yield* sql`CREATE INDEX orders_credited_key ON orders (credited_key_id)`
  yield* sql`CREATE INDEX orders_mail ON orders (mail_id)`
  yield* sql`CREATE INDEX orders_reference ON orders (reference) WHERE reference IS NOT NULL`
  yield* sql`CREATE INDEX orders_disputed ON orders (created_at) WHERE dispute = 'open'`
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

/** All tables. Times are Unix times in milliseconds; days and months are UTC, like 2026-11-23; hashes are SHA-256. */
export const tables = Effect.all([keys, credits, mail, orders, instances], { discard: true })
