import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { MalformedJson } from "../input/InvalidInput.ts"
import { PayloadTooLarge } from "./problems/HttpFailures.ts"

/** The largest body that is read, in KiB, where no other limit is named. */
export const bodyLimit = 16

/** How much of a body that is too large is taken from the wire, so that its sender gets to read the answer. */
const mostDiscarded = 1024 * 1024

/** How long its sender is waited for, in milliseconds. */
const discardTime = 200

/** Takes the rest of a body from the wire, within limits. */
export const discardRest = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    if (source.readableEnded || source.destroyed) return resume(Effect.void)
    let discarded = 0
    const stop = () => {
      clearTimeout(timer)
      source.off("end", end).off("close", end).off("data", discard).resume()
    }
    const end = () => {
      stop()
      resume(Effect.void)
    }
    const discard = ({ length }: Buffer) => {
      discarded += length
      if (discarded > mostDiscarded) end()
    }
    const timer = setTimeout(end, discardTime)
    source.on("end", end).on("close", end).on("data", discard)
    return Effect.sync(stop)
  })

/** Reads a body of at most `limit` KiB as text. Fails with PayloadTooLarge, or MalformedJson where it does not arrive whole. */
export const readText = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number = bodyLimit
): Effect.Effect<string, PayloadTooLarge | MalformedJson> =>
  Effect.callback((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    const chunks: Array<Buffer> = []
    let length = 0
    const stop = () => void source.off("data", receive).off("end", end).off("close", breakOff)
    const receive = (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= limit * 1024) return
      stop()
      resume(Effect.andThen(discardRest(request), Effect.fail(new PayloadTooLarge({ limit }))))
    }
    const end = () => {
      stop()
      resume(Effect.succeed((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? ""))
    }
    const breakOff = () => {
      stop()
      resume(Effect.fail(new MalformedJson({ reason: "The body did not arrive whole" })))
    }
    source.on("data", receive).on("end", end).on("close", breakOff)
    return Effect.sync(stop)
  })
