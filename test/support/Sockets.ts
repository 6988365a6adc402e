import { once } from "node:events"
import { connect, type Server, type Socket } from "node:net"
import { Effect } from "effect"

/** A connection, with the text that the server has sent on it so far, and whether the server has closed it. */
export interface Client {
  readonly socket: Socket
  readonly received: () => string
  readonly isClosed: () => boolean
}

/**
 * Opens a connection, sends a text, and keeps its side open until the scope closes. A client that does not read
 * receives nothing.
 */
export const openClient = (
  port: number,
  text: string,
  options: { readonly reads?: boolean; readonly localAddress?: string } = {}
) =>
  Effect.acquireRelease(
    Effect.callback<Client>((resume) => {
      const { localAddress = "127.0.0.1", reads = true } = options
      const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true })
      let received = ""
      let closed = false
      if (reads) socket.setEncoding("latin1").on("data", (chunk: string) => (received += chunk))
      else socket.pause()
      socket.on("error", () => {})
      socket.on("end", () => (closed = true))
      socket.on("close", () => (closed = true))
      socket.once("connect", () => {
        socket.write(text)
        resume(Effect.succeed({ socket, received: () => received, isClosed: () => closed }))
      })
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

/** A pause in real time. */
export const pause = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

/** Listens until the scope closes, which also ends open connections. Returns the URL; the port is free unless one is given. */
export const listen = (server: Server, port = 0) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      server.on("connection", (socket) => {
        sockets.add(socket)
        // The other end may disconnect at any time.
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
      })
      await once(server.listen(port, "127.0.0.1"), "listening")
      const address = server.address()
      if (address === null || typeof address === "string") throw new Error("No port")
      return { sockets, url: `http://127.0.0.1:${address.port}` }
    }),
    ({ sockets }) =>
      Effect.promise(() => {
        for (const socket of sockets) socket.destroy()
        return new Promise((resolve) => server.close(resolve))
      })
  ).pipe(Effect.map(({ url }) => url))
