import { Effect } from "effect"
import { campaigns } from "../../test/support/CampaignRequests.ts"
import { openClient, pause } from "../../test/support/Sockets.ts"
import {
  type Attack,
  change,
  countOf,
  forecast,
  issueKey,
  processorMillisOf,
  send,
  type Target,
  valueOf
} from "./Attack.ts"
import { crowd, forecastWith, listed, newSecret, sendAll, totalOf, wire } from "./Crowd.ts"

/** Valid secrets of one key that the server has not seen yet. */
const unseenSecrets = Effect.fnUntraced(function* (target: Target, name: string, count: number) {
  yield* issueKey(target, name)
  const made = yield* Effect.replicateEffect(newSecret, count)
  const rows = made.map(({ hash }) => `('${hash}')`).join(",")
  change(
    target,
    `INSERT INTO key_secrets (hash, key_id, prefix, created_at, first_used_at)
     SELECT n.column1, id, secret_prefix, 0, 0 FROM api_keys, (VALUES ${rows}) n WHERE email = '${name}@honest.example'`
  )
  return made.map(({ secret }) => secret)
})

export const goodKeys: Attack = {
  name: "300 good keys that the server has not seen, over 200 connections of one client",
  run: Effect.fnUntraced(function* (target) {
    const [late = "", ...secrets] = yield* unseenSecrets(target, "many", 301)
    const client = { address: "127.0.0.1" }
    const good = yield* sendAll(target, {
      ...client,
      connections: 200,
      most: secrets.length,
      request: (i) => forecastWith(secrets[i])
    })
    const wrong = yield* Effect.replicateEffect(newSecret, 100)
    const refused = yield* sendAll(target, {
      ...client,
      connections: 10,
      most: wrong.length,
      request: (i) => forecastWith(wrong[i]?.secret)
    })
    const last = yield* forecast(target, late)
    return {
      figure: `${listed(good)}; then 100 wrong keys ${listed(refused)}; then another good key ${last.status} after ${last.millis.toFixed(0)} ms`,
      isDefended: good.get("200") === 300 && refused.get("401") === 100 && last.status === 200
    }
  })
}

export const revokedKey: Attack = {
  name: "300 calls with a revoked key, then 100 wrong keys of the same client",
  run: Effect.fnUntraced(function* (target) {
    const revoked = yield* issueKey(target, "gone")
    change(target, "UPDATE api_keys SET state = 'revoked' WHERE email = 'gone@honest.example'")
    const wrong = yield* Effect.replicateEffect(newSecret, 100)
    const client = { address: "127.0.0.1", connections: 10 }
    const ofRevoked = yield* sendAll(target, { ...client, most: 300, request: () => forecastWith(revoked) })
    const ofWrong = yield* sendAll(target, {
      ...client,
      most: wrong.length,
      request: (i) => forecastWith(wrong[i]?.secret)
    })
    return {
      figure: `the revoked one ${listed(ofRevoked)}; the wrong ones ${listed(ofWrong)}`,
      isDefended: ofRevoked.get("401") === 300 && ofWrong.get("401") === 100
    }
  })
}

export const wrongKeys: Attack = {
  name: "220 wrong keys at once",
  run: Effect.fnUntraced(function* (target) {
    yield* forecast(target)
    const wrong = yield* Effect.replicateEffect(newSecret, 220)
    const started = performance.now()
    const replies = yield* Effect.forEach(
      wrong,
      ({ secret }) => send(`${target.server.url}/api/v1/usage`, { key: secret, timeout: 3000 }),
      { concurrency: "unbounded" }
    )
    const minutes = (performance.now() - started) / 60_000
    const honest = yield* forecast(target)
    const [looked, refused, waiting] = [countOf(replies, 401), countOf(replies, 429), countOf(replies, 0)]
    return {
      figure: `${looked} answers 401, ${refused} answers 429, ${waiting} waited for longer than 3 s; a good key ${honest.status}`,
      isDefended: looked <= 101 + 100 * minutes && refused > 0 && waiting <= 100 && honest.status === 200
    }
  })
}

const person = { name: "Ada", email: "ada@crowd.example", company: "Acme" }

const access = wire("POST", "/api/v1/access-requests", {}, JSON.stringify(person))

const accessForm = wire(
  "POST",
  "/access",
  { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
  new URLSearchParams(person).toString()
)

const invalidCalculation = wire("GET", "/?emails_sent=abc&reply_rate=300&close_rate=NaN&goal=-1&campaign_cost=1e9", {
  accept: "text/html"
})

/** The processor time of each response to a crowd over a second, in microseconds. */
const costOf = Effect.fnUntraced(function* (target: Target, options: Parameters<typeof crowd>[1]) {
  const { responses } = yield* crowd(target, options)
  yield* pause(500)
  const [before, spent] = [totalOf(responses), processorMillisOf(target)]
  yield* pause(1000)
  return { responses, micros: ((processorMillisOf(target) - spent) * 1000) / (totalOf(responses) - before) }
})

export const costOfRefusals: Attack = {
  name: "the cost of a refusal compared with a forecast",
  env: { KEY_REQUESTS_PER_SECOND: "1000000" },
  run: Effect.fnUntraced(function* (target) {
    const honest = yield* issueKey(target, "ada", 1_000_000)
    const wrong = yield* Effect.replicateEffect(newSecret, 1000)
    const kinds = {
      forecast: () => forecastWith(honest),
      "no key": () => forecastWith(undefined),
      "mistyped key": (i: number) => forecastWith(`ofk_test_${i}`),
      "unknown key": (i: number) => forecastWith(wrong[i % wrong.length]?.secret),
      "access request": () => access,
      "access form": () => accessForm,
      "invalid calculation": () => invalidCalculation
    }
    const least = new Map<string, number>()
    const statuses = new Map<string, string>()
    for (let round = 0; round < 3; round++) {
      for (const [kind, request] of Object.entries(kinds)) {
        // Of 150 connections with unknown keys, 100 wait in the queue; the others are refused without a look-up.
        const crowded = { connections: kind === "unknown key" ? 150 : 50, address: "127.0.8.1", request }
        const { responses, micros } = yield* Effect.scoped(costOf(target, crowded))
        least.set(kind, Math.min(least.get(kind) ?? Infinity, micros))
        statuses.set(kind, [...responses.keys()].join(", "))
      }
    }
    const byKey = new Set(["no key", "mistyped key", "unknown key"])
    const response = least.get("forecast") ?? 0
    return {
      figure: [...least].map(([kind, micros]) => `${kind} ${micros.toFixed(0)} µs (${statuses.get(kind)})`).join(", "),
      // The others also go through the router, at most ten per second over each connection.
      isDefended: [...least].every(([kind, micros]) => micros <= (byKey.has(kind) ? 1 : 4) * response)
    }
  })
}

/**
 * Sends requests that are refused, and thus cost their sender nothing, over 150 connections of one client next to an
 * honest one. Of those with unknown tokens, 100 wait in the queue.
 */
const refusedCrowd = (name: string, request: (i: number) => string): Attack => ({
  name: `150 connections with ${name} next to an honest client`,
  run: Effect.fnUntraced(function* (target) {
    const honest = yield* issueKey(target, "ada")
    yield* forecast(target, honest)
    const { responses } = yield* crowd(target, {
      connections: 150,
      address: "127.0.7.1",
      request
    })
    yield* pause(1000)
    const written = () => Number(valueOf(target, "SELECT coalesce(sum(requests), 0) FROM request_counts"))
    const [before, rows] = [totalOf(responses), written()]
    const started = performance.now()
    const forecasts = yield* Effect.replicateEffect(forecast(target, honest), 50)
    const lives = yield* Effect.replicateEffect(send(`${target.server.url}/livez`), 50)
    const seconds = (performance.now() - started) / 1000
    const [perSecond, more] = [(totalOf(responses) - before) / seconds, written() - rows]
    const middle = (replies: typeof forecasts) => replies.map(({ millis }) => millis).toSorted((a, b) => a - b)[25] ?? 0
    return {
      figure: `${listed(responses)}; ${perSecond.toFixed(0)} per second, ${more} counted in the database; to the other, forecasts ${middle(forecasts).toFixed(1)} ms, /livez ${middle(lives).toFixed(1)} ms (medians)`,
      isDefended: countOf(forecasts, 200) === 50 && countOf(lives, 200) === 50 && more < 10 && perSecond < 1600
    }
  })
})

export const refusedAccess = refusedCrowd("refused access requests", () => access)
export const refusedForms = refusedCrowd("refused forms", () => accessForm)
export const invalidCalculations = refusedCrowd("calculations with invalid numbers", () => invalidCalculation)
export const unknownTokens = refusedCrowd("unknown tokens of links", (i) =>
  wire("POST", "/api/v1/access-requests/confirm", {}, JSON.stringify({ token: String(i).padStart(43, "x") }))
)

/** A request that never sends more than the first byte of its body. */
const trickling = (path: string, key: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{`

export const tricklingBodies: Attack = {
  name: "60 request bodies that never end at /mcp, and 60 at /api/v1/forecasts",
  run: Effect.fnUntraced(function* (target) {
    const [slow, honest] = [yield* issueKey(target, "slow"), yield* issueKey(target, "ada")]
    for (const [i, path] of ["/mcp", "/api/v1/forecasts"].entries()) {
      const open = openClient(target.server.port, trickling(path, slow), { localAddress: `127.0.5.${1 + i}` })
      yield* Effect.replicateEffect(open, 60, { concurrency: 20 })
    }
    yield* pause(500)
    const request = (path: string, body: unknown) =>
      Effect.replicateEffect(send(`${target.server.url}${path}`, { key: honest, body: JSON.stringify(body) }), 5)
    const messages = yield* request("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" })
    const lists = yield* request("/api/v1/forecasts", { campaigns: campaigns(1) })
    return {
      figure: `to another key, ${countOf(messages, 200)} of 5 messages 200 (${countOf(messages, 503)} × 503), ${countOf(lists, 200)} of 5 lists 200 (${countOf(lists, 503)} × 503)`,
      isDefended: [...messages, ...lists].every(({ status }) => status === 200)
    }
  })
}
