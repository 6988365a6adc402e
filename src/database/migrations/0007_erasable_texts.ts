import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/**
 * Lets an append-only table change one text of an entry, once the owner of its key was erased; `isErased` is true for
 * the new text, and `columns` are all others.
 */
const eraseText = Effect.fnUntraced(function* (table: string, columns: ReadonlyArray<string>, isErased: string) {
  const sql = yield* SqlClient.SqlClient
  const rowOf = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(", ")})`
  const isAllowed = `${rowOf("NEW")} IS NOT DISTINCT FROM ${rowOf("OLD")} AND ${isErased} AND EXISTS (
    SELECT 1 FROM api_keys WHERE id = OLD.key_id AND email LIKE '%@erased.invalid')`
  const message = `${table} is append-only`
  if (!dialectOf(sql).isPostgres) {
    yield* sql`DROP TRIGGER ${sql(`${table}_no_update`)}`
    yield* sql`
      CREATE TRIGGER ${sql(`${table}_no_update`)} BEFORE UPDATE ON ${sql(table)}
      WHEN NOT (${sql.literal(isAllowed)}) BEGIN SELECT RAISE(ABORT, ${sql.literal(`'${message}'`)}); END`
    return
  }
  yield* sql`
    CREATE FUNCTION ${sql(`${table}_erase`)}() RETURNS trigger LANGUAGE plpgsql AS
    ${sql.literal(`$$ BEGIN IF ${isAllowed} THEN RETURN NEW; END IF;
      RAISE EXCEPTION '${message}' USING ERRCODE = 'restrict_violation'; END $$`)}`
  yield* sql`
    CREATE TRIGGER ${sql(`${table}_no_update`)} BEFORE UPDATE ON ${sql(table)}
    FOR EACH ROW EXECUTE FUNCTION ${sql(`${table}_erase`)}()`
})

/** Erases what was written about people who were erased before. */
const eraseEarlier = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ofErased = sql.literal("key_id IN (SELECT id FROM api_keys WHERE email LIKE '%@erased.invalid')")
  yield* sql`UPDATE audit_log SET note = NULL WHERE note IS NOT NULL AND ${ofErased}`
  yield* sql`
    UPDATE credit_ledger SET reference = 'adjustment:erased ' || id
    WHERE kind = 'adjustment' AND reference LIKE 'adjustment:%' AND ${ofErased}`
  yield* sql`
    UPDATE orders SET reference = 'erased'
    WHERE email LIKE '%@erased.invalid' AND reference IS NOT NULL
      AND (method = 'manual' OR substr(reference, 1, 3) NOT IN ('pi_', 'cs_'))`
})

/**
 * The notes of the audit log, and the references that an operator chose for adjustments, can be erased with their
 * person.
 */
export const erasableTexts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const entry = ["id", "key_id", "created_at"]
  yield* eraseText("audit_log", [...entry, "actor", "action"], "NEW.note IS NULL")
  yield* eraseText(
    "credit_ledger",
    [...entry, "kind", "delta", "balance_after", "previous_id", "sub_key_id"],
    "OLD.kind = 'adjustment' AND OLD.reference LIKE 'adjustment:%' AND NEW.reference = 'adjustment:erased ' || OLD.id"
  )
  if (!dialectOf(sql).isPostgres) return yield* eraseEarlier
  // The triggers for each row replace those for each statement, which refuse whatever the rows are.
  for (const [table, events] of [
    ["audit_log", "TRUNCATE"],
    ["credit_ledger", "TRUNCATE OR DELETE"]
  ] as const) {
    yield* sql`DROP TRIGGER ${sql(`${table}_no_change`)} ON ${sql(table)}`
    yield* sql`
      CREATE TRIGGER ${sql(`${table}_no_change`)} BEFORE ${sql.literal(events)} ON ${sql(table)}
      FOR EACH STATEMENT EXECUTE FUNCTION ${sql(`${table}_refuse`)}()`
  }
  yield* eraseEarlier
})
