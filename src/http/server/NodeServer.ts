import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
  STATUS_CODES
} from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { HeadersTooLarge, MalformedRequest, RequestTimeout, TooManyConnections } from "../problems/HttpFailures.ts"
import { type HttpFailure, HttpProblem, toProblem } from "../problems/HttpProblems.ts"
import { type ErrorPage, type Listener, shownAs } from "./RequestPipeline.ts"
import type { ClientAddress, ReceivedRequest } from "../ClientAddress.ts"
import { newRequest } from "../RequestState.ts"
import { makeSlots, type Place, type Standing } from "../../Limits.ts"
import { responseHeaders } from "../ResponseHeaders.ts"

type NodeHeaders = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/** A response that knows when it began, in milliseconds of `performance.now`. */
class TimedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  begunAt: number | undefined

  override writeHead(status: number, textOrFields?: string | NodeHeaders, fields?: NodeHeaders): this {
    this.begunAt = performance.now()
    return typeof textOrFields === "string"
      ? super.writeHead(status, textOrFields, fields)
      : super.writeHead(status, textOrFields ?? fields)
  }
}

/** A request whose response has not been sent completely. */
class OpenRequest implements Standing {
  readonly request: IncomingMessage
  readonly response: TimedResponse
  /** The time when its headers were complete, in milliseconds of `performance.now`. */
  readonly receivedAt = performance.now()
  /** Its place among the requests of its peer that the service works on. */
  place: Place | undefined
  /** Releases its slot among the requests that were read though too many wait. */
  releaseExcess: (() => void) | undefined
  private waits = 0
  private isRefused = false
  private comeBack: (() => void) | undefined

  constructor(request: IncomingMessage, response: TimedResponse) {
    this.request = request
    this.response = response
  }

  readonly wait = (): (() => boolean) => {
    if (this.waits++ === 0) this.comeBack = this.place?.stepAside()
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

  /** Releases all that it has. */
  release(): void {
    this.place?.release()
    this.releaseExcess?.()
  }

  /** True if it waits for its turn or a line of the service, or has been refused: nothing is lost if it is closed. */
  isWaiting(): boolean {
    return this.waits > 0 || this.isRefused || this.place?.hasBegun() === false
  }
}

/** A connection of a server. */
interface Connection {
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

type Connections = Map<Duplex, Connection>

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
const longestWaiting = (
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

/** Limits for one connection: 16 KiB of headers, 10 s to send them, 15 s for the request, 65 s of silence. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
  ServerResponse: TimedResponse,
  // Requests without Host are answered by this service: Node's response would not be a problem document.
  requireHostHeader: false,
  // There is nothing to upgrade to: answer such a request as if it had not asked.
  shouldUpgradeCallback: () => false
}

const failureByCode = (code: string | undefined) => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HeadersTooLarge()
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestTimeout()
    default:
      return new MalformedRequest()
  }
}

/** An error of Node's parser, with the data that it has read last. */
interface ClientError {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/** The part of a broken request that Node has read last, as far as it decides the form of the response. */
const headersIn = (packet: Buffer | undefined): IncomingHttpHeaders =>
  Object.fromEntries(
    [...(packet?.toString("latin1") ?? "").matchAll(/\r\n(accept|x-api-key):([^\r\n]*)(?=\r\n)/gi)].map(
      ([, name = "", value = ""]) => [name.toLowerCase(), value.trim()]
    )
  )

/** A connection that was refused before it had sent a request. */
interface RefusedConnection {
  readonly id: string
  readonly code: string
  readonly status: number
  readonly socket: Duplex
}

/** A server whose request listener is set later. */
export interface NodeServer {
  readonly server: Server
  /** Answers all requests, including those that arrived earlier and whose clients still wait. */
  readonly serve: (listener: Listener) => void
  /** The number of open connections. */
  readonly connections: () => number
  /** Destroys every connection, including those that Node's HTTP server no longer tracks. */
  readonly cut: () => void
}

/** The largest body that any route accepts, in bytes; a client is never asked to continue with a larger one. */
const largestBody = 1088 * 1024

/** The number of connections over the limit that get a 503 at a time; any more are closed without a response. */
const maxOverLimit = 64

/** The most requests of one peer that the service works on at a time. The others wait unread. */
const maxAtWork = 64

/** The requests, and their bytes, that may wait on a connection behind the first before no more are read. */
const maxBehind = { requests: 16, bytes: 256 * 1024 }

/** The most requests beyond that, of all connections, which were read with the last ones. */
const maxExcess = 10_000

/** The time that early requests wait for a listener after the server starts, in milliseconds. */
const maxPatience = 1000

/**
 * Creates a server that slow clients cannot block: when its connections are used up, the one that has been waiting for
 * its client longest is closed for a new one. It also answers data that never becomes a request (broken framing, headers
 * too large or too slow, one connection too many) with a problem document, or in a browser with its page.
 */
export const makeNodeServer = (options: {
  readonly publicUrl: () => string
  /** Renders a problem as a page, for a browser whose headers are known. */
  readonly errorPage: ErrorPage
  /** Creates the request ID of such a response. */
  readonly newId: () => string
  /** Called for each such response, except those to connections over the limit. */
  readonly onRefused: (refused: RefusedConnection) => void
  /** Called for each connection over the limit. */
  readonly onFull: () => void
  /** The most connections served at a time. */
  readonly maxConnections: number
  /** Answers if `serve` is not called within a second of listening: the service is waiting for its database. */
  readonly whileStarting: Listener
  readonly clients: Pick<ClientAddress["Service"], "peerOf" | "networkOf">
}): NodeServer => {
  const { clients, errorPage, maxConnections, newId, onFull, onRefused, publicUrl, whileStarting } = options
  const connections: Connections = new Map()
  /** Connections over the limit that are being sent a 503. */
  const overLimit = new Set<Duplex>()
  /** Connections that are ending: later requests on them are not answered. */
  const ending = new WeakSet<Duplex>()
  const atWork = makeSlots({ atOnce: maxAtWork, refusal: () => undefined })
  const excess = makeSlots({ all: maxExcess, refusal: () => undefined })
  const server = createServer(limits)

  /**
   * Node removes its error listener when it detaches a socket; without one, a reset by the client would end the
   * process.
   */
  const letGo = (socket: Duplex) => {
    ending.add(socket)
    socket.on("error", () => socket.destroy())
  }
  const refuse = (socket: Duplex, failure: HttpFailure, packet?: Buffer) => {
    const id = newId()
    letGo(socket)
    const reply = { request: { headers: headersIn(packet) }, state: newRequest(id, publicUrl()), errorPage }
    endConnection(socket, rawAnswer(reply, failure))
    const { code, status } = HttpProblem[failure._tag]
    if (failure._tag !== "TooManyConnections") onRefused({ id, code, status, socket })
  }
  const refuseOneTooMany = (socket: Duplex) => {
    onFull()
    if (overLimit.size >= maxOverLimit) {
      socket.destroy()
      return
    }
    overLimit.add(socket)
    socket.once("close", () => overLimit.delete(socket))
    refuse(socket, new TooManyConnections())
  }

  /** Closes a connection that is waiting, of whoever has the most. Returns false if none can be closed. */
  const makeRoom = (): boolean => {
    const longest = longestWaiting(connections, clients.networkOf)
    if (longest === undefined) return false
    connections.delete(longest)
    longest.destroy()
    return true
  }

  /** Ends a connection on which nothing more can be read. */
  const stop = (socket: Duplex, failure: HttpFailure, error: ClientError = {}) => {
    if (ending.has(socket)) return
    const open = connections.get(socket)?.open ?? []
    const last = open.findLast(({ request }) => request.complete)
    if (last !== undefined && !last.response.writableFinished) {
      // The fault follows a complete request, which may have been charged: answer that first.
      letGo(socket)
      last.response.once("finish", () => endConnection(socket))
    } else if (!socket.writable || error.code === "ECONNRESET" || open.some(({ response }) => response.headersSent)) {
      letGo(socket)
      socket.destroy()
    } else {
      refuse(socket, failure, error.rawPacket)
    }
  }

  server.on("connection", (socket) => {
    if (connections.size >= maxConnections && !makeRoom()) return refuseOneTooMany(socket)
    const peer = clients.peerOf(socket)
    const idleSince = performance.now()
    const connection: Connection = { socket, open: [], peer, idleSince, readBefore: 0, isPaused: false }
    connections.set(socket, connection)
    // Node resumes a connection at the end of each request.
    socket.on("resume", () => {
      if (connection.isPaused) socket.pause()
    })
    socket.once("close", () => {
      connections.delete(socket)
      // Node closes no response that waits behind another one.
      for (const request of connection.open.splice(0)) request.release()
    })
  })

  // The routes need the address of the server, which accepts connections as soon as it has one. A restart is usually
  // over before clients notice; if it takes longer, they get a 503 instead of waiting.
  const early: Array<Parameters<Listener>> = []
  let answer: Listener = (...received) => void early.push(received)
  const answerBy = (listener: Listener) => {
    answer = listener
    for (const received of early.splice(0)) {
      // Whatever waits for a response to close would wait forever for one that has.
      if (!received[1].closed) listener(...received)
    }
  }
  let patience: NodeJS.Timeout | undefined
  server.once("listening", () => {
    patience = setTimeout(() => answerBy(whileStarting), maxPatience).unref()
  })

  /** Reads from a connection unless too much waits there. */
  const regulate = (connection: Connection) => {
    const { isPaused, open, readBefore, socket } = connection
    connection.isPaused =
      open[0]?.place?.hasBegun() === false ||
      open.length > maxBehind.requests ||
      (open.length > 1 && socket.bytesRead - readBefore > maxBehind.bytes)
    if (connection.isPaused) socket.pause()
    else if (isPaused) socket.resume()
  }

  /** Passes on the first request of a connection, in the turn of its peer. */
  const begin = (connection: Connection, first: OpenRequest) => {
    const pass = () => answer(first.request, first.response, first)
    const { peer } = connection
    if (peer === undefined) return pass()
    first.place = atWork.queue(peer, () => {
      regulate(connection)
      pass()
    })
    if (first.place?.hasBegun() === true) pass()
    else regulate(connection)
  }

  const answered: Array<OpenRequest> = []
  /**
   * Releases what a request has after this turn of the event loop. Node accepts one connection in a turn: a peer with
   * quick requests on hundreds of connections would make each turn so long that nobody new is accepted.
   */
  const release = (request: OpenRequest) => {
    if (answered.push(request) > 1) return
    setImmediate(() => {
      for (const each of answered.splice(0)) each.release()
    })
  }

  /** Answers the first requests of a connection, then ends it. */
  const endEarly = ({ open, socket }: Connection) => {
    if (ending.has(socket)) return
    letGo(socket)
    for (const request of open.splice(maxBehind.requests)) request.release()
    open.at(-1)?.response.once("finish", () => endConnection(socket))
  }

  const waitBehind = (connection: Connection, last: OpenRequest) => {
    const { open, socket } = connection
    if (open.length === 2) connection.readBefore = socket.bytesRead
    regulate(connection)
    if (open.length - 1 <= maxBehind.requests) return
    // It was read together with those before it.
    const end = () => endEarly(connection)
    last.releaseExcess = excess.hold(clients.networkOf(last.request), end)
    if (last.releaseExcess === undefined) end()
  }

  server.on("request", (request, response) => {
    const connection = connections.get(request.socket)
    if (connection === undefined || ending.has(request.socket)) return
    const { open, socket } = connection
    const received = new OpenRequest(request, response)
    open.push(received)
    response.on("close", () => {
      release(received)
      open.splice(0, open.indexOf(received) + 1)
      connection.idleSince = performance.now()
      // Answer the next pipelined request: a connection has one request in flight.
      const [next] = open
      if (next !== undefined && !socket.destroyed) {
        connection.readBefore = socket.bytesRead
        begin(connection, next)
      }
      regulate(connection)
    })
    if (open.length === 1) begin(connection, received)
    else waitBehind(connection, received)
  })
  server.on("checkContinue", (request, response) => {
    if (ending.has(request.socket)) return
    if (Number(request.headers["content-length"] ?? 0) <= largestBody) response.writeContinue()
    server.emit("request", request, response)
  })
  // Ignore an unknown expectation: the request can still be answered.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_, socket) => stop(socket, new MalformedRequest()))
  server.on("clientError", (error: ClientError, socket) => {
    const connection = connections.get(socket)
    // It is the service that does not read the rest of a request behind others.
    const isUnread = connection?.isPaused === true && connection.open.length > 1
    if (!isUnread || error.code !== "ERR_HTTP_REQUEST_TIMEOUT") stop(socket, failureByCode(error.code), error)
  })
  return {
    server,
    serve: (listener) => {
      clearTimeout(patience)
      answerBy(listener)
    },
    connections: () => connections.size,
    cut: () => {
      for (const socket of [...connections.keys(), ...overLimit]) socket.destroy()
    }
  }
}

/** The time that a client has to read the last response and to close its side, in milliseconds. */
const gracePeriod = 1000

/**
 * Ends a connection with `answer` as its last bytes: it is destroyed once both sides are closed, or after a second.
 * Data that the client still sends is discarded: closing a socket with unread bytes resets it, and the client would
 * lose the response.
 */
const endConnection = (socket: Duplex, answer = ""): void => {
  if (socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), gracePeriod)
  socket.once("close", () => clearTimeout(timer))
  socket.resume()
  socket.end(answer)
}

/** The HTTP/1.1 response to data that never became a request: a problem, after which the connection closes. */
const rawAnswer = (reply: Parameters<typeof shownAs>[0], failure: HttpFailure): string => {
  const problem = toProblem(failure, reply.state)
  const { status } = problem
  const { contentType, headers, text } = shownAs(reply, problem)
  const fields = {
    "content-type": contentType,
    ...headers,
    ...responseHeaders(reply.state, true),
    "content-length": Buffer.byteLength(text)
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`
}
