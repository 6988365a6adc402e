import { createServer, type Server, type Socket } from "node:net"
import { Effect } from "effect"

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

/** Listens until the scope closes, on a free port unless one is named, and gives its URL. */
export const listen = (onConnection: (socket: Socket) => void, port = 0) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const server: Server = createServer((socket) => {
        sockets.add(socket)
        // Whoever is at the other end may hang up whenever it likes.
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
        onConnection(socket)
      })
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
      const address = server.address()
      if (address === null || typeof address === "string") throw new Error("No port")
      return { server, sockets, url: `http://127.0.0.1:${address.port}` }
    }),
    ({ server, sockets }) =>
      Effect.promise(() => {
        for (const socket of sockets) socket.destroy()
        return new Promise<void>((resolve) => server.close(() => resolve()))
      })
  ).pipe(Effect.map(({ url }) => url))

/** Plays the script, one play a request, over all connections; the last play is repeated. */
export const faultServer = Effect.fnUntraced(function* (...script: readonly [Play, ...ReadonlyArray<Play>]) {
  const requests: Array<string> = []
  const url = yield* listen((socket) => {
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
  const server: FaultServer = { url, requests }
  return server
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
