import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

/** A request that is being answered. */
export interface OpenRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** A connection of a server. */
export interface Connection {
  /** The client of the connection; undefined for a proxy, which has many clients behind it. */
  readonly client: string | undefined
  /**
   * Its requests in flight. An array, because a long-lived Set keeps its old tables reachable after it grows, so one old
   * request would keep all later ones in memory.
   */
  readonly open: Array<OpenRequest>
  /** The time since which it has had no request, in milliseconds of `performance.now`. */
  idleSince: number
}

export type Connections = Map<Duplex, Connection>

/** How often connections are checked, in milliseconds. */
const interval = 1000

/** The limit on writing one response in total, as a multiple of the limit on time without progress. */
const totalFactor = 10

const isBeingWritten = ({ response }: OpenRequest) => response.headersSent && !response.writableFinished

/**
 * Cuts off clients that do not read their responses: those that read no byte for `timeout` milliseconds, which is also
 * the interval of the check, and those that have not read the whole response after ten times as long.
 */
export const cutSlowReaders = (server: Server, connections: Connections, timeout: number): void => {
  // Node counts the bytes that the system has accepted before it reports a socket as idle.
  server.timeout = timeout
  server.on("timeout", (socket: Duplex) => {
    const open = connections.get(socket)?.open ?? []
    // Before a response has begun, the client may be waiting for it, or still be sending its request.
    if (open.length === 0 || open.some(isBeingWritten)) socket.destroy()
  })

  const since = new WeakMap<ServerResponse, number>()
  const look = () => {
    const now = performance.now()
    for (const [socket, { open }] of connections) {
      for (const activeRequest of open) {
        if (!isBeingWritten(activeRequest)) continue
        const begun = since.get(activeRequest.response) ?? now
        since.set(activeRequest.response, begun)
        if (now - begun > timeout * totalFactor) socket.destroy()
      }
    }
  }
  const timer = setInterval(look, interval).unref()
  server.once("close", () => clearInterval(timer))
}
