import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/**
 * Indexes that find expired data and what refers to it. The audit log of a key that was never confirmed may be deleted with
 * the key; the rest stays append-only.
 */
export const retention = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX mails_old ON mails (created_at) WHERE state <> 'queued' AND text_body <> ''`
  yield* sql`CREATE INDEX mails_link ON mails (link_id) WHERE link_id IS NOT NULL`
  yield* sql`CREATE INDEX reveal_links_expiry ON reveal_links (expires_at)`
  yield* sql`CREATE INDEX reveal_tokens_link ON reveal_tokens (link_id)`
  yield* sql`CREATE INDEX api_keys_unconfirmed ON api_keys (created_at) WHERE state = 'unconfirmed'`
  yield* sql`CREATE INDEX orders_never_paid ON orders (created_at) WHERE state IN ('awaiting_payment', 'cancelled')`
  yield* sql`CREATE INDEX orders_key ON orders (key_id)`
  yield* sql`CREATE INDEX orders_credited_key ON orders (credited_key_id)`
  yield* sql`CREATE INDEX orders_mail ON orders (mail_id)`
  yield* sql`CREATE INDEX order_secrets_order ON order_secrets (order_id)`
  yield* sql`CREATE INDEX payment_events_created ON payment_events (created_at)`

  if (dialectOf(sql).isPostgres) {
    yield* sql`DROP TRIGGER audit_log_no_change ON audit_log`
    yield* sql`
      CREATE TRIGGER audit_log_no_change BEFORE UPDATE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse()`
    yield* sql`
      CREATE FUNCTION audit_log_keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM api_keys WHERE id = OLD.key_id AND state = 'unconfirmed') THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'restrict_violation';
      END $$`
    yield* sql`
      CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
      FOR EACH ROW EXECUTE FUNCTION audit_log_keep()`
    return
  }
  yield* sql`DROP TRIGGER audit_log_no_delete`
  yield* sql`
    CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
    WHEN NOT EXISTS (SELECT 1 FROM api_keys WHERE id = OLD.key_id AND state = 'unconfirmed')
    BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END`
})
