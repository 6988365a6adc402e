import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { temporaryDirectory } from "../../test/support/Application.ts"
import { here, smallDatabase } from "../bench/http/databases.ts"
import { newSecret } from "../bench/http/seed.ts"
import { type Attack, memoryOf, send, startTarget } from "./Attack.ts"

const keys = 20_000
const requests = 30_000
const clients = 32

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

/** The i-th request to a base URL with a key: mostly forecasts, and some of every other common request. */
const request = (base: string, i: number, key: string) => {
  const body = JSON.stringify(campaign(i))
  const headers = {
    "x-forwarded-for": `10.${i & 3}.${(i >> 2) & 255}.1`,
    accept: "application/json, text/event-stream"
  }
  switch (i % 12) {
    case 0:
      return send(`${base}/api/v1/usage`, { key, headers })
    case 1:
      return send(`${base}/api/v1/credits/ledger`, { key, headers })
    case 2:
      return send(`${base}/api/v1/goals`, {
        key,
        headers,
        body: JSON.stringify({ ...campaign(i), goal: { clients: 4 } })
      })
    case 3:
      return send(`${base}/mcp`, { key, headers, body: JSON.stringify(toolCall(i)) })
    case 4:
      return send(`${base}/api/v1/forecast`, { key, headers, body: body.replace("2500", "-1") })
    case 5:
      return send(`${base}/api/v1/forecast`, { key: newSecret().secret, headers, body })
    case 6:
      return send(`${base}/api/v1/forecasts`, {
        key,
        headers,
        body: JSON.stringify({ campaigns: Array.from({ length: i % 600 === 6 ? 300 : 2 }, (_, j) => campaign(i + j)) })
      })
    default:
      return send(`${base}/api/v1/forecast`, { key, headers, body, idempotencyKey: randomUUID() })
  }
}

export const mixedLoad: Attack = {
  name: `${requests} requests of all kinds by ${keys} keys: the memory used`,
  run: Effect.fnUntraced(function* () {
    const directory = yield* temporaryDirectory
    const { secrets, url } = smallDatabase(`${directory}/load.db`, keys)
    const [, flags = ""] = /^#!.* node (.*)$/m.exec(readFileSync(`${here}/dist/main.js`, "utf8")) ?? []
    const production = { APP_ENV: "production", PUBLIC_URL: "http://127.0.0.1", TRUSTED_PROXIES: "127.0.0.1" }
    const target = yield* startTarget(directory, { DATABASE_URL: url, ...production }, [
      "sh",
      "-c",
      `exec "$0" ${flags} "$@"`
    ])
    const before = memoryOf(target)
    let sent = 0
    let good = 0
    let most = 0
    const client = Effect.gen(function* () {
      while (sent < requests) {
        const i = sent++
        const { status } = yield* request(target.server.url, i, secrets[(i * 7919) % keys] ?? "")
        if (status < 500 && status > 0) good++
        if (i % 100 === 0) most = Math.max(most, memoryOf(target))
      }
    })
    yield* Effect.replicateEffect(client, clients, { concurrency: clients })
    return {
      figure: `${before.toFixed(0)} MB before, at most ${most.toFixed(0)} MB, ${good} of ${sent} answered`,
      // An hour of such requests levels off at 311 MB; a tenth more is the tolerance.
      isDefended: most < 340 && good === sent
    }
  })
}
