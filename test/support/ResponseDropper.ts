import { connect, createServer } from "node:net"
import { Effect } from "effect"
import { listen } from "./Sockets.ts"

/** A network in front of a service that loses responses. */
interface ResponseDropper {
  readonly url: string
  /** The number of responses that were lost after the service had sent them. */
  readonly dropped: () => number
}

/** The bytes of a lost response that get through: none, a part of its head, or its head and a part of its body. */
const shares = [0, 60, 900]

/**
 * Forwards to a service, and loses the first response to each POST with a new value of a header; its retries get
 * theirs.
 */
export const responseDropper = Effect.fnUntraced(function* (target: string, header: string) {
  const { hostname, port } = new URL(target)
  const seen = new Set<string>()
  const named = new RegExp(`^POST [^]*^${header}: *(\\S+)`, "im")
  let dropped = 0
  const server = createServer((client) => {
    const service = connect(Number(port), hostname)
    let name: string | undefined
    client.on("data", (chunk: Buffer) => {
      name = named.exec(chunk.toString("latin1"))?.[1] ?? name
      service.write(chunk)
    })
    service.on("data", (chunk: Buffer) => {
      if (name === undefined || seen.has(name)) {
        client.write(chunk)
        return
      }
      seen.add(name)
      client.end(chunk.subarray(0, shares[dropped++ % shares.length]))
      service.destroy()
    })
    service.on("error", () => {})
    service.on("close", () => client.end())
    client.on("close", () => service.destroy())
  })
  const dropper: ResponseDropper = { url: yield* listen(server), dropped: () => dropped }
  return dropper
})
