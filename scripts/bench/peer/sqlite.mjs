// The peer on SQLite with better-sqlite3: DATABASE_URL is sqlite:PATH.
import { randomUUIDv7 } from "node:crypto"
import Database from "better-sqlite3"
import { serve } from "./server.mjs"

const database = new Database(process.env.DATABASE_URL.slice("sqlite:".length))
database.pragma("journal_mode = WAL")
database.pragma("synchronous = FULL")
database.pragma("foreign_keys = ON")

const findKey = database.prepare(
  `SELECT k.id, k.state, k.plan, k.is_demo, s.prefix, s.expires_at FROM key_secrets s JOIN api_keys k ON k.id = s.key_id
   WHERE s.hash = ?`
)
const takeCredit = database.prepare(
  "UPDATE credit_balances SET balance = balance - 1 WHERE key_id = ? AND balance > 0 RETURNING balance, granted"
)
const insertEntry = database.prepare(
  `INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
   VALUES (?, 'forecast', -1, ?, ?, ?)`
)
const countRequest = database.prepare(
  `INSERT INTO usage_months (key_id, month, requests) VALUES (?, ?, 1)
   ON CONFLICT (key_id, month) DO UPDATE SET requests = usage_months.requests + 1 RETURNING requests`
)

const debit = database.transaction((keyId) => {
  const row = takeCredit.get(keyId)
  if (row === undefined) return undefined
  const now = Date.now()
  const month = new Date(now).toISOString().slice(0, 7)
  const reference = randomUUIDv7()
  insertEntry.run(keyId, row.balance, reference, now)
  return { ...row, month, reference, requests: countRequest.get(keyId, month).requests }
}).immediate

await serve({
  findKey: (hash, done) => done(undefined, findKey.get(hash)),
  debit: (keyId, done) => done(undefined, debit(keyId))
})
