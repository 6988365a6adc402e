import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

type HeaderFields = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/** A response that knows when it began, in milliseconds of `performance.now`. */
export class TimedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  begunAt: number | undefined

  override writeHead(status: number, textOrFields?: string | HeaderFields, fields?: HeaderFields): this {
    this.begunAt = performance.now()
    return typeof textOrFields === "string"
      ? super.writeHead(status, textOrFields, fields)
      : super.writeHead(status, textOrFields ?? fields)
  }
}

/** A request whose response has not been sent completely. */
export interface OpenRequest {
  readonly request: IncomingMessage
  readonly response: TimedResponse
  /** When its headers were complete, in milliseconds of `performance.now`. */
  readonly receivedAt: number
}

/** A connection of a server. */
export interface Connection {
  /**
   * Its open requests, of which the first is being answered. An array, because a long-lived Set keeps its old tables
   * reachable after it grows, so one old request would keep all later ones in memory.
   */
  readonly open: Array<OpenRequest>
  /** When it was opened or its last response was sent, in milliseconds of `performance.now`. */
  idleSince: number
}

export type Connections = Map<Duplex, Connection>

/**
 * The time since which a connection has been waiting for its client, however many bytes the client has sent or read
 * since: for complete headers, for a complete body that the service is reading, or for the client to read the response.
 * Undefined while the service itself is at work.
 */
const waitingSince = ({ idleSince, open: [first] }: Connection): number | undefined => {
  if (first === undefined) return idleSince
  const { receivedAt, request, response } = first
  if (response.begunAt !== undefined) {
    return response.writableEnded || response.writableNeedDrain ? response.begunAt : undefined
  }
  return !request.complete && request.readableFlowing !== null ? receivedAt : undefined
}

/** The connection that has been waiting for its client longest, and for at least `minWaiting` milliseconds. */
export const longestWaiting = (connections: Connections, minWaiting: number): Duplex | undefined => {
  let longest: Duplex | undefined
  let earliest = performance.now() - minWaiting
  for (const [socket, connection] of connections) {
    const since = waitingSince(connection)
    if (since === undefined || since > earliest) continue
    longest = socket
    earliest = since
  }
  return longest
}
