import { createServer, type Socket } from "node:net"
import { Effect } from "effect"
import { listen } from "./Sockets.ts"

/** An action on the connection of a complete request. */
export type Play = (socket: Socket) => void

/** A server that follows a script, request by request. */
interface FaultServer {
  readonly url: string
  /** The complete requests, as texts. */
  readonly requests: ReadonlyArray<string>
}

/** The length of the first request in a text, once it is complete. */
const lengthOfFirst = (text: string): number | undefined => {
  const headEnd = text.indexOf("\r\n\r\n") + 4
  if (headEnd < 4) return undefined
  const bodyLength = Number(/^content-length: *(\d+)/im.exec(text.slice(0, headEnd))?.[1] ?? 0)
  return text.length >= headEnd + bodyLength ? headEnd + bodyLength : undefined
}

/** Runs the script, one action per request, over all connections; the last action is repeated. */
export const faultServer = Effect.fnUntraced(function* (...script: readonly [Play, ...ReadonlyArray<Play>]) {
  const requests: Array<string> = []
  const server = createServer((socket) => {
    let received = ""
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      received += chunk
      for (let length = lengthOfFirst(received); length !== undefined; length = lengthOfFirst(received)) {
        const play = script[requests.length] ?? script.at(-1) ?? script[0]
        requests.push(received.slice(0, length))
        received = received.slice(length)
        play(socket)
      }
    })
  })
  const started: FaultServer = { url: yield* listen(server), requests }
  return started
})

/** A response as a text. */
export const response = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `HTTP/1.1 ${status} Status`,
    ...Object.entries({ "content-type": "application/json", "content-length": body.length, ...headers }).map(
      ([name, value]) => `${name}: ${value}`
    ),
    "",
    body
  ].join("\r\n")

/** Responds, and keeps the connection open. */
export const reply =
  (...[status, body, headers]: Parameters<typeof response>): Play =>
  (socket) => {
    socket.write(response(status, body, headers))
  }

/** Responds with a problem, like the service. */
export const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Play =>
  reply(
    status,
    JSON.stringify({ status, code, message: `It is ${code}.`, retryable: status === 503, request_id: "request-1" }),
    { "content-type": "application/problem+json", ...headers }
  )

/** Writes the beginning of a response, and closes the connection. */
export const cut =
  (text: string): Play =>
  (socket) => {
    socket.end(text)
  }
