import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { sendMessage } from "../extensions/support/Agent.ts"
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

  it.effect(
    "take slots above 64 KiB: the 17th of a key gets 503, but no smaller one, no other key, and none once they are read",
    () =>
      Effect.gen(function* () {
        const [greedy, other] = [yield* issueKey(), yield* issueKey()]
        const first = " ".repeat(65 * 1024)
        const large = { client: "192.0.2.1", key: greedy.secret, path: listPath, first, length: first.length + 1 }
        const largeList = (key: string) => post(listPath, { key, body: first + body(campaigns(1)) })
        /** Begins one more than there are slots. Returns those that hold a slot. */
        const fill = Effect.gen(function* () {
          const begun = yield* Effect.replicateEffect(begin(large), 17)
          const isRefused = ({ received }: (typeof begun)[number]) => received().startsWith("HTTP/1.1 503")
          yield* until(() => begun.some(isRefused))
          return begun.filter((each) => !isRefused(each))
        })
        const held = yield* fill
        assert.lengthOf(held, 16)
        const refused = yield* largeList(greedy.secret)
        assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [503, "1"])
        assert.strictEqual((yield* list(greedy.secret, "192.0.2.1")).status, 200)
        assert.strictEqual((yield* largeList(other.secret)).status, 200)
        for (const { socket } of held) socket.write("x")
        yield* until(() => held.every(({ received }) => received().startsWith("HTTP/1.1 400")))
        assert.strictEqual((yield* largeList(greedy.secret)).status, 200)
        // Closed connections no longer count.
        for (const { socket } of yield* fill) socket.destroy()
        yield* untilFound(largeList(greedy.secret), ({ status }) => status === 200)
      }).pipe(Effect.scoped, Effect.provide(httpApplication({ env: { TRUSTED_PROXIES: "127.0.0.1" } })))
  )

  it.effect("take slots of their own without a key, 16 of them, so that those of keys stay free", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const first = "x".repeat(65 * 1024)
      const form = (client: number) =>
        begin({ client: `192.0.2.${client}`, path: "/", first, length: first.length + 1 })
      const forms = yield* Effect.forEach(
        Array.from({ length: 17 }, (_, index) => index),
        form
      )
      const refused = () => forms.filter(({ received }) => received().startsWith("HTTP/1.1 503")).length
      yield* until(() => refused() === 1)
      const lists = yield* Effect.replicateEffect(
        post(listPath, { key: secret, body: first.replaceAll("x", " ") + body(campaigns(1)) }),
        3
      )
      assert.deepStrictEqual(
        lists.map(({ status }) => status),
        [200, 200, 200]
      )
      assert.strictEqual(refused(), 1)
    }).pipe(Effect.scoped, Effect.provide(httpApplication({ env: { TRUSTED_PROXIES: "127.0.0.1" } })))
  )
})
