import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { Place, Standing } from "../../Limits.ts"
import type { ReceivedRequest } from "../ClientAddress.ts"

type NodeHeaders = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/** A response that knows when it began, in milliseconds of `performance.now`. */
export class TimedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  begunAt: number | undefined

  override writeHead(status: number, textOrFields?: string | NodeHeaders, fields?: NodeHeaders): this {
    this.begunAt = performance.now()
    return typeof textOrFields === "string"
      ? super.writeHead(status, textOrFields, fields)
      : super.writeHead(status, textOrFields ?? fields)
  }
}

/** The slots that a request holds until it is over; this does not keep the request in memory. */
interface Held {
  /** The place among the requests of its peer that the service works on. */
  place?: Place | undefined
  /** Releases the slot among the requests that were read though too many wait. */
  releaseExcess?: (() => void) | undefined
}

/** Releases all that a request holds. */
export const releaseHeld = ({ place, releaseExcess }: Held): void => {
  place?.release()
  releaseExcess?.()
}

/** A request whose response has not been sent completely. */
export class OpenRequest implements Standing {
  readonly request: IncomingMessage
  readonly response: TimedResponse
  /** The time when its headers were complete, in milliseconds of `performance.now`. */
  readonly receivedAt = performance.now()
  readonly held: Held = {}
  private waits = 0
  private isRefused = false
  private comeBack: (() => void) | undefined

  constructor(request: IncomingMessage, response: TimedResponse) {
    this.request = request
    this.response = response
  }

  readonly wait = (): (() => boolean) => {
    if (this.waits++ === 0) this.comeBack = this.held.place?.stepAside()
    let isOver = false
    return () => {
      if (!isOver && --this.waits === 0) this.comeBack?.()
      isOver = true
      return !this.request.socket.destroyed
    }
  }

  readonly refuse = (): void => {
    this.isRefused = true
  }

  /** True if it waits for its turn or a line of the service, or has been refused: nothing is lost if it is closed. */
  isWaiting(): boolean {
    return this.waits > 0 || this.isRefused || this.held.place?.hasBegun() === false
  }
}

/** A connection of a server. */
export interface Connection {
  readonly socket: Socket
  /**
   * Its open requests, of which the first is being answered. An array, because a long-lived Set keeps its old tables
   * reachable after it grows, so one old request would keep all later ones in memory.
   */
  readonly open: Array<OpenRequest>
  /** The client at its other end; undefined for a trusted proxy. */
  readonly peer: string | undefined
  /** The time when it was opened or its last response was sent, in milliseconds of `performance.now`. */
  idleSince: number
  /** The bytes that were read before the requests that wait behind the first. */
  readBefore: number
  /** True while nothing is read from it, because too much waits. */
  isPaused: boolean
}

/** The connections of a server, by their sockets. */
export type Connections = Map<Duplex, Connection>

/** The wait of a connection for its client before it may give way, in milliseconds, so that sent data is read. */
const minWaiting = 100

/**
 * The time since which a connection has been waiting, so that it may give way at `now`: for its client, however many
 * bytes that has sent or read since, or for a line or turn of the service. For its client it waits for complete headers,
 * for a complete body that the service is reading, or for the response to be read, and gives way after a while.
 * Undefined while the service itself is at work.
 */
const waitingSince = ({ idleSince, open: [first] }: Connection, now: number): number | undefined => {
  const ofClient = (since: number) => (since <= now - minWaiting ? since : undefined)
  if (first === undefined) return ofClient(idleSince)
  const { receivedAt, request, response } = first
  if (response.begunAt !== undefined) {
    return response.writableEnded || response.writableNeedDrain ? ofClient(response.begunAt) : undefined
  }
  if (first.isWaiting()) return receivedAt
  return !request.complete && request.readableFlowing !== null ? ofClient(receivedAt) : undefined
}

/** The connections of a client, and the one of them that has been waiting longest. */
interface OfClient {
  count: number
  longest?: Socket
  since: number
}

/** Of the clients that have a waiting connection, the one with the most connections: its longest waiting one. */
export const longestWaiting = (
  connections: Connections,
  networkOf: (request: ReceivedRequest) => string
): Socket | undefined => {
  const now = performance.now()
  const clients = new Map<string, OfClient>()
  for (const connection of connections.values()) {
    const { open, socket } = connection
    const [first] = open
    const site = networkOf(first === undefined ? { headers: {}, socket } : first.request)
    const client = clients.get(site) ?? { count: 0, since: Infinity }
    clients.set(site, client)
    client.count++
    const since = waitingSince(connection, now) ?? Infinity
    if (since >= client.since) continue
    client.longest = socket
    client.since = since
  }
  let most: OfClient = { count: 0, since: Infinity }
  for (const client of clients.values()) {
    if (client.longest === undefined || client.count < most.count) continue
    if (client.count > most.count || client.since < most.since) most = client
  }
  return most.longest
}
