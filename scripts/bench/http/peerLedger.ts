import { DatabaseSync } from "node:sqlite"
import type { Database } from "./databases.ts"

/**
 * Gives an SQLite file the ledger of the peer, kept in the usual way: its entries do not refer to each other and are
 * found by an index on the key, and the months are in a table of their own.
 */
export const withPeerLedger = (database: Database): Database => {
  const file = new DatabaseSync(database.url.slice("sqlite:".length))
  file.exec(`
    CREATE TABLE peer_ledger (
      id INTEGER PRIMARY KEY,
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      kind TEXT NOT NULL CHECK (kind IN ('preview_grant', 'forecast', 'credit_pack', 'adjustment')),
      delta INTEGER NOT NULL CHECK (delta <> 0),
      balance_after INTEGER NOT NULL CHECK (balance_after >= 0),
      reference TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO peer_ledger SELECT id, key_id, kind, delta, balance_after, reference, created_at FROM credit_ledger;
    DROP TABLE credit_ledger;
    ALTER TABLE peer_ledger RENAME TO credit_ledger;
    INSERT INTO usage_months SELECT key_id, month, requests FROM credit_balances WHERE requests > 0;
    CREATE INDEX credit_ledger_key ON credit_ledger (key_id, id)`)
  file.close()
  return database
}
