import { createServer, type Socket } from "node:net"
import { Effect } from "effect"
import { listen } from "./Sockets.ts"

/** What is done to the connection of a request that has arrived whole. */
export type Play = (socket: Socket) => void

/** A server that does to each request what its script says. */
export interface FaultServer {
  readonly url: string
  /** The requests that arrived whole, as texts. */
  readonly requests: ReadonlyArray<string>
}

/** The length of the first request in a text, once all of it is there. */
const lengthOfFirst = (text: string): number | undefined => {
  const headEnd = text.indexOf("\r\n\r\n") + 4
  if (headEnd < 4) return undefined
  const bodyLength = Number(/^content-length: *(\d+)/im.exec(text.slice(0, headEnd))?.[1] ?? 0)
  return text.length >= headEnd + bodyLength ? headEnd + bodyLength : undefined
}

/** Plays the script, one play a request, over all connections; the last play is repeated. */
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

/** An answer as a text. */
export const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `HTTP/1.1 ${status} Status`,
    ...Object.entries({ "content-type": "application/json", "content-length": body.length, ...headers }).map(
      ([name, value]) => `${name}: ${value}`
    ),
    "",
    body
  ].join("\r\n")

/** Answers, and keeps the connection. */
export const reply =
  (...[status, body, headers]: Parameters<typeof answer>): Play =>
  (socket) => {
    socket.write(answer(status, body, headers))
  }

/** Answers with a problem, as the service does. */
export const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Play =>
  reply(
    status,
    JSON.stringify({ status, code, message: `It is ${code}.`, retryable: status === 503, request_id: "request-1" }),
    { "content-type": "application/problem+json", ...headers }
  )

/** Writes the beginning of an answer, and ends the connection. */
export const cut =
  (text: string): Play =>
  (socket) => {
    socket.end(text)
  }
