import { createServer, type IncomingMessage, type Server, STATUS_CODES, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { HeadersTooLarge, MalformedRequest, RequestTimeout } from "./HttpFailures.ts"
import { toProblem } from "./Problems.ts"

/** Bounds on what one client can hold: 16 KiB of headers, 10 s to send them, 15 s for the request, 65 s of silence. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
  // The boundary answers a request without Host; Node's own answer is no problem document.
  requireHostHeader: false
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

/**
 * A server whose clients cannot hold it up, and that answers what never becomes a request (broken framing, headers too
 * large or too slow) with a problem document too. `newId` makes the id of such an answer.
 */
export const makeNodeServer = (options: { readonly publicUrl: () => string; readonly newId: () => string }): Server => {
  const answers = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(limits)
  const watch = ({ socket }: IncomingMessage, response: ServerResponse) => {
    answers.set(socket, response)
    response.once("close", () => answers.delete(socket))
  }
  server.on("request", watch)
  server.on("checkContinue", watch)
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // An answer that has begun cannot be followed by another.
    const hasBegun = answers.get(socket)?.headersSent === true
    if (!socket.writable || error.code === "ECONNRESET" || hasBegun) return socket.destroy()
    const id = options.newId()
    const { body, contentType, status } = toProblem(failureOf(error.code), { id, publicUrl: options.publicUrl() })
    const text = JSON.stringify(body)
    return socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: ${contentType}\r\nX-Request-Id: ${id}\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`
    )
  })
  return server
}
