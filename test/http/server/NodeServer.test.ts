import { once } from "node:events"
import type { RequestListener } from "node:http"
import { createConnection, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../../support/Process.ts"
import { openClient, pause } from "../../support/Sockets.ts"
import { makeNodeServer } from "../../../src/http/server/NodeServer.ts"

/**
 * A server for ten connections that listens, but has no handler yet. It closes a connection after `answerTimeout`
 * milliseconds without a request.
 */
const listeningFor = (clientOf: (socket: Socket) => string | undefined, answerTimeout = 60_000) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const nodeServer = makeNodeServer({
        publicUrl: () => "",
        newId: () => "id",
        onRefused: () => {},
        onFull: () => {},
        maxConnections: 10,
        clientOf,
        answerTimeout,
        whileStarting: (_, response) => response.end("starting")
      })
      await once(nodeServer.server.listen(0, "127.0.0.1"), "listening")
      const address = nodeServer.server.address()
      return { ...nodeServer, port: typeof address === "object" ? (address?.port ?? 0) : 0 }
    }),
    ({ cut, server }) =>
      Effect.sync(() => {
        server.close()
        cut()
      })
  )

const listening = listeningFor(() => undefined)

describe("a server that is starting", () => {
  it.live("answers 503 if its start takes longer than a second, and serves as soon as it is ready", () =>
    Effect.gen(function* () {
      const { port, serve } = yield* listening
      const get = Effect.promise(() => fetch(`http://127.0.0.1:${port}/`).then((response) => response.text()))
      // The first request waits for that second.
      assert.deepStrictEqual([yield* get, yield* get], ["starting", "starting"])
      serve((_, response) => response.end("serving"))
      assert.strictEqual(yield* get, "serving")
    })
  )

  it.live("passes on no request whose client disconnected before the routes were ready", () =>
    Effect.gen(function* () {
      const { connections, port, serve, server } = yield* listening
      const arrived = once(server, "request")
      const { socket } = yield* openClient(port, "GET /early HTTP/1.1\r\nHost: a\r\n\r\n")
      yield* Effect.promise(() => arrived)
      socket.destroy()
      yield* until(() => connections() === 0)
      const served: Array<string | undefined> = []
      serve((request, response) => {
        served.push(request.url)
        response.end()
      })
      yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/later`).then((response) => response.text()))
      assert.deepStrictEqual(served, ["/later"])
    })
  )

  for (const expectation of ["", "expect: 100-continue\r\n"]) {
    it.live(
      `answers a request that arrived before its routes were ready${expectation && ", with an expectation"}`,
      () =>
        Effect.gen(function* () {
          const { port, serve, server } = yield* listening
          const arrived = new Promise((resolve) =>
            server.once("connection", (socket: Socket) => socket.once("data", resolve))
          )
          const socket = createConnection(port, "127.0.0.1")
          socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${expectation}content-length: 2\r\nconnection: close\r\n\r\nhi`)
          yield* Effect.promise(() => arrived)

          const handler: RequestListener = (request, response) => {
            let body = ""
            request.on("data", (chunk: Buffer) => (body += chunk.toString()))
            request.on("end", () => response.end(`received ${body}`))
          }
          serve(handler)
          let received = ""
          socket.on("data", (chunk) => (received += chunk.toString()))
          yield* Effect.promise(() => once(socket, "end"))
          assert.include(received, "received hi")
        })
    )
  }
})

describe("a client that reads its response slowly", () => {
  it.live("is cut off after ten times the read timeout, even if it keeps reading", () =>
    Effect.gen(function* () {
      const { connections, port, serve } = yield* listeningFor(() => undefined, 500)
      serve((_, response) => response.end(Buffer.alloc(100_000_000)))
      const started = performance.now()
      const { socket } = yield* openClient(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", { reads: false })
      let taken = 0
      let last = started
      let longestPause = 0
      socket.on("data", (chunk) => {
        taken += chunk.length
        longestPause = Math.max(longestPause, performance.now() - last)
        last = performance.now()
        socket.pause()
        setTimeout(() => socket.resume(), 8)
      })
      socket.resume()
      yield* until(() => connections() === 0)
      assert.isBelow(taken, 100_000_000)
      // A client that is too busy to read a byte in half a second is cut off for that, and on a busy machine the server may
      // notice late what was read.
      longestPause = Math.max(longestPause, performance.now() - last)
      if (longestPause < 250) assert.isAbove(performance.now() - started, 1000)
    })
  )
})

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

describe("a server that has reached its connection limit", () => {
  it.live("closes the connection that has been idle longest to accept a new one", () =>
    Effect.gen(function* () {
      const { connections, port, serve } = yield* listening
      serve((request, response) => {
        if (request.url === "/") response.end("received")
      })
      const silent = yield* openClient(port, "")
      yield* pause(20)
      const half = yield* openClient(port, "GET / HTTP/1.1\r\n")
      yield* pause(20)
      const busy = yield* openClient(port, get.replace("/", "/waits"))
      const used = yield* Effect.replicateEffect(openClient(port, get), 7)
      yield* until(() => used.every(({ received }) => received().includes("received")))
      assert.strictEqual(connections(), 10)
      // A connection that was idle for less than 100 ms is not closed.
      yield* pause(150)
      const next = openClient(port, get)
      const first = yield* next
      yield* until(() => first.received().includes("received"))
      assert.deepStrictEqual([silent.isClosed(), half.isClosed()], [true, false])
      const second = yield* next
      yield* until(() => second.received().includes("received"))
      assert.isTrue(half.isClosed())
      for (const [i, { isClosed }] of used.entries()) {
        const another = yield* next
        yield* until(() => another.received().includes("received"))
        assert.isTrue(isClosed(), String(i))
      }
      assert.deepStrictEqual([busy.isClosed(), connections()], [false, 10])
    })
  )

  it.live("answers 503 on a new connection while every other has a request in flight", () =>
    Effect.gen(function* () {
      const { connections, port, serve } = yield* listening
      let answered = 0
      serve(() => answered++)
      const busy = yield* Effect.replicateEffect(openClient(port, get), 10)
      yield* until(() => answered === 10)
      yield* pause(150)
      const more = yield* openClient(port, get)
      yield* until(more.isClosed)
      assert.match(more.received(), /^HTTP\/1\.1 503 /)
      assert.isTrue(busy.every(({ isClosed }) => !isClosed()))
      assert.strictEqual(connections(), 10)
    })
  )

  it.live("allows one client a quarter of its connections, and closes that client's idle ones first", () =>
    Effect.gen(function* () {
      let client = "greedy"
      const { connections, port, serve } = yield* listeningFor(() => client)
      serve((request, response) => {
        if (request.url === "/") response.end("received")
      })
      const silent = yield* openClient(port, "")
      yield* until(() => connections() === 1)
      yield* Effect.replicateEffect(openClient(port, get.replace("/", "/waits")), 2)
      yield* until(() => connections() === 3)
      yield* pause(150)
      const used = yield* openClient(port, get)
      yield* until(() => used.received().includes("received"))
      assert.deepStrictEqual([silent.isClosed(), connections()], [true, 3])
      used.socket.destroy()
      yield* until(() => connections() === 2)
      yield* openClient(port, get.replace("/", "/waits"))
      yield* until(() => connections() === 3)
      const refused = yield* openClient(port, get)
      yield* until(refused.isClosed)
      assert.match(refused.received(), /^HTTP\/1\.1 503 /)
      client = "other"
      const other = yield* openClient(port, get)
      yield* until(() => other.received().includes("received"))
      assert.strictEqual(connections(), 4)
    })
  )
})
