import { connect, type Socket } from "node:net"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as KeySecret from "../../src/keys/KeySecret.ts"
import { sample, type Target } from "./Attack.ts"

/** A secret in the right format that no server knows, and its hash. */
export const newSecret = Effect.map(
  Effect.provide(Effect.flatten(KeySecret.makeNewSecret("development")), SecureRandom.layerWebCrypto),
  (secret) => ({ secret: Redacted.value(secret), hash: KeySecret.hashOf(secret) })
)

/** The text of a request. */
export const wire = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = "") => {
  const length = body === "" ? {} : { "content-type": "application/json", "content-length": String(body.length) }
  const fields = Object.entries({ host: "a", ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${fields.join("")}\r\n${body}`
}

/** A request for a forecast, with a key or without. */
export const forecastWith = (key: string | undefined) =>
  wire("POST", "/api/v1/forecast", key === undefined ? {} : { "x-api-key": key }, sample)

/** The number of responses with each status; "closed" counts requests whose connections were closed instead. */
export type Responses = ReadonlyMap<string, number>

export const totalOf = (responses: Responses) => [...responses.values()].reduce((sum, count) => sum + count, 0)

export const listed = (responses: Responses) =>
  [...responses].map(([status, count]) => `${count} × ${status}`).join(", ")

/** The end of the first response in a text, or 0 if it is incomplete. */
const endOfAnswer = (received: string): number => {
  const body = received.indexOf("\r\n\r\n") + 4
  if (body < 4) return 0
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, body))?.[1] ?? 0)
  return received.length >= body + length ? body + length : 0
}

interface CrowdOptions {
  readonly connections: number
  /** On Linux all of 127.0.0.0/8 is local, and to the service each address is a client of its own. */
  readonly address: string
  /** The number of requests to send in total. */
  readonly most?: number
  readonly request: (i: number) => string
}

/** Connections of one client, each of which sends its next request as soon as the previous one is answered. */
const startCrowd = (target: Target, options: CrowdOptions, done: () => void) => {
  const { address, connections, most = Infinity, request } = options
  const responses = new Map<string, number>()
  const sockets = new Set<Socket>()
  let sent = 0
  let isStopped = false
  const count = (status: string) => {
    responses.set(status, (responses.get(status) ?? 0) + 1)
    if (totalOf(responses) === most) done()
  }
  const open = () => {
    const socket = connect({ port: target.server.port, host: "127.0.0.1", localAddress: address })
    sockets.add(socket)
    let received = ""
    let isAsking = false
    const sendRequest = () => {
      isAsking = sent < most
      if (isAsking) socket.write(request(sent++))
    }
    socket.setEncoding("latin1")
    socket.on("connect", sendRequest)
    socket.on("data", (chunk: string) => {
      received += chunk
      const end = endOfAnswer(received)
      if (end === 0) return
      isAsking = false
      const status = received.slice(9, 12)
      received = received.slice(end)
      count(status)
      sendRequest()
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      sockets.delete(socket)
      if (isStopped) return
      if (isAsking) count("closed")
      if (sent < most) open()
    })
  }
  for (let i = 0; i < connections; i++) open()
  const stop = () => {
    isStopped = true
    for (const socket of sockets) socket.destroy()
  }
  return { responses, stop }
}

/** Starts a crowd that continues until the scope closes. Returns the responses it has received so far. */
export const crowd = (target: Target, options: CrowdOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => startCrowd(target, options, () => {})),
    ({ stop }) => Effect.sync(stop)
  )

/** Sends requests over the connections of a crowd. Returns the responses once all have arrived. */
export const sendAll = (target: Target, options: CrowdOptions & { readonly most: number }) =>
  Effect.callback<Responses>((resume) => {
    const { responses, stop } = startCrowd(target, options, () => {
      stop()
      resume(Effect.succeed(responses))
    })
    return Effect.sync(stop)
  })
