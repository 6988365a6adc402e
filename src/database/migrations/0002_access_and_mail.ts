import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/** How people get a key: links that reveal a secret, the mails that contain them, and the audit log. */
export const accessAndMail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { appendOnly, integer, serial, strict, text } = dialectOf(sql)
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
  yield* sql`
    CREATE TABLE reveal_tokens (
      hash ${text} PRIMARY KEY,
      link_id ${text} NOT NULL REFERENCES reveal_links (id)
    )${strict}`

  yield* sql`
    CREATE TABLE mails (
      id ${text} PRIMARY KEY,
      recipient ${text} NOT NULL,
      subject ${text} NOT NULL,
      text_body ${text} NOT NULL,
      html_body ${text} NOT NULL,
      link_id ${text},
      state ${text} NOT NULL CHECK (state IN ('queued', 'sent', 'dead')),
      attempts ${integer} NOT NULL,
      next_attempt_at ${integer} NOT NULL,
      last_error ${text},
      created_at ${integer} NOT NULL,
      sent_at ${integer}
    )${strict}`
  yield* sql`CREATE INDEX mails_due ON mails (next_attempt_at) WHERE state = 'queued'`

  yield* sql`
    CREATE TABLE audit_log (
      id ${serial} PRIMARY KEY,
      key_id ${text} NOT NULL REFERENCES api_keys (id),
      actor ${text} NOT NULL CHECK (actor IN ('operator', 'owner', 'service')),
      action ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )${strict}`
  yield* sql`CREATE INDEX audit_log_key ON audit_log (key_id, id)`
  yield* appendOnly("audit_log")
})
