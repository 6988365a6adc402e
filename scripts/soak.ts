// Sends requests of every kind by many keys to a server in production, and prints its memory: before, at most, and in
// each tenth of the run, where a leak shows. Exits with status 1 above 340 MB, or if a request was not answered. An
// hour: npm run soak -- --requests 10000000
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { temporaryDirectory } from "../test/support/Application.ts"
import { main as program, serve } from "../test/support/Process.ts"
import { smallDatabase } from "./bench/http/databases.ts"
import { memoryOf } from "./bench/http/measure.ts"
import { newSecretRow } from "./bench/http/seed.ts"

const { values } = parseArgs({ options: { requests: { type: "string", default: "30000" } } })
const requests = Number(values.requests)
const keys = 20_000
const clients = 32

/** An hour of such requests levels off at 311 MB; a tenth more is the tolerance. */
const maxMegabytes = 340

const campaign = (i: number) => ({
  emails_sent: 1000 + i,
  reply_rate: 1 + (i % 9),
  positive_reply_rate: 30,
  meeting_booking_rate: 20,
  close_rate: 25,
  average_deal_value: 2500,
  campaign_cost: 600
})

const toolCall = (i: number) => ({
  jsonrpc: "2.0",
  id: i,
  method: "tools/call",
  params: { name: "forecast", arguments: campaign(i) }
})

const listOf = (i: number) => Array.from({ length: i % 600 === 6 ? 300 : 2 }, (_, j) => campaign(i + j))

/** The path and body of the i-th request: mostly forecasts, and some of every other common request. */
const requestOf = (i: number): readonly [path: string, body?: object] => {
  const kinds: Readonly<Record<number, readonly [path: string, body?: object]>> = {
    0: ["/api/v1/usage"],
    1: ["/api/v1/credits/ledger"],
    2: ["/api/v1/goals", { ...campaign(i), goal: { clients: 4 } }],
    3: ["/mcp", toolCall(i)],
    4: ["/api/v1/forecast", { ...campaign(i), average_deal_value: -1 }],
    6: ["/api/v1/forecasts", { campaigns: listOf(i) }]
  }
  return kinds[i % 12] ?? ["/api/v1/forecast", campaign(i)]
}

/** Sends the i-th request. Returns whether the service answered it. */
const send = async (base: string, i: number, key: string): Promise<boolean> => {
  const [path, body] = requestOf(i)
  const response = await fetch(`${base}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "x-api-key": i % 12 === 5 ? newSecretRow().secret : key,
      "x-forwarded-for": `10.${i & 3}.${(i >> 2) & 255}.1`,
      ...(i % 12 > 6 && { "idempotency-key": randomUUID() })
    },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  await response.arrayBuffer()
  return response.status < 500
}

const main = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const { secrets, url: DATABASE_URL } = smallDatabase(`${directory}/soak.db`, keys)
  const [, flags = ""] = /^#!.* node (.*)$/m.exec(readFileSync(program, "utf8")) ?? []
  const env = { APP_ENV: "production", PUBLIC_URL: "http://127.0.0.1", TRUSTED_PROXIES: "127.0.0.1", DATABASE_URL }
  const server = yield* serve(directory, env, ["sh", "-c", `exec "$0" ${flags} "$@"`])
  const memory = () => memoryOf(server.process)?.now ?? 0
  console.log(`${memory().toFixed(0)} MB before the first request`)
  let [sent, answered, most] = [0, 0, 0]
  const client = async () => {
    while (sent < requests) {
      const i = sent++
      if (await send(server.url, i, secrets[(i * 7919) % keys] ?? "").catch(() => false)) answered++
      if (i % 100 === 0) most = Math.max(most, memory())
      if (i > 0 && i % Math.ceil(requests / 10) === 0) console.log(`${memory().toFixed(0)} MB after ${i} requests`)
    }
  }
  yield* Effect.promise(() => Promise.all(Array.from({ length: clients }, client)))
  console.log(`${requests} requests by ${keys} keys: ${answered} answered, at most ${most.toFixed(0)} MB`)
  if (answered < requests || most > maxMegabytes) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main))
