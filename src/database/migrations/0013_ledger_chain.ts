import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/**
 * Each entry of the ledger names the entry of its key before it, and each balance the last one: so a key's entries are found
 * without an index by key, of which every debit changed another page. Without the index nothing may refer from the ledger
 * to what can be deleted, so its keys are no longer foreign keys: an entry is only written together with its balance. An
 * older version that still runs cannot write entries outside of the chain: only the first one of a key has none before it.
 */
export const ledgerChain = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* dialectOf(sql).isPostgres ? alter(sql) : rebuild(sql)
})

const alter = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`DROP TRIGGER credit_ledger_no_change ON credit_ledger`
  yield* sql`
    ALTER TABLE credit_ledger DROP CONSTRAINT credit_ledger_key_id_fkey,
      ADD COLUMN previous_id BIGINT UNIQUE CHECK (previous_id < id)`
  yield* sql`
    UPDATE credit_ledger SET previous_id = found.previous_id
    FROM (SELECT id, lag(id) OVER (PARTITION BY key_id ORDER BY id) AS previous_id FROM credit_ledger) AS found
    WHERE found.id = credit_ledger.id AND found.previous_id IS NOT NULL`
  yield* sql`ALTER TABLE credit_ledger ADD CHECK (previous_id IS NOT NULL OR balance_after = delta)`
  yield* sql`ALTER TABLE credit_balances ADD COLUMN last_entry_id BIGINT`
  yield* sql`
    UPDATE credit_balances SET last_entry_id = found.id
    FROM (SELECT key_id, max(id) AS id FROM credit_ledger GROUP BY key_id) AS found
    WHERE found.key_id = credit_balances.key_id`
  yield* sql`ALTER TABLE credit_balances ADD CHECK (last_entry_id IS NOT NULL OR granted = 0)`
  yield* sql`DROP INDEX credit_ledger_key`
  yield* sql`
    CREATE TRIGGER credit_ledger_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION credit_ledger_refuse()`
})

/** SQLite cannot take a foreign key off a table, nor add a constraint to it. */
const rebuild = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`
    CREATE TABLE chained_balances (
      key_id TEXT PRIMARY KEY REFERENCES api_keys (id),
      balance INTEGER NOT NULL CHECK (balance >= 0),
      granted INTEGER NOT NULL CHECK (granted >= balance),
      last_entry_id INTEGER CHECK (last_entry_id IS NOT NULL OR granted = 0)
    ) STRICT`
  yield* sql`
    INSERT INTO chained_balances
    SELECT key_id, balance, granted,
      (SELECT max(id) FROM credit_ledger AS entry WHERE entry.key_id = credit_balances.key_id)
    FROM credit_balances ORDER BY rowid`
  yield* sql`DROP TABLE credit_balances`
  yield* sql`ALTER TABLE chained_balances RENAME TO credit_balances`
  yield* sql`
    CREATE TABLE chained_ledger (
      id INTEGER PRIMARY KEY,
      key_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('preview_grant', 'forecast', 'credit_pack', 'adjustment')),
      delta INTEGER NOT NULL CHECK (delta <> 0),
      balance_after INTEGER NOT NULL CHECK (balance_after >= 0),
      reference TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      previous_id INTEGER UNIQUE CHECK (previous_id < id),
      CHECK (previous_id IS NOT NULL OR balance_after = delta)
    ) STRICT`
  yield* sql`
    INSERT INTO chained_ledger
    SELECT id, key_id, kind, delta, balance_after, reference, created_at,
      (SELECT max(id) FROM credit_ledger AS earlier WHERE earlier.key_id = entry.key_id AND earlier.id < entry.id)
    FROM credit_ledger AS entry ORDER BY id`
  yield* sql`DROP TABLE credit_ledger`
  yield* sql`ALTER TABLE chained_ledger RENAME TO credit_ledger`
  yield* dialectOf(sql).appendOnly("credit_ledger")
})
