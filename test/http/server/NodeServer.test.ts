import { once } from "node:events"
import type { RequestListener, ServerResponse } from "node:http"
import { createConnection, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../../support/Process.ts"
import { openClient, pause } from "../../support/Sockets.ts"
import { makeNodeServer } from "../../../src/http/server/NodeServer.ts"
import { errorPage } from "../../../src/site/ErrorPages.ts"

const proxy = "127.0.0.9"

/** A server for ten connections that listens, but has no handler yet. */
const listening = Effect.acquireRelease(
  Effect.promise(async () => {
    let refused = 0
    const nodeServer = makeNodeServer({
      publicUrl: () => "",
      errorPage,
      newId: () => "id",
      onRefused: () => {},
      onFull: () => refused++,
      maxConnections: 10,
      clients: {
        siteOf: ({ headers, socket }) => String(headers["x-forwarded-for"] ?? socket.remoteAddress),
        peerOf: ({ remoteAddress }) => (remoteAddress === proxy ? undefined : remoteAddress)
      },
      whileStarting: (_, response) => response.end("starting")
    })
    /** The server's ends of all connections so far. */
    const sockets: Array<Socket> = []
    nodeServer.server.on("connection", (socket: Socket) => void sockets.push(socket))
    await once(nodeServer.server.listen(0, "127.0.0.1"), "listening")
    const address = nodeServer.server.address()
    const port = typeof address === "object" ? (address?.port ?? 0) : 0
    return { ...nodeServer, port, sockets, refused: () => refused }
  }),
  ({ cut, server }) =>
    Effect.sync(() => {
      server.close()
      cut()
    })
)

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

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const halfHead = "GET / HTTP/1.1\r\nHost: a\r\n"
const halfBody = "POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 5000\r\n\r\n{"

/** More than the system buffers for a client that does not read. */
const large = Buffer.alloc(20_000_000)

const write = (response: ServerResponse, pieces: number): void => {
  if (pieces === 0) return void response.end()
  response.write(large.subarray(0, 1_000_000))
  response.once("drain", () => write(response, pieces - 1))
}

/** Answers by path: "received" once it has read the request, a large response, pieces of one, one piece, or never. */
const listener: RequestListener = (request, response) => {
  if (request.url === "/large") response.end(large)
  if (request.url === "/pieces") write(response, 20)
  if (request.url === "/piece") response.write("piece")
  if (request.url === "/") request.resume().on("end", () => response.end("received"))
}

describe("a server that has reached its connection limit", () => {
  it.live("serves every newcomer, and closes the connection that has been waiting for its client longest", () =>
    Effect.gen(function* () {
      const { connections, port, serve, sockets } = yield* listening
      let finish = () => {}
      serve((request, response) => {
        if (request.url === "/slow") finish = () => response.end(large)
        else listener(request, response)
      })
      yield* openClient(port, get("/slow"), { reads: false })
      yield* openClient(port, get("/never"))
      for (const text of ["", halfHead, halfBody, get("/large"), get("/pieces"), get("/"), get("/")]) {
        const { received } = yield* openClient(port, text, { reads: text === get("/") })
        yield* until(() => text !== get("/") || received().includes("received"))
        yield* pause(20)
      }
      finish()
      yield* pause(20)
      yield* openClient(port, halfBody)
      yield* until(() => connections() === 10)
      // A connection that has waited for less than 100 ms is not closed.
      yield* pause(150)
      // The first one has waited since its response began, and the second one waits for the service.
      for (const closed of [2, 3, 4, 5, 6, 7, 8, 0, 9]) {
        const newcomer = yield* openClient(port, get("/"))
        yield* until(() => newcomer.received().includes("received"))
        assert.isTrue(sockets[closed]?.destroyed, String(closed))
        assert.isFalse(sockets[1]?.destroyed)
        assert.strictEqual(connections(), 10)
      }
      assert.lengthOf(
        sockets.filter(({ destroyed }) => destroyed),
        9
      )
    })
  )

  it.live("closes connections that trickle before younger ones", () =>
    Effect.gen(function* () {
      const { port, serve, sockets } = yield* listening
      serve(listener)
      const head = yield* openClient(port, `${halfHead}X-Long: `)
      const body = yield* openClient(port, halfBody)
      const reader = yield* openClient(port, get("/large"), { reads: false })
      const trickle = setInterval(() => {
        for (const { socket } of [head, body]) socket.write("x")
        reader.socket.read(1000)
      }, 5)
      yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(trickle)))
      yield* pause(50)
      yield* Effect.replicateEffect(openClient(port, halfBody), 7)
      yield* until(() => sockets.length === 10)
      yield* pause(150)
      for (let i = 0; i < 3; i++) {
        const newcomer = yield* openClient(port, get("/"))
        yield* until(() => newcomer.received().includes("received"))
      }
      assert.deepStrictEqual(
        sockets.map(({ destroyed }) => destroyed),
        Array.from({ length: 13 }, (_, i) => i < 3)
      )
    })
  )

  it.live("answers 503 on a new connection while it is at work for every other", () =>
    Effect.gen(function* () {
      const { connections, port, refused, serve, sockets } = yield* listening
      let received = 0
      serve((request, response) => {
        received++
        listener(request, response)
      })
      yield* Effect.replicateEffect(openClient(port, get("/never")), 8)
      // A body that nobody reads yet, and a response that has begun.
      yield* openClient(port, halfBody.replace("/", "/never"))
      yield* openClient(port, get("/piece"))
      yield* until(() => received === 10)
      yield* pause(150)
      const more = yield* openClient(port, get("/"))
      yield* until(more.isClosed)
      assert.match(more.received(), /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*"code":"unavailable"/)
      assert.deepStrictEqual([refused(), connections()], [1, 10])
      assert.isTrue(sockets.slice(0, 10).every(({ destroyed }) => !destroyed))
    })
  )
})
