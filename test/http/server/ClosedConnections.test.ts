import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../../support/Application.ts"
import { lacksProc } from "../../support/Machine.ts"
import { serve, until, untilFound } from "../../support/Process.ts"
import { openClient, pause } from "../../support/Sockets.ts"

const tunnel = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"
const get = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
const broken = "HELLO\r\n\r\n"
const upgrade = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"
const large = `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${"x".repeat(20_000)}\r\n\r\n`
const half =
  "POST /api/v1/forecast HTTP/1.1\r\nHost: a\r\nx-api-key: demo\r\ncontent-type: application/json\r\nContent-Length: 10\r\n\r\n{"

const alive = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/livez`)
    return response.status
  })

const descriptorsOf = (pid: number | undefined) => readdirSync(`/proc/${pid}/fd`).length

// They mostly wait for timeouts, each with its own server.
describe.concurrent("a server process whose clients reset their connections", () => {
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

describe.skipIf(lacksProc()).concurrent("a refused connection", () => {
  it.live("is closed a second later, even if the client keeps its side open", () =>
    Effect.gen(function* () {
      const server = yield* serve(yield* temporaryDirectory, { TRUSTED_PROXIES: "127.0.0.1" })
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

describe.concurrent("a connection over the limit", () => {
  it.live("is refused immediately, while open connections are served", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { port, process, stderr } = yield* serve(directory, {
        MAX_CONNECTIONS: "50",
        TRUSTED_PROXIES: "127.0.0.1"
      })
      const before = descriptorsOf(process.pid)
      const body = '"wrong"'
      const head = `POST /api/v1/access-requests HTTP/1.1\r\nHost: a\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n`
      const held = yield* Effect.replicateEffect(
        openClient(port, `${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 1)}`),
        50,
        { concurrency: 10 }
      )
      // A connection counts as idle, and may be closed, until the server has read its request.
      yield* until(() => held.every(({ received }) => received().startsWith("HTTP/1.1 100 Continue")))
      const more = yield* Effect.replicateEffect(openClient(port, get), 100, { concurrency: 100 })
      yield* until(() => more.every(({ received, isClosed }) => received() !== "" || isClosed()))
      const refused = more.filter(({ received }) => received() !== "")
      assert.isAtLeast(refused.length, 50)
      for (const { received: text } of refused) {
        assert.match(text(), /^HTTP\/1\.1 503 Service Unavailable\r\n/)
        assert.match(text(), /retry-after: 1\r\n/)
        assert.match(text(), /connection: close\r\n/)
        assert.include(text(), '"code":"unavailable"')
      }
      const [one] = held
      one?.socket.write(body.slice(1))
      yield* until(() => one?.received().includes("HTTP/1.1 400") === true)
      yield* until(() => descriptorsOf(process.pid) <= before + 51)
      yield* until(() => /connections refused.*"count":\d\d/.test(stderr()))
      // Now it is idle, and may be closed.
      yield* untilFound(alive(`http://127.0.0.1:${port}`), (status) => status === 200)
      yield* until(() => one?.isClosed() === true)
    })
  )
})
