// The peer of the benchmark over HTTP: the same endpoint, written for speed with Fastify. Its dependencies have a
// package of their own, which the project does not install, so it is plain JavaScript without types. sqlite.mjs
// starts it.
import { hash, randomUUIDv7 } from "node:crypto"
import Fastify, { LogController } from "fastify"

const problem = (statusCode, code, message) => Object.assign(new Error(message), { statusCode, code })

const round = (value, factor) => (value === null ? null : Math.round(value * factor) / factor)

const levers = [
  ["reply_rate", "reply rate", 1.71, "measured median of 556 campaigns, Clientium 2026"],
  ["positive_reply_rate", "positive reply rate", 14.1, "measured mean, Prospeo 2026, quoted by another"],
  ["meeting_booking_rate", "meeting booking rate", 45, "planning figure, Alchemail 2025/26"],
  ["close_rate", "close rate", 25, "planning figure, important-emails.com"]
]

const gradeReasons = {
  strong: "the exact ROI is 10 or more",
  healthy: "the exact ROI is at least 3 and below 10",
  break_even_or_unclear: "the exact ROI is at least 1 and below 3",
  weak: "the exact ROI is below 1"
}

const flagsOf = (input, clients, revenue) => {
  const { campaign_cost: cost = null, close_rate, meeting_booking_rate, positive_reply_rate, reply_rate } = input
  const flags = []
  if (reply_rate < 1.05) flags.push("low_reply_rate")
  if (reply_rate > 10.7) flags.push("optimistic_reply_rate")
  if (positive_reply_rate < 14) flags.push("low_positive_reply_rate")
  if (positive_reply_rate > 60) flags.push("optimistic_positive_reply_rate")
  if (meeting_booking_rate < 20) flags.push("low_meeting_booking_rate")
  if (meeting_booking_rate > 80) flags.push("optimistic_meeting_booking_rate")
  if (close_rate < 2.6) flags.push("low_close_rate")
  if (close_rate > 30) flags.push("optimistic_close_rate")
  if (input.emails_sent > 18_000) flags.push("high_volume")
  if (Math.exp(input.emails_sent * Math.log1p(-clients / input.emails_sent)) > 0.2) flags.push("small_sample")
  if (revenue !== null && cost !== null && revenue < cost) flags.push("negative_roi")
  if (revenue === null) flags.push("missing_deal_value")
  if (cost === null) flags.push("missing_campaign_cost")
  if (cost === 0) flags.push("zero_campaign_cost")
  const meetings = (input.emails_sent * reply_rate * positive_reply_rate * meeting_booking_rate) / 1_000_000
  if (cost > 0 && cost < 30 * meetings) flags.push("cost_looks_incomplete")
  const others = [positive_reply_rate, meeting_booking_rate, close_rate]
  const areFractions = reply_rate <= 1 && others.every((rate) => rate > 0 && rate <= 1)
  if (reply_rate > 0 && (areFractions || (reply_rate < 0.2 && others.every((rate) => rate > 1)))) {
    flags.push("rates_look_like_fractions")
  }
  return flags
}

/** The forecast in doubles, with texts that are simpler than the service's. */
const forecast = (input) => {
  const { campaign_cost: cost = null, average_deal_value: dealValue = null, emails_sent: emails } = input
  const replies = (emails * input.reply_rate) / 100
  const positiveReplies = (replies * input.positive_reply_rate) / 100
  const meetings = (positiveReplies * input.meeting_booking_rate) / 100
  const clients = (meetings * input.close_rate) / 100
  const revenue = dealValue === null ? null : clients * dealValue
  const roi = revenue === null || cost === null || cost === 0 ? null : revenue / cost
  const per = (count) => (cost === null || count === 0 ? null : round(cost / count, 100))
  const flags = flagsOf(input, clients, revenue)
  const isUnclear =
    roi === null || (roi >= 1 && (roi < 3 || flags.includes("small_sample") || flags.includes("cost_looks_incomplete")))
  const grade = isUnclear ? "break_even_or_unclear" : roi < 1 ? "weak" : roi < 10 ? "healthy" : "strong"

  let lever = levers[0]
  for (const other of levers) if (input[other[0]] / other[2] < input[lever[0]] / lever[2]) lever = other
  const [field, name, reference, source] = lever
  const raised = (clients * reference) / input[field]
  const reached = round(raised, 100)
  const gained = dealValue === null ? "" : ` and ${Math.round((raised - clients) * dealValue)} more in revenue`
  const shown = {
    replies: round(replies, 1e4),
    positiveReplies: round(positiveReplies, 1e4),
    meetings: round(meetings, 1e4),
    clients: round(clients, 1e4),
    revenue: round(revenue, 100),
    roi: round(roi, 10)
  }
  const costs = [per(replies), per(meetings), per(clients)]
  return {
    estimated_replies: shown.replies,
    estimated_positive_replies: shown.positiveReplies,
    estimated_meetings: shown.meetings,
    estimated_clients: shown.clients,
    estimated_revenue: shown.revenue,
    roi_multiple: shown.roi,
    cost_per_reply: costs[0],
    cost_per_meeting: costs[1],
    cost_per_client: costs[2],
    performance_grade: grade,
    risk_flags: flags,
    recommendations: [
      ...flags.map((flag) => `Look at ${flag}: this forecast of ${shown.clients} clients depends on it.`),
      `Work on the ${name}: at ${reference}% (${source}) instead of ${input[field]}%, the same ${emails} emails ` +
        `would bring ${reached} clients instead of ${shown.clients}${gained}.`
    ],
    calculation_notes: [
      `Replies: ${emails} sent × ${input.reply_rate}% = ${shown.replies}.`,
      `Positive replies: ${shown.replies} × ${input.positive_reply_rate}% = ${shown.positiveReplies}.`,
      `Meetings: ${shown.positiveReplies} × ${input.meeting_booking_rate}% = ${shown.meetings}.`,
      `Clients: ${shown.meetings} × ${input.close_rate}% = ${shown.clients}.`,
      `Revenue: ${shown.clients} expected clients × ${dealValue} = ${shown.revenue}.`,
      `ROI multiple: ${shown.revenue} ÷ ${cost} = ${shown.roi}.`,
      `Grade ${grade}: ${gradeReasons[grade]}.`,
      `Cost per reply: ${cost} ÷ ${shown.replies} = ${costs[0]}.`,
      `Cost per meeting: ${cost} ÷ ${shown.meetings} = ${costs[1]}.`,
      `Cost per client: ${cost} ÷ ${shown.clients} = ${costs[2]}.`,
      "Every figure is computed from doubles and rounded once, half away from zero: counts to 4 decimals, money to 2, the ROI multiple to 1.",
      "These are estimates, not guarantees: they hold if your assumptions hold, and the forecast knows nothing of your list, offer, deliverability or timing."
    ]
  }
}

const rate = { type: "number", minimum: 0, maximum: 100 }
const amount = { type: ["number", "null"], minimum: 0, maximum: 1_000_000_000 }
const text = { type: "string" }
const texts = { type: "array", items: text }
const number = { type: "number" }
const numberOrNull = { type: "number", nullable: true }

const schema = {
  body: {
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
  },
  response: {
    200: {
      type: "object",
      properties: {
        estimated_replies: number,
        estimated_positive_replies: number,
        estimated_meetings: number,
        estimated_clients: number,
        estimated_revenue: numberOrNull,
        roi_multiple: numberOrNull,
        cost_per_reply: numberOrNull,
        cost_per_meeting: numberOrNull,
        cost_per_client: numberOrNull,
        performance_grade: text,
        risk_flags: texts,
        recommendations: texts,
        calculation_notes: texts,
        usage: {
          type: "object",
          properties: { month: text, requests: { type: "integer" }, credits_remaining: { type: "integer" } }
        }
      }
    }
  }
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Listens on PORT. `findKey` finds a key by the hash of a secret, `debit` takes a credit from a key in one transaction;
 * they call back with undefined if there is no key or no credit. They are callbacks because promises would slow down
 * the synchronous ledger.
 */
export const serve = async ({ debit, findKey }) => {
  const app = Fastify({
    bodyLimit: 16 * 1024,
    logger: true,
    // One line per request, like the service, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) =>
      requestIdForm.test(headers["x-request-id"] ?? "") ? headers["x-request-id"] : randomUUIDv7(),
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allowUnionTypes: true } }
  })

  app.decorateRequest("key", null)
  app.decorateRequest("charge", null)

  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id)
    reply.header("x-content-type-options", "nosniff")
    reply.header("cache-control", "no-store")
    const secret = request.headers["x-api-key"]
    if (secret === undefined) return done(problem(401, "missing_key", "Send your key in x-api-key."))
    findKey(hash("sha256", secret, "hex"), (error, key) => {
      if (error) return done(error)
      if (key === undefined || key.is_demo === 1 || key.state === "unconfirmed") {
        return done(problem(401, "invalid_key", "This key is not known."))
      }
      if (key.expires_at !== null && key.expires_at <= Date.now()) {
        return done(problem(401, "invalid_key", "This key is not valid any more."))
      }
      if (key.state === "revoked") return done(problem(401, "key_revoked", "This key was revoked."))
      if (key.plan === "inactive") return done(problem(403, "plan_inactive", "The plan of this key is inactive."))
      request.key = key
      done()
    })
  })

  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: reply.elapsedTime,
        key: request.key?.prefix,
        charge: request.charge
      },
      "request"
    )
    done()
  })

  app.post("/api/v1/forecast", { schema }, (request, reply) => {
    const answer = forecast(request.body)
    debit(request.key.id, (error, receipt) => {
      if (error) return reply.send(error)
      if (receipt === undefined) {
        return reply.send(problem(429, "usage_exhausted", "This key has no forecast credits left."))
      }
      request.charge = receipt.reference
      reply.header("ratelimit-policy", `"credits";q=${receipt.granted}`)
      reply.header("ratelimit", `"credits";r=${receipt.balance}`)
      answer.usage = { month: receipt.month, requests: receipt.requests, credits_remaining: receipt.balance }
      reply.send(answer)
    })
  })

  await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })
}
