import { once } from "node:events"
import type { RequestListener } from "node:http"
import { createConnection, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../../support/Process.ts"
import { openClient } from "../../support/Sockets.ts"
import { makeNodeServer } from "../../../src/http/server/NodeServer.ts"

/** A server that listens, and that nobody answers for yet. */
const listening = Effect.acquireRelease(
  Effect.promise(async () => {
    const nodeServer = makeNodeServer({
      publicUrl: () => "",
      newId: () => "id",
      onRefused: () => {},
      onFull: () => {},
      maxConnections: 10,
      answerTimeout: 500
    })
    await once(nodeServer.server.listen(0, "127.0.0.1"), "listening")
    return nodeServer
  }),
  ({ server }) => Effect.sync(() => server.close().closeAllConnections())
)

describe("a server that is just starting", () => {
  for (const expectation of ["", "expect: 100-continue\r\n"]) {
    it.live(`answers a request that came before its routes were made${expectation && ", with an expectation"}`, () =>
      Effect.gen(function* () {
        const { serve, server } = yield* listening
        const address = server.address()
        const arrived = new Promise((resolve) =>
          server.once("connection", (socket: Socket) => socket.once("data", resolve))
        )
        const socket = createConnection(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1")
        socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${expectation}content-length: 2\r\nconnection: close\r\n\r\nhi`)
        yield* Effect.promise(() => arrived)

        const answer: RequestListener = (request, response) => {
          let body = ""
          request.on("data", (chunk: Buffer) => (body += chunk.toString()))
          request.on("end", () => response.end(`heard ${body}`))
        }
        serve(answer)
        let heard = ""
        socket.on("data", (chunk) => (heard += chunk.toString()))
        yield* Effect.promise(() => once(socket, "end"))
        assert.include(heard, "heard hi")
      })
    )
  }
})

describe("a client that takes its answer slowly", () => {
  it.live("is cut off after ten times the time that it may take no byte, though it always takes some", () =>
    Effect.gen(function* () {
      const { connections, serve, server } = yield* listening
      serve((_, response) => response.end(Buffer.alloc(300_000_000)))
      const address = server.address()
      const port = typeof address === "object" ? (address?.port ?? 0) : 0
      const started = performance.now()
      const { socket } = yield* openClient(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", { reads: false })
      let taken = 0
      socket.on("data", (chunk) => {
        taken += chunk.length
        socket.pause()
        setTimeout(() => socket.resume(), 2)
      })
      socket.resume()
      yield* until(() => connections() === 0)
      assert.isBelow(taken, 300_000_000)
      assert.isAbove(performance.now() - started, 5000)
      assert.isBelow(performance.now() - started, 30_000)
    })
  )
})
