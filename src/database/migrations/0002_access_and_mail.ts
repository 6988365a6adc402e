import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How people come to a key: links that reveal a secret, the mails that carry them, and the list of what happened. */
export const accessAndMail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE reveal_links (
      id TEXT PRIMARY KEY,
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      purpose TEXT NOT NULL CHECK (purpose IN ('confirm', 'replace')),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      voided_at INTEGER,
      used_at INTEGER
    ) STRICT`
  yield* sql`CREATE INDEX reveal_links_key ON reveal_links (key_id)`
  yield* sql`
    CREATE TABLE reveal_tokens (
      hash TEXT PRIMARY KEY,
      link_id TEXT NOT NULL REFERENCES reveal_links (id)
    ) STRICT`

  yield* sql`
    CREATE TABLE mails (
      id TEXT PRIMARY KEY,
      recipient TEXT NOT NULL,
      subject TEXT NOT NULL,
      text_body TEXT NOT NULL,
      html_body TEXT NOT NULL,
      link_id TEXT,
      state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'dead')),
      attempts INTEGER NOT NULL,
      next_attempt_at INTEGER NOT NULL,
      last_error TEXT,
      created_at INTEGER NOT NULL,
      sent_at INTEGER
    ) STRICT`
  yield* sql`CREATE INDEX mails_due ON mails (next_attempt_at) WHERE state = 'queued'`

  yield* sql`
    CREATE TABLE audit_log (
      id INTEGER PRIMARY KEY,
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      actor TEXT NOT NULL CHECK (actor IN ('operator', 'owner', 'service')),
      action TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`
  yield* sql`CREATE INDEX audit_log_key ON audit_log (key_id, id)`
  for (const change of ["UPDATE", "DELETE"]) {
    yield* sql`
      CREATE TRIGGER ${sql(`audit_log_no_${change.toLowerCase()}`)} BEFORE ${sql.literal(change)} ON audit_log
      BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END`
  }
})
