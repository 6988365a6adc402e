import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, rowsOf } from "../Statements.ts"

/**
 * Counts repeated changes in one entry of the audit log, which is still append-only otherwise: an update may only count
 * one more, or erase a note. Compares names of sub-keys by what they look like, and finds a page of the sub-keys of a
 * key, and the revoked ones of all keys, by an index.
 */
export const repeatedChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, isPostgres } = dialectOf(sql)
  yield* sql`ALTER TABLE audit_log ADD COLUMN times ${integer} NOT NULL DEFAULT 1 CHECK (times > 0)`
  yield* sql`ALTER TABLE audit_log ADD COLUMN last_at ${integer}`
  const unchanged = (...columns: ReadonlyArray<string>) => {
    const [after, before] = ["NEW", "OLD"].map((row) => `(${columns.map((column) => `${row}.${column}`).join(", ")})`)
    return `${after} IS NOT DISTINCT FROM ${before}`
  }
  const isAllowed = `${unchanged("id", "key_id", "created_at", "actor", "action")} AND (
    (NEW.times = OLD.times + 1 AND ${unchanged("note", "key_id")}) OR
    (NEW.note IS NULL AND ${unchanged("times", "last_at")} AND EXISTS (
      SELECT 1 FROM api_keys WHERE id = OLD.key_id AND email LIKE '%@erased.invalid')))`
  if (isPostgres) {
    yield* sql`
      CREATE OR REPLACE FUNCTION audit_log_erase() RETURNS trigger LANGUAGE plpgsql AS
      ${sql.literal(`$$ BEGIN IF ${isAllowed} THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'restrict_violation'; END $$`)}`
  } else {
    yield* sql`DROP TRIGGER audit_log_no_update`
    yield* sql`
      CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
      WHEN NOT (${sql.literal(isAllowed)}) BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END`
  }

  yield* sql`DROP INDEX sub_keys_key`
  yield* sql`CREATE INDEX sub_keys_key ON sub_keys (key_id, created_at, id)`
  yield* sql`CREATE INDEX sub_keys_revoked ON sub_keys (revoked_at) WHERE revoked_at IS NOT NULL`

  const usable = yield* rowsOf(
    SubKeyName,
    sql`
      SELECT id, key_id AS key, name, folded_name AS old FROM sub_keys WHERE revoked_at IS NULL ORDER BY created_at, id`
  )
  const taken = new Set<string>()
  const changed: Array<{ readonly id: string; readonly folded: string }> = []
  for (const { id, key, name, old } of usable) {
    const wanted = folded(name)
    // Names that were different until now stay: only a new one must differ from both.
    const free = taken.has(`${key} ${wanted}`) ? `${wanted} ${id}` : wanted
    taken.add(`${key} ${free}`)
    if (free !== old) changed.push({ id, folded: free })
  }
  // First all to a name that no other can have: one may get the old name of the next.
  for (const { id } of changed) yield* sql`UPDATE sub_keys SET folded_name = ${id} WHERE id = ${id}`
  for (const { folded, id } of changed) yield* sql`UPDATE sub_keys SET folded_name = ${folded} WHERE id = ${id}`
})

const SubKeyName = Schema.Struct({
  id: Schema.String,
  key: Schema.String,
  name: Schema.String,
  old: Schema.String
})

const folded = (name: string): string =>
  name
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .trim()
