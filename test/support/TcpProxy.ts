import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"
import { freePort } from "./freePort.ts"
import { listen } from "./Sockets.ts"

/** A network between a service and its Postgres server, with simulated faults. */
interface TcpProxy {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** Silently stops forwarding; new connections are accepted, but get no response. */
  readonly freeze: () => void
  /** Resumes forwarding, starting with what has arrived in the meantime. */
  readonly thaw: () => void
  /** Cuts all open connections. */
  readonly cut: () => void
  /** Cuts all connections and refuses new ones, as if the server had ended. */
  readonly close: () => void
  /** Accepts connections again. */
  readonly open: Effect.Effect<void>
  /**
   * Cuts the connection of the next transaction that contains this text and commits: after the server has committed,
   * before the service learns of it. Background statements of the service must not contain the text.
   */
  readonly cutAfterCommit: (text: string) => void
  /** The number of connections that were cut after a commit. */
  readonly commitsCut: () => number
}

/** The response of Postgres to COMMIT: CommandComplete with this tag. */
const committed = Buffer.from("C\0\0\0\x0bCOMMIT\0", "latin1")

/** Forwards connections to the server of a Postgres URL, until the scope closes. */
export const tcpProxy = Effect.fnUntraced(function* (target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let armed: string | undefined
  /** Connections to the server on which the text was sent. */
  let matched = new WeakSet<Socket>()
  let cuts = 0

  const pass = (from: Socket, to: Socket, isFromServer: boolean) => {
    sockets.add(from)
    from.on("data", (chunk: Buffer) => {
      if (!isFromServer && armed !== undefined && chunk.includes(armed)) matched.add(to)
      if (armed !== undefined && matched.has(from) && chunk.includes(committed)) {
        armed = undefined
        cuts++
        from.destroy()
        to.destroy()
        return
      }
      to.write(chunk)
    })
    const end = () => {
      sockets.delete(from)
      // A network that forwards nothing forwards no close either.
      if (isFrozen) waiting.push(() => to.destroy())
      else to.destroy()
    }
    from.on("error", () => {})
    from.on("close", end)
    if (isFrozen) from.pause()
  }
  const waiting: Array<() => void> = []

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    pass(client, upstream, false)
    pass(upstream, client, true)
  })
  const url = new URL(target)
  url.hostname = "127.0.0.1"
  const ownPort = yield* Effect.promise(freePort)
  yield* listen(server, ownPort)
  url.port = String(ownPort)

  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  // Frozen, a connection to the server outlives the client's.
  yield* Effect.addFinalizer(() => Effect.sync(cut))
  const proxy: TcpProxy = {
    url: url.href,
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const socket of sockets) socket.resume()
      for (const tell of waiting.splice(0)) tell()
    },
    cut,
    close: () => {
      server.close()
      cut()
    },
    open: Effect.promise(() => once(server.listen(ownPort, "127.0.0.1"), "listening")),
    cutAfterCommit: (text) => {
      armed = text
      matched = new WeakSet()
    },
    commitsCut: () => cuts
  }
  return proxy
})
