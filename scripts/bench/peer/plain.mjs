// The plain peer: the endpoint as most people would write it with Fastify and better-sqlite3, with a schema, a key
// look-up and a debit in one transaction, and without notes, recommendations, flags and log. DATABASE_URL is
// sqlite:PATH, SYNCHRONOUS the value of the pragma.
import { hash, randomUUID } from "node:crypto"
import Database from "better-sqlite3"
import Fastify from "fastify"

const database = new Database(process.env.DATABASE_URL.slice("sqlite:".length))
database.pragma("journal_mode = WAL")
database.pragma(`synchronous = ${process.env.SYNCHRONOUS}`)
database.pragma("foreign_keys = ON")

const findKey = database.prepare(
  `SELECT k.id, k.state, k.plan FROM key_secrets s JOIN api_keys k ON k.id = s.key_id WHERE s.hash = ?`
)
const takeCredit = database.prepare(
  "UPDATE credit_balances SET balance = balance - 1 WHERE key_id = ? AND balance > 0 RETURNING balance"
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
  insertEntry.run(keyId, row.balance, randomUUID(), now)
  return { month, requests: countRequest.get(keyId, month).requests, credits_remaining: row.balance }
}).immediate

const rate = { type: "number", minimum: 0, maximum: 100 }
const amount = { type: "number", minimum: 0, maximum: 1_000_000_000 }
const body = {
  type: "object",
  required: ["emails_sent", "reply_rate", "positive_reply_rate", "meeting_booking_rate", "close_rate"],
  additionalProperties: false,
  properties: {
    emails_sent: { type: "integer", minimum: 1, maximum: 100_000_000 },
    reply_rate: rate,
    positive_reply_rate: rate,
    meeting_booking_rate: rate,
    close_rate: rate,
    average_deal_value: amount,
    campaign_cost: amount
  }
}
const number = { type: "number", nullable: true }
const response = {
  200: {
    type: "object",
    properties: {
      estimated_replies: number,
      estimated_positive_replies: number,
      estimated_meetings: number,
      estimated_clients: number,
      estimated_revenue: number,
      roi_multiple: number,
      cost_per_reply: number,
      cost_per_meeting: number,
      cost_per_client: number,
      usage: {
        type: "object",
        properties: {
          month: { type: "string" },
          requests: { type: "integer" },
          credits_remaining: { type: "integer" }
        }
      }
    }
  }
}

const round = (value, factor) => (Number.isFinite(value) ? Math.round(value * factor) / factor : null)

const app = Fastify({ bodyLimit: 16 * 1024 })
app.post("/api/v1/forecast", { schema: { body, response } }, (request, reply) => {
  const secret = request.headers["x-api-key"]
  const key = secret === undefined ? undefined : findKey.get(hash("sha256", secret, "hex"))
  if (key === undefined || key.state !== "usable") return reply.code(401).send({ message: "Invalid API key" })
  if (key.plan === "inactive") return reply.code(403).send({ message: "The plan is inactive" })
  const { average_deal_value: value, campaign_cost: cost, emails_sent: emails, ...rates } = request.body
  const replies = (emails * rates.reply_rate) / 100
  const positiveReplies = (replies * rates.positive_reply_rate) / 100
  const meetings = (positiveReplies * rates.meeting_booking_rate) / 100
  const clients = (meetings * rates.close_rate) / 100
  const usage = debit(key.id)
  if (usage === undefined) return reply.code(429).send({ message: "No credits left" })
  reply.send({
    estimated_replies: round(replies, 1e4),
    estimated_positive_replies: round(positiveReplies, 1e4),
    estimated_meetings: round(meetings, 1e4),
    estimated_clients: round(clients, 1e4),
    estimated_revenue: round(clients * value, 100),
    roi_multiple: round((clients * value) / cost, 10),
    cost_per_reply: round(cost / replies, 100),
    cost_per_meeting: round(cost / meetings, 100),
    cost_per_client: round(cost / clients, 100),
    usage
  })
})
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })
