import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
  type ServerResponse
} from "node:http"
import type { Duplex } from "node:stream"
import { HeadersTooLarge, MalformedRequest, RequestTimeout } from "../problems/HttpFailures.ts"
import { toProblem } from "../problems/Problems.ts"
import { newRequest } from "../RequestState.ts"
import { answerHeaders } from "../ResponseHeaders.ts"

/** Bounds on what one client can hold: 16 KiB of headers, 10 s to send them, 15 s for the request, 65 s of silence. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
  // The boundary answers a request without Host; Node's own answer is no problem document.
  requireHostHeader: false,
  // There is nothing to upgrade to: such a request is answered as if it had not asked.
  shouldUpgradeCallback: () => false
}

const failureOf = (code: string | undefined) => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HeadersTooLarge()
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestTimeout()
    default:
      return new MalformedRequest()
  }
}

interface Open {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** A server, and how it gets to know who answers its requests. */
export interface NodeServer {
  readonly server: Server
  /** Answers all requests from now on, and those that have come before. */
  readonly serve: (listener: RequestListener) => void
}

/** The largest body that any route reads, in bytes: a larger one is not asked for. */
const largestBody = 1024 * 1024

/**
 * A server whose clients cannot hold it up, and that answers what never becomes a request (broken framing, headers too
 * large or too slow) with a problem document too. `newId` makes the id of such an answer, `onRefused` is told of it.
 */
export const makeNodeServer = (options: {
  readonly publicUrl: () => string
  readonly newId: () => string
  readonly onRefused: (id: string, status: number) => void
}): NodeServer => {
  const exchanges = new WeakMap<Duplex, Set<Open>>()
  const server = createServer(limits)

  const refuse = (socket: Duplex, failure: ReturnType<typeof failureOf>) => {
    const state = newRequest(options.newId(), options.publicUrl())
    const { body, contentType, headers, status } = toProblem(failure, state)
    const text = JSON.stringify(body)
    const fields = {
      "content-type": contentType,
      ...headers,
      ...answerHeaders(state, true),
      "content-length": Buffer.byteLength(text)
    }
    options.onRefused(state.id, status)
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`)
  }

  // A server takes connections as soon as it has its address, which the routes are made from.
  const early: Array<Open> = []
  let answer: RequestListener = (request, response) => void early.push({ request, response })

  server.on("request", (request, response) => {
    const open = exchanges.get(request.socket) ?? new Set()
    const exchange = { request, response }
    exchanges.set(request.socket, open.add(exchange))
    response.once("close", () => open.delete(exchange))
    answer(request, response)
  })
  server.on("checkContinue", (request, response) => {
    if (Number(request.headers["content-length"] ?? 0) <= largestBody) response.writeContinue()
    server.emit("request", request, response)
  })
  // An expectation that is not known is no reason to refuse a request that can be answered.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_, socket) => refuse(socket, new MalformedRequest()))
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const open = [...(exchanges.get(socket) ?? [])]
    const whole = open.filter(({ request }) => request.complete)
    const last = whole.at(-1)
    if (last !== undefined && !last.response.writableFinished) {
      // The fault is in what follows a whole request, which may have been charged: it is answered first.
      last.response.once("finish", () => socket.destroy())
    } else if (!socket.writable || error.code === "ECONNRESET" || open.some(({ response }) => response.headersSent)) {
      socket.destroy()
    } else {
      refuse(socket, failureOf(error.code))
    }
  })
  return {
    server,
    serve: (listener) => {
      answer = listener
      for (const { request, response } of early.splice(0)) listener(request, response)
    }
  }
}
