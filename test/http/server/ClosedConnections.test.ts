import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Logger, References } from "effect"
import { KeyStore } from "../../../src/keys/KeyStore.ts"
import { assetPath } from "../../../src/site/Assets.ts"
import { storesWith, temporaryDirectory } from "../../support/Application.ts"
import { httpApplication, post, sendRaw, serveHere } from "../../support/Http.ts"
import { lacksProc } from "../../support/Machine.ts"
import { serve, until, untilFound } from "../../support/Process.ts"
import { getFrom } from "../../support/Requests.ts"
import { openClient, pause } from "../../support/Sockets.ts"
import { slowly } from "../../support/slowly.ts"

const tunnel = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"
const get = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
const broken = "HELLO\r\n\r\n"
const upgrade = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"
const large = `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${"x".repeat(20_000)}\r\n\r\n`
const half =
  "POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\nx-api-key: demo\r\ncontent-type: application/json\r\nContent-Length: 10\r\n\r\n{"

const alive = (url: string) => Effect.map(getFrom(url, "/livez"), ({ status }) => status)

const descriptorsOf = (pid: number | undefined) => readdirSync(`/proc/${pid}/fd`).length

// They mostly wait for timeouts, each with its own server.
describe.concurrent("a server process whose clients reset their connections", slowly, () => {
  it.live("stays alive", () =>
    Effect.gen(function* () {
      const { exit, process, url, port } = yield* serve(yield* temporaryDirectory)
      void exit.then((code) => assert.strictEqual(code, "SIGKILL", "the server has ended"))
      for (const first of [tunnel, get + tunnel, tunnel + tunnel, broken, upgrade, large, half, half + broken]) {
        for (const more of ["", "x", tunnel, broken]) {
          for (const wait of [0, 5, 50]) {
            yield* Effect.scoped(
              Effect.gen(function* () {
                const clients = yield* Effect.replicateEffect(openClient(port, first), 3, { concurrency: 3 })
                yield* pause(wait)
                for (const { socket } of clients) if (more !== "" && socket.writable) socket.write(more)
                yield* pause(wait && 10)
                for (const { socket } of clients) socket.resetAndDestroy()
              })
            )
          }
        }
        assert.strictEqual(yield* alive(url), 200, first.slice(0, 40))
      }
      assert.isNull(process.exitCode)
    })
  )
})

describe.skipIf(lacksProc()).concurrent("a refused connection", slowly, () => {
  it.live("is closed a second later, even if the client keeps its side open", () =>
    Effect.gen(function* () {
      const server = yield* serve(yield* temporaryDirectory)
      const before = descriptorsOf(server.process.pid)
      const texts = [tunnel, broken, large, "GET / HTTP/1.1\r\nHost: a\r\n", "", half]
      const clients = yield* Effect.forEach(
        Array.from({ length: 120 }, (_, i) => texts[i % texts.length] ?? ""),
        (text) => openClient(server.port, text),
        { concurrency: 50 }
      )
      assert.strictEqual(yield* alive(server.url), 200)
      // The last to be closed are those whose bodies do not arrive within 15 seconds.
      yield* until(() => clients.every(({ received }) => received().startsWith("HTTP/1.1 4")))
      yield* until(() => descriptorsOf(server.process.pid) <= before + 3)
      assert.strictEqual(yield* alive(server.url), 200)
    })
  )
})

/** The response that a new connection receives for its first request. */
const newcomer = Effect.fnUntraced(function* (port: number) {
  const { isClosed, received } = yield* openClient(port, get.replace("Host: a", "Host: a\r\nConnection: close"))
  yield* until(isClosed)
  return received()
}, Effect.scoped)

describe.concurrent("a new connection", slowly, () => {
  it.live("is served while unfinished requests and unread responses take all connections", () =>
    Effect.gen(function* () {
      const { port } = yield* serveHere({ MAX_CONNECTIONS: "20" })
      const unread = `GET ${assetPath("calculator.js")} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(100)
      for (const text of ["", "GET / HTTP/1.1\r\nHost: a\r\n", half, unread]) {
        const open = openClient(port, text, { reads: text !== unread })
        const holders = yield* Effect.replicateEffect(open, 20, { concurrency: 20 })
        // None gives way before it has waited for 100 ms.
        for (let i = 0; i < 20; i++) yield* untilFound(newcomer(port), (text) => text.startsWith("HTTP/1.1 200"))
        assert.isTrue(holders.every(({ received }) => !received().startsWith("HTTP/1.1 408")))
      }
    })
  )

  it.live("gets 503 while requests are being answered on all others, which the log counts", () =>
    Effect.gen(function* () {
      const counts: Array<unknown> = []
      const recorder = Logger.layer([
        Logger.make<unknown, void>(({ fiber, message }) => {
          if (String(message) === "connections refused") counts.push(fiber.getRef(References.CurrentLogAnnotations))
        })
      ])
      const lookedUp = Latch.makeUnsafe()
      const mayFind = Latch.makeUnsafe()
      const findSecrets = () => Effect.as(Effect.andThen(lookedUp.open, mayFind.await), new Map())
      const options = { env: { MAX_CONNECTIONS: "1" }, stores: storesWith(KeyStore, { findSecrets }) }
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(post("/api/v1/forecast", { key: "demo" }))
        yield* lookedUp.await
        yield* pause(150)
        const refused = yield* Effect.replicateEffect(sendRaw(get), 2, { concurrency: 2 })
        for (const text of refused) {
          assert.match(text, /^HTTP\/1\.1 503 Service Unavailable\r\n/)
          assert.match(text, /connection: close\r\n/)
          assert.include(text, '"code":"unavailable"')
        }
        yield* until(() => counts.length > 0)
        assert.include(counts[0], { count: 2 })
        yield* mayFind.open
        assert.strictEqual((yield* Fiber.join(first)).status, 401)
      }).pipe(Effect.provide(Layer.provide(httpApplication(options), recorder)))
    })
  )
})
