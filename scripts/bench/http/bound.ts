// The work of a forecast without Effect's runtime, on node:http and node:sqlite: the service's own decoding, forecast,
// statements, headers and log line, gathered into batches as the service does it. No limits, idempotency, sub-keys or
// refusals, so that it bounds the service from below. PORT, and DATABASE_URL with the tables in place.
import { randomUUIDv7 } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { Clock, Effect, Result } from "effect"
import { decodeAssumptions } from "../../../src/campaign/Assumptions.ts"
import { pragmas } from "../../../src/database/Sqlite.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { hashOfText } from "../../../src/keys/KeySecrets.ts"
import { dayOf, isoTime, monthOf } from "../../../src/text/Times.ts"

interface Call {
  readonly response: ServerResponse
  readonly started: number
  readonly requestId: string
  readonly hash: string
  readonly body: string
}

interface Balance {
  readonly remaining: number
  readonly granted: number
  readonly requests: number
  readonly lastEntryId: number | null
}

const now = () => Effect.runSync(Clock.currentTimeMillis)

const database = new DatabaseSync((process.env["DATABASE_URL"] ?? "").slice("sqlite:".length))
database.exec("PRAGMA journal_mode = WAL; PRAGMA temp_store = MEMORY")
for (const { name, value } of pragmas) database.exec(`PRAGMA ${name} = ${value}`)

const prepare = (text: string): StatementSync => {
  const statement = database.prepare(text)
  statement.setReturnArrays(true)
  return statement
}

const rowsOf = (statement: StatementSync, ...parameters: ReadonlyArray<SQLInputValue>) => {
  const rows: ReadonlyArray<unknown> = statement.all(...parameters)
  return rows.filter((row): row is ReadonlyArray<unknown> => Array.isArray(row))
}

const findKeys = prepare(`
  SELECT s.hash, s.prefix, s.link_id, s.created_at, s.first_used_at, s.expires_at,
    u.id, u.name, u.monthly_limit, u.revoked_at,
    k.id, k.name, k.email, k.company, k.plan, k.state, k.is_demo, k.secret_prefix, k.created_at
  FROM (SELECT value AS hash FROM json_each(?)) asked
  JOIN key_secrets s ON s.hash = asked.hash JOIN api_keys k ON k.id = s.key_id
  LEFT JOIN sub_keys u ON u.id = s.sub_key_id`)

const findBalances = prepare(`
  SELECT b.key_id, b.balance, b.granted,
    CASE WHEN b.month = ?1 THEN b.requests
      WHEN b.month > ?1 THEN
        coalesce((SELECT requests FROM usage_months m WHERE m.key_id = b.key_id AND m.month = ?1), 0)
      ELSE 0 END,
    b.last_entry_id, k.state, k.plan, k.secret_prefix, b.month, b.requests
  FROM (SELECT value AS key_id FROM json_each(?2)) asked
  JOIN credit_balances b ON b.key_id = asked.key_id JOIN api_keys k ON k.id = b.key_id`)

const findLastId = prepare("SELECT coalesce(max(id), 0) FROM credit_ledger")

const inserts = new Map<number, StatementSync>()

/** The statement that inserts this many entries. */
const insertOf = (count: number): StatementSync => {
  const found = inserts.get(count)
  if (found !== undefined) return found
  const insert = prepare(`
    INSERT INTO credit_ledger
      (id, key_id, sub_key_id, kind, delta, balance_after, reference, created_at, previous_id)
    VALUES ${Array.from({ length: count }, () => "(?, ?, NULL, 'forecast', -1, ?, ?, ?, ?)").join()}`)
  inserts.set(count, insert)
  return insert
}

const updateBalances = prepare(`
  UPDATE credit_balances AS b
  SET balance = e.balance_after, last_entry_id = e.id,
    month = CASE WHEN b.month > ?1 THEN b.month ELSE ?1 END,
    requests = CASE WHEN b.month > ?1 THEN b.requests
      WHEN b.month = ?1 THEN b.requests + b.balance - e.balance_after
      ELSE b.balance - e.balance_after END,
    is_notice_due = CASE
      WHEN e.balance_after = 0 OR (5 * e.balance_after < b.refilled_to AND 5 * b.balance >= b.refilled_to) THEN 1
      ELSE b.is_notice_due END
  FROM (SELECT value AS id FROM json_each(?2)) made JOIN credit_ledger e ON e.id = made.id
  WHERE b.key_id = e.key_id`)

const countDays = prepare(`
  INSERT INTO usage_days AS d (key_id, day, sub_key_id, requests, last_entry_id)
  SELECT e.key_id, ?1, coalesce(e.sub_key_id, ''), CAST(sum(-e.delta) AS INTEGER), max(e.id)
  FROM (SELECT value AS id FROM json_each(?2)) made JOIN credit_ledger e ON e.id = made.id
  WHERE true GROUP BY e.key_id, e.sub_key_id
  ON CONFLICT (key_id, day, sub_key_id)
  DO UPDATE SET requests = d.requests + excluded.requests, last_entry_id = excluded.last_entry_id`)

const begin = prepare("BEGIN IMMEDIATE")
const commit = prepare("COMMIT")

const compute = (body: string) => computeForecast(Result.getOrThrow(decodeJson(body, decodeAssumptions))).forecast

/** Charges keys, each for one forecast, and returns for each the reference of its charge and its balance after it. */
const charge = (keyIds: ReadonlyArray<string>, at: number) => {
  const month = monthOf(at)
  begin.run()
  const balances = new Map(
    rowsOf(findBalances, month, JSON.stringify([...new Set(keyIds)])).map(
      ([keyId, remaining, granted, requests, lastEntryId]): [string, Balance] => [
        String(keyId),
        {
          remaining: Number(remaining),
          granted: Number(granted),
          requests: Number(requests),
          lastEntryId: lastEntryId === null ? null : Number(lastEntryId)
        }
      ]
    )
  )
  const firstId = Number(rowsOf(findLastId)[0]?.[0]) + 1
  const lastIds = new Map<string, number>()
  const values: Array<SQLInputValue> = []
  const charges = keyIds.map((keyId, index) => {
    const before = balances.get(keyId)
    if (before === undefined) throw new Error(`${keyId} has no balance`)
    const id = firstId + index
    const reference = randomUUIDv7()
    const balance = {
      ...before,
      remaining: before.remaining - 1,
      requests: before.requests + 1,
      lastEntryId: id
    }
    balances.set(keyId, balance)
    lastIds.set(keyId, id)
    values.push(id, keyId, balance.remaining, reference, at, before.lastEntryId)
    return { ...balance, reference }
  })
  insertOf(keyIds.length).run(...values)
  updateBalances.run(month, JSON.stringify([...lastIds.values()]))
  countDays.run(dayOf(at), JSON.stringify(keyIds.map((_, index) => firstId + index)))
  commit.run()
  return charges
}

let lines = ""

const log = (line: object) => {
  if (lines === "")
    setImmediate(() => {
      process.stderr.write(lines)
      lines = ""
    })
  lines += `${JSON.stringify(line)}\n`
}

const respond = (batch: ReadonlyArray<Call>) => {
  const hashes = JSON.stringify([...new Set(batch.map(({ hash }) => hash))])
  const keys = new Map(rowsOf(findKeys, hashes).map((row) => [String(row[0]), row]))
  const forecasts = batch.map(({ body }) => JSON.stringify(compute(body)))
  const at = now()
  const time = isoTime(at)
  const month = monthOf(at)
  const charges = charge(
    batch.map(({ hash }) => String(keys.get(hash)?.[10])),
    at
  )
  for (const [index, { hash, requestId, response, started }] of batch.entries()) {
    const { granted = 0, reference, remaining = 0, requests = 0 } = charges[index] ?? {}
    const usage = JSON.stringify({ month, requests, credits_remaining: remaining })
    const text = `${forecasts[index]?.slice(0, -1)},"usage":${usage}}`
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      "x-request-id": requestId,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "ratelimit-policy": `"credits";q=${granted}`,
      ratelimit: `"credits";r=${remaining}`
    })
    response.end(text)
    log({
      time,
      level: "info",
      message: "request",
      request_id: requestId,
      method: "POST",
      route: "/api/v1/forecast",
      status: 200,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      key: keys.get(hash)?.[1],
      charge: reference
    })
  }
}

const batch: Array<Call> = []

/** Responds to all calls when a turn of the event loop has brought no more of them. */
const gather = (before: number) =>
  setImmediate(() => {
    if (batch.length > before) gather(batch.length)
    else respond(batch.splice(0))
  })

createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const started = performance.now()
  const requestId = randomUUIDv7()
  const hash = hashOfText(String(request.headers["x-api-key"]))
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString()
    if (batch.push({ response, started, requestId, hash, body }) === 1) gather(0)
  })
}).listen(Number(process.env["PORT"]), "127.0.0.1")
