import { DatabaseSync } from "node:sqlite"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { hashOf, newSecret, shownPrefix } from "../../../src/keys/KeySecrets.ts"

/** The initial credits of every key: more than any load uses. */
export const credits = 1_000_000_000

/** 2026-10-01T00:00:00Z in milliseconds; the steps between entries keep 5,000,000 of them within the month. */
export const firstEntryAt = 1_790_812_800_000
const millisBetweenEntries = 500

/**
 * Fills a migrated, empty SQLite file with usable keys, each with `entries` rows in the ledger: one that grants
 * credits, the others forecasts. Balances and usage are computed from the ledger. Nobody knows the secrets.
 */
export const seedKeys = (file: string, keys: number, entries: number): void => {
  const database = new DatabaseSync(file)
  // Fast and not durable: a file that is only partly filled is never used.
  database.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; BEGIN")
  database
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :keys)
       INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
       SELECT 'key_' || lower(hex(randomblob(8))), 'Owner ' || i, 'owner' || i || '@example.com', 'Company ' || i,
         'active', 'usable', 0, 'ofk_live_' || hex(randomblob(4)), :at FROM n`
    )
    .run({ keys, at: firstEntryAt })
  database.exec(
    `INSERT INTO key_secrets (hash, key_id, prefix, created_at, first_used_at)
     SELECT lower(hex(randomblob(32))), id, secret_prefix, created_at, created_at FROM api_keys`
  )
  // Each round writes one row per key, as if all keys had been in use at the same time.
  const insertRound = database.prepare(
    `INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at, previous_id)
     SELECT nth, id, iif(:round = 0, 'adjustment', 'forecast'), iif(:round = 0, :credits, -1), :credits - :round,
       substr(time, 1, 8) || '-' || substr(time, 9) || '-7' || substr(noise, 1, 3) || '-8' || substr(noise, 4, 3) || '-' ||
         substr(noise, 7), at, iif(:round = 0, NULL, nth - :keys)
     FROM (SELECT id, nth, at, printf('%012x', at) AS time, lower(hex(randomblob(9))) AS noise FROM
       (SELECT id, nth, :at + nth * :step AS at FROM
         (SELECT id, :round * :keys + rowid AS nth FROM api_keys ORDER BY rowid)))`
  )
  for (let round = 0; round < entries; round++) {
    insertRound.run({ round, keys, credits, at: firstEntryAt, step: millisBetweenEntries })
  }
  // The latest month of a key is counted with its balance.
  database.exec(
    `INSERT INTO usage_days (key_id, day, sub_key_id, requests, last_entry_id)
       SELECT key_id, strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') AS day, '', -sum(delta), max(id)
       FROM credit_ledger WHERE kind = 'forecast' GROUP BY key_id, day;
     INSERT INTO usage_months (key_id, month, requests)
       SELECT key_id, substr(day, 1, 7) AS month, sum(requests) FROM usage_days GROUP BY key_id, month;
     INSERT INTO credit_balances (key_id, balance, granted, last_entry_id, month, requests)
       SELECT e.key_id, e.balance_after, ${credits}, e.id, m.month, coalesce(m.requests, 0)
       FROM credit_ledger e LEFT JOIN (SELECT key_id, max(month) AS month, requests FROM usage_months GROUP BY key_id) m
         ON m.key_id = e.key_id
       WHERE e.id > (SELECT max(id) - ${keys} FROM credit_ledger);
     DELETE FROM usage_months AS m
       WHERE month = (SELECT month FROM credit_balances b WHERE b.key_id = m.key_id);
     COMMIT;
     PRAGMA journal_mode = WAL`
  )
  database.close()
}

/** A secret like those that the service generates, with its hash and prefix. */
export const newSecretRow = () => {
  const made = Effect.flatMap(SecureRandom.SecureRandom, (random) => newSecret(random, "production"))
  const secret = Effect.runSync(Effect.provide(made, SecureRandom.layerWebCrypto))
  return {
    secret: Redacted.value(secret),
    hash: hashOf(secret),
    prefix: shownPrefix(secret, "production")
  }
}

/** Replaces the secrets of `count` keys, spread evenly over the table, and returns the new ones. */
export const giveSecrets = (file: string, count: number): ReadonlyArray<string> => {
  const database = new DatabaseSync(file)
  database.exec("BEGIN")
  const chosen = database
    .prepare("SELECT id FROM api_keys WHERE rowid % ((SELECT count(*) FROM api_keys) / ?) = 0 ORDER BY rowid")
    .all(count)
  const update = database.prepare("UPDATE key_secrets SET hash = ?, prefix = ? WHERE key_id = ?")
  const updateShown = database.prepare("UPDATE api_keys SET secret_prefix = ? WHERE id = ?")
  const secrets = chosen.map(({ id }) => {
    const { hash, prefix, secret } = newSecretRow()
    update.run(hash, prefix, String(id))
    updateShown.run(prefix, String(id))
    return secret
  })
  database.exec("COMMIT")
  database.close()
  return secrets
}

/** Makes the secret of every key that of a sub-key, with a limit that no load reaches, or without one. */
export const makeSubKeys = (file: string, monthlyLimit: number | null): void => {
  const database = new DatabaseSync(file)
  database.exec("BEGIN")
  database
    .prepare(
      `INSERT INTO sub_keys (id, key_id, name, folded_name, monthly_limit, secret_prefix, created_at)
       SELECT replace(id, 'key_', 'sub_'), id, 'CRM', 'crm', ?, secret_prefix, created_at FROM api_keys`
    )
    .run(monthlyLimit)
  database.exec("UPDATE key_secrets SET sub_key_id = replace(key_id, 'key_', 'sub_'); COMMIT")
  database.close()
}

/** Takes the credits of all keys, in a database that a service may be using. */
export const useUp = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec("UPDATE credit_balances SET balance = 0")
  database.close()
}
