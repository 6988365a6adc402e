import { createServer, type Server } from "node:http"
import type { Duplex } from "node:stream"
import { MalformedRequest, TooManyConnections } from "../problems/HttpFailures.ts"
import { type HttpFailure, HttpProblem } from "../problems/HttpProblems.ts"
import type { ErrorPage, Listener } from "./RequestPipeline.ts"
import type { ClientAddress } from "../ClientAddress.ts"
import { makeSlots } from "../../Limits.ts"
import { type ClientError, failureByCode, rawAnswer } from "./BrokenRequests.ts"
import {
  type Connection,
  type Connections,
  longestWaiting,
  OpenRequest,
  releaseHeld,
  TimedResponse
} from "./Connections.ts"

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
    endConnection(socket, rawAnswer(failure, { id, publicUrl: publicUrl(), errorPage, packet }))
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
      for (const request of connection.open.splice(0)) releaseHeld(request.held)
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
      open[0]?.held.place?.hasBegun() === false ||
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
    first.held.place = atWork.queue(peer, () => {
      regulate(connection)
      pass()
    })
    if (first.held.place?.hasBegun() === true) pass()
    else regulate(connection)
  }

  const answered: Array<OpenRequest["held"]> = []
  /**
   * Releases what a request has after this turn of the event loop. Node accepts one connection in a turn: a peer with
   * quick requests on hundreds of connections would make each turn so long that nobody new is accepted.
   */
  const release = ({ held }: OpenRequest) => {
    if (answered.push(held) > 1) return
    setImmediate(() => {
      for (const each of answered.splice(0)) releaseHeld(each)
    })
  }

  /** Answers the first requests of a connection, then ends it. */
  const endEarly = ({ open, socket }: Connection) => {
    if (ending.has(socket)) return
    letGo(socket)
    for (const request of open.splice(maxBehind.requests)) releaseHeld(request.held)
    open.at(-1)?.response.once("finish", () => endConnection(socket))
  }

  const waitBehind = (connection: Connection, last: OpenRequest) => {
    const { open, socket } = connection
    if (open.length === 2) connection.readBefore = socket.bytesRead
    regulate(connection)
    if (open.length - 1 <= maxBehind.requests) return
    // It was read together with those before it.
    const end = () => endEarly(connection)
    last.held.releaseExcess = excess.hold(clients.networkOf(last.request), end)
    if (last.held.releaseExcess === undefined) end()
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
