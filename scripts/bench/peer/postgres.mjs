// The peer on the Postgres server of DATABASE_URL, with pg. Statements have names so that they are prepared: each
// connection parses and plans them once.
import { randomUUIDv7 } from "node:crypto"
import pg from "pg"
import { serve } from "./server.mjs"

// No BIGINT here is too large for a double.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

const findKey = async (hash) => {
  const { rows } = await pool.query({
    name: "find-key",
    text: `SELECT k.id, k.state, k.plan, k.is_demo, s.prefix, s.expires_at FROM key_secrets s
      JOIN api_keys k ON k.id = s.key_id WHERE s.hash = $1`,
    values: [hash]
  })
  return rows[0]
}

const takeCredit = (keyId) => ({
  name: "take-credit",
  text: "UPDATE credit_balances SET balance = balance - 1 WHERE key_id = $1 AND balance > 0 RETURNING balance, granted",
  values: [keyId]
})

const insertEntry = (keyId, balance, reference, now) => ({
  name: "insert-entry",
  text: `INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
    VALUES ($1, 'forecast', -1, $2, $3, $4)`,
  values: [keyId, balance, reference, now]
})

const countRequest = (keyId, month) => ({
  name: "count-request",
  text: `INSERT INTO usage_months (key_id, month, requests) VALUES ($1, $2, 1)
    ON CONFLICT (key_id, month) DO UPDATE SET requests = usage_months.requests + 1 RETURNING requests`,
  values: [keyId, month]
})

/** Runs statements in one transaction on a connection of the pool. */
const transaction = async (run) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await run(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

const debit = (keyId) =>
  transaction(async (client) => {
    const [row] = (await client.query(takeCredit(keyId))).rows
    if (row === undefined) return undefined
    const now = Date.now()
    const month = new Date(now).toISOString().slice(0, 7)
    const reference = randomUUIDv7()
    await client.query(insertEntry(keyId, row.balance, reference, now))
    const [{ requests }] = (await client.query(countRequest(keyId, month))).rows
    return { ...row, month, reference, requests }
  })

const toCallback = (promise, done) => promise.then((value) => done(undefined, value), done)

await serve({
  findKey: (hash, done) => toCallback(findKey(hash), done),
  debit: (keyId, done) => toCallback(debit(keyId), done)
})
