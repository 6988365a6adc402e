import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { sendMessage } from "../support/Agent.ts"
import { baseUrl, httpApplication, issueKey, post } from "../support/Http.ts"
import { until, untilFound } from "../support/Process.ts"
import { openClient } from "../support/Sockets.ts"

const listPath = "/api/v1/forecasts"

/** Starts to send a body from a client, and sends the rest on request. */
const begin = Effect.fnUntraced(function* (options: {
  readonly path: string
  readonly client: string
  readonly key?: string
  readonly first: string
  readonly length: number
}) {
  const { client, first, key, length, path } = options
  const headers = {
    host: "a",
    "content-type": "application/json",
    "content-length": String(length),
    "x-forwarded-for": client,
    ...(key === undefined ? {} : { "x-api-key": key })
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${first}`
  return yield* openClient(Number(new URL(yield* baseUrl).port), text)
})

const list = (key: string, client: string) =>
  post(listPath, { key, body: body(campaigns(1)), headers: { "x-forwarded-for": client } })

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

const mebibyte = 1024 * 1024

describe("incomplete request bodies", () => {
  it.effect("take up no slot of requests in progress", () =>
    Effect.gen(function* () {
      const [slow, other] = [yield* issueKey(), yield* issueKey()]
      const client = "192.0.2.1"
      const trickle = { client, first: "{", length: 4000 }
      yield* Effect.replicateEffect(begin({ ...trickle, path: "/mcp" }), 60)
      yield* Effect.replicateEffect(begin({ ...trickle, path: listPath, key: slow.secret }), 60)
      const whole = yield* begin({ client, key: slow.secret, path: listPath, first: "{}", length: 2 })
      yield* until(() => whole.received().startsWith("HTTP/1.1 400"))
      for (const { secret } of [slow, other]) assert.strictEqual((yield* list(secret, "192.0.2.2")).status, 200)
      const agent = yield* sendMessage(ping, { "x-forwarded-for": "192.0.2.2" })
      assert.strictEqual(agent.status, 200)
    }).pipe(Effect.scoped, Effect.provide(httpApplication({ env: { TRUSTED_PROXIES: "127.0.0.1" } })))
  )

  it.effect("answer 503 to a client or key with 16 MiB pending, not to others, and no longer once they are read", () =>
    Effect.gen(function* () {
      const [greedy, other] = [yield* issueKey(), yield* issueKey()]
      const client = "192.0.2.1"
      const first = " ".repeat(mebibyte - 1)
      const large = { client, key: greedy.secret, path: listPath, first, length: mebibyte }
      const held = yield* Effect.replicateEffect(begin(large), 16)
      const refused = yield* untilFound(list(greedy.secret, client), ({ status }) => status === 503)
      assert.strictEqual(refused.headers.get("retry-after"), "1")
      assert.strictEqual((yield* list(greedy.secret, "192.0.2.2")).status, 503)
      assert.strictEqual((yield* list(other.secret, client)).status, 503)
      assert.strictEqual((yield* list(other.secret, "192.0.2.2")).status, 200)
      for (const { socket } of held) socket.write("x")
      yield* until(() => held.every(({ received }) => received().startsWith("HTTP/1.1 400")))
      assert.strictEqual((yield* list(greedy.secret, client)).status, 200)
      // Closed connections no longer count.
      const gone = yield* Effect.replicateEffect(begin(large), 16)
      yield* untilFound(list(greedy.secret, client), ({ status }) => status === 503)
      for (const { socket } of gone) socket.destroy()
      yield* untilFound(list(greedy.secret, client), ({ status }) => status === 200)
    }).pipe(Effect.scoped, Effect.provide(httpApplication({ env: { TRUSTED_PROXIES: "127.0.0.1" } })))
  )
})
