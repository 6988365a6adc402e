import { once } from "node:events"
import type { RequestListener, ServerResponse } from "node:http"
import { createConnection, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../../support/Process.ts"
import { openClient, pause } from "../../support/Sockets.ts"
import { noStanding } from "../../../src/Limits.ts"
import { makeNodeServer } from "../../../src/http/server/NodeServer.ts"
import { errorPage } from "../../../src/site/ErrorPages.ts"

const proxy = "127.0.0.9"

/** A server for so many connections that listens, but has no handler yet. */
const listeningFor = (maxConnections: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let refused = 0
      const nodeServer = makeNodeServer({
        publicUrl: () => "",
        errorPage,
        newId: () => "id",
        onRefused: () => {},
        onFull: () => refused++,
        maxConnections,
        clients: {
          networkOf: ({ headers, socket }) => String(headers["x-forwarded-for"] ?? socket.remoteAddress),
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

const listening = listeningFor(10)

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

  it.live("closes what waits in a line of the service or is refused, first of whoever has the most", () =>
    Effect.gen(function* () {
      const { connections, port, serve, sockets } = yield* listening
      const begin: Array<() => boolean> = []
      serve((request, response, standing = noStanding) => {
        if (request.url === "/line") begin.push(standing.wait())
        if (request.url === "/refused") {
          standing.refuse()
          begin.push(() => true)
        }
        listener(request, response)
      })
      const from = (client: string, path = "/line") => get(path).replace("Host", `X-Forwarded-For: ${client}\r\nHost`)
      for (const text of [from("b"), from("a"), from("a"), from("a", "/refused"), from("c"), from("c"), get("/line")]) {
        const before = begin.length
        yield* openClient(port, text, { localAddress: proxy })
        yield* until(() => begin.length > before)
      }
      // It has its turn.
      assert.isTrue(begin[6]?.())
      yield* Effect.replicateEffect(openClient(port, get("/never"), { localAddress: proxy }), 3)
      yield* until(() => connections() === 10)
      for (const closed of [1, 2, 4, 0, 3, 5]) {
        yield* openClient(port, get("/never"))
        yield* until(() => sockets[closed]?.destroyed === true)
        // It does not begin any more, although nothing has interrupted it yet.
        assert.strictEqual(begin[closed]?.(), closed === 3)
        assert.strictEqual(connections(), 10)
      }
      const more = yield* openClient(port, get("/"))
      yield* until(more.isClosed)
      assert.include(more.received(), "503")
      assert.isFalse(sockets[6]?.destroyed)
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

describe("a server with many requests of one peer", () => {
  it.live("works on 64 at a time, and does not read the others until one is over or waits in a line", () =>
    Effect.gen(function* () {
      const { port, serve, sockets } = yield* listeningFor(1000)
      const taken: Array<{ readonly wait: () => () => boolean; readonly response: ServerResponse }> = []
      serve((request, response, { wait } = noStanding) => {
        if (request.url === "/held") taken.push({ wait, response })
        listener(request, response)
      })
      yield* Effect.replicateEffect(openClient(port, get("/held")), 64)
      yield* until(() => taken.length === 64)
      const unread = yield* openClient(port, `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${large.length}\r\n\r\n`)
      unread.socket.write(large)
      const next = yield* openClient(port, get("/held"))
      // Others are served, and behind a proxy all.
      for (const localAddress of ["127.0.0.2", ...Array.from({ length: 65 }, () => proxy)]) {
        const other = yield* openClient(port, get("/"), { localAddress })
        yield* until(() => other.received().includes("received"))
      }
      assert.isBelow(sockets[64]?.bytesRead ?? NaN, 1_000_000)
      assert.strictEqual(unread.received(), "")
      const end = taken[0]?.wait()
      yield* until(() => unread.received().includes("received"))
      yield* until(() => taken.length === 65)
      assert.isTrue(end?.())
      // Two too many run now.
      const last = yield* openClient(port, get("/held"))
      taken[0]?.response.end("over")
      yield* pause(20)
      assert.lengthOf(taken, 65)
      taken[1]?.response.end("over")
      yield* until(() => taken.length === 66)
      assert.deepStrictEqual([next.received(), last.received()], ["", ""])
    })
  )

  it.live("answers no more than 64 of one peer in a turn of the event loop, which accepts one connection", () =>
    Effect.gen(function* () {
      const { port, serve, sockets } = yield* listeningFor(1000)
      let turn = 0
      const turns: Array<number> = []
      serve((request, response) => {
        turns.push(turn)
        listener(request, response)
      })
      const clients = yield* Effect.replicateEffect(openClient(port, ""), 300)
      yield* until(() => sockets.length === 300)
      for (const { socket } of clients) socket.write(get("/"))
      const count = () => {
        turn++
        if (turns.length < 300) setImmediate(count)
      }
      setImmediate(count)
      yield* until(() => clients.every(({ received }) => received().includes("received")))
      // What waited is answered before or after the count goes up.
      const most = Math.max(
        ...Map.groupBy(turns, (turn) => turn)
          .values()
          .map(({ length }) => length)
      )
      assert.isAtMost(most, 128)
    })
  )

  it.live("closes one that is not read yet for a new connection", () =>
    Effect.gen(function* () {
      const { connections, port, serve, sockets } = yield* listeningFor(66)
      let received = 0
      serve((request, response) => {
        received++
        listener(request, response)
      })
      yield* Effect.replicateEffect(openClient(port, get("/never")), 66)
      yield* until(() => received === 64 && connections() === 66)
      yield* until(() => sockets.filter((socket) => socket.bytesRead > 0).length === 66)
      const newcomer = yield* openClient(port, get("/"), { localAddress: "127.0.0.2" })
      yield* until(() => newcomer.received().includes("received"))
      assert.deepStrictEqual(
        sockets.flatMap(({ destroyed }, i) => (destroyed ? [i] : [])),
        [64]
      )
    })
  )

  /** A request of 27 bytes. */
  const short = "GET / HTTP/1.1\r\nhost:a\r\n\r\n"
  const answersIn = (text: string) => text.split("received").length - 1

  it.live("reads no more than 16 pipelined ones, or 256 KB, behind one, and answers them all", () =>
    Effect.gen(function* () {
      const { port, serve, server, sockets } = yield* listening
      let arrived = 0
      server.on("request", () => arrived++)
      let finish = () => {}
      serve((request, response) => {
        if (request.url === "/held") finish = () => response.end("held")
        else listener(request, response)
      })
      const many = yield* openClient(port, get("/held") + short.repeat(16))
      yield* until(() => arrived === 17)
      many.socket.write(short.repeat(5000))
      yield* pause(50)
      assert.strictEqual(arrived, 17)
      // What is not read does not take too long.
      server.emit("clientError", Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), sockets[0])
      finish()
      yield* until(() => answersIn(many.received()) === 5016)

      const post = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 60000\r\n\r\n${"x".repeat(60_000)}`
      const heavy = yield* openClient(port, get("/held") + post.repeat(16))
      yield* until(() => (sockets[1]?.bytesRead ?? 0) > 256 * 1024)
      yield* pause(50)
      assert.isBelow(sockets[1]?.bytesRead ?? NaN, 512 * 1024)
      finish()
      yield* until(() => answersIn(heavy.received()) === 16)
    })
  )

  it.live("answers the first 16, and ends the connection, where 10,000 more were read at once", () =>
    Effect.gen(function* () {
      const { port, serve, server, sockets } = yield* listening
      server.on("connection", (socket: Socket) => socket.pause())
      const finish: Array<() => void> = []
      serve((request, response) => {
        if (request.url === "/held") finish.push(() => response.end("received"))
        else listener(request, response)
      })
      const clients = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (i) =>
        Effect.gen(function* () {
          const client = yield* openClient(port, "")
          const text = get("/held") + short.repeat(2000)
          yield* Effect.callback<void>((resume) => void client.socket.write(text, () => resume(Effect.void)))
          yield* until(() => sockets.length > i)
          sockets[i]?.resume()
          yield* until(() => finish.length > i && sockets[i]?.bytesRead === text.length)
          return client
        })
      )
      for (const end of finish) end()
      yield* until(() => clients.slice(0, 5).every(({ received }) => answersIn(received()) === 2001))
      const last = clients[5]
      yield* until(() => last?.isClosed() === true)
      assert.strictEqual(answersIn(last?.received() ?? ""), 16)
    })
  )
})
