import type { IncomingMessage } from "node:http"
import { Result } from "effect"
import type { Call } from "./BatchHandler.ts"
import { historyLimit as limit, refusedByHeaders } from "../JsonBody.ts"
import { PayloadTooLarge } from "../problems/HttpFailures.ts"

/** How much of a body that is too large is taken from the wire, so that its sender gets to read the answer. */
const mostDiscarded = 1024 * 1024

/** How long its sender is waited for, in milliseconds. */
const discardTime = 200

/** Takes the rest of a body from the wire, within limits, and then goes on. */
const discardRest = (request: IncomingMessage, then: () => void) => {
  let discarded = 0
  const end = () => {
    clearTimeout(timer)
    request.off("end", end)
    request.off("data", discard)
    request.resume()
    then()
  }
  const discard = ({ length }: Buffer) => {
    discarded += length
    if (discarded > mostDiscarded) end()
  }
  const timer = setTimeout(end, discardTime)
  request.once("end", end)
  request.on("data", discard)
}

/**
 * Reads the body of a request and gives it to `then`: at most 64 KiB, and nothing of a body that the headers speak
 * against. Where the body does not arrive, `then` is never called: the server's time limits end such a request.
 */
export const readBody = (request: IncomingMessage, then: (body: Call["body"]) => void): void => {
  const refusal = refusedByHeaders(request.headers, { limit, types: ["application/json"] })
  if (refusal?._tag === "PayloadTooLarge") return discardRest(request, () => then(Result.fail(refusal)))
  if (refusal !== undefined) return then(Result.fail(refusal))
  const chunks: Array<Buffer> = []
  let length = 0
  const receive = (chunk: Buffer) => {
    length += chunk.length
    if (length <= limit * 1024) {
      chunks.push(chunk)
      return
    }
    request.off("data", receive)
    request.off("end", end)
    discardRest(request, () => then(Result.fail(new PayloadTooLarge({ limit }))))
  }
  const end = () => then(Result.succeed(Buffer.concat(chunks).toString()))
  request.on("data", receive)
  request.once("end", end)
}
