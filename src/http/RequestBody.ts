import { isUtf8 } from "node:buffer"
import { IncomingMessage } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, type Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { decodeJson } from "../input/parseJson.ts"
import { readFields } from "../input/readFields.ts"
import type { Headers } from "./RequestHeaders.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "./problems/HttpFailures.ts"

/** A request as the router passes it on, or as Node received it. */
export type Request = HttpServerRequest.HttpServerRequest | IncomingMessage

/** The request as Node received it. */
export const sourceOf = (request: Request) =>
  request instanceof IncomingMessage ? request : NodeHttpServerRequest.toIncomingMessage(request)

/** The default limit on the size of a body, in KiB. */
export const bodyLimit = 16

/** True if a text is larger than 16 KiB: a thread reads it, because that would delay other requests on the event loop. */
export const isLong = (text: string): boolean => Buffer.byteLength(text) > bodyLimit * 1024

/** The bodies that an endpoint accepts: their size in KiB, and their media types. */
interface Accepted {
  readonly limit: number
  readonly types: ReadonlyArray<string>
}

/** Notes the length of a body so far in bytes, or returns the failure if there is no slot for it. */
export type Count<E> = (length: number) => E | undefined

const mebibyte = 1024 * 1024

/** The most bytes of an oversized body that are read and discarded, so that its sender can read the response. */
const maxDiscarded = mebibyte

/** The longest wait for the rest of an oversized body, in milliseconds. */
const discardTime = 200

/** Reads and discards the rest of a body, within limits. */
const discardRest = (request: Request): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const source = sourceOf(request)
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
      if (discarded > maxDiscarded) end()
    }
    const timer = setTimeout(end, discardTime)
    source.on("end", end).on("close", end).on("data", discard)
    return Effect.sync(stop)
  })

const refuseSize = (request: Request, limit: number) =>
  Effect.andThen(discardRest(request), Effect.fail(new PayloadTooLarge({ limit })))

/**
 * Reads a body of at most `limit` KiB. Fails with PayloadTooLarge, with MalformedJson if the connection closes before its
 * end, and with the failure of `count` if that has no slot for it.
 */
const readBytes = <E = never>(
  request: Request,
  limit: number,
  count: Count<E> = () => undefined
): Effect.Effect<Buffer, PayloadTooLarge | MalformedJson | E> =>
  Effect.callback((resume) => {
    const source = sourceOf(request)
    const chunks: Array<Buffer> = []
    let length = 0
    /** Takes what has arrived. Returns the result, or undefined if the rest decides it. */
    const take = (): Effect.Effect<Buffer, PayloadTooLarge | MalformedJson | E> | undefined => {
      for (;;) {
        if (source.complete && source.readableLength === 0) {
          const [first, ...others] = chunks
          return Effect.succeed(first !== undefined && others.length === 0 ? first : Buffer.concat(chunks))
        }
        const chunk: unknown = source.read()
        if (!Buffer.isBuffer(chunk)) return undefined
        length += chunk.length
        if (length > limit * 1024) return refuseSize(request, limit)
        const failure = count(length)
        if (failure !== undefined) return Effect.fail(failure)
        chunks.push(chunk)
      }
    }
    const stop = () => source.off("readable", proceed).off("close", abort).resume()
    const proceed = () => {
      const result = take()
      if (result === undefined) return
      stop()
      resume(result)
    }
    const abort = () => {
      stop()
      resume(Effect.fail(new MalformedJson({ reason: "The body is incomplete" })))
    }
    // Usually the whole body has arrived while the key was looked up.
    const result = take()
    if (result !== undefined) {
      if (!source.complete) source.resume()
      return resume(result)
    }
    source.on("readable", proceed).on("close", abort)
    return Effect.sync(stop)
  })

/** Reads a body of at most `limit` KiB as text; see `readBytes`. */
export const readText = <E = never>(request: Request, limit: number = bodyLimit, count?: Count<E>) =>
  Effect.map(readBytes(request, limit, count), String)

const json = "application/json"

/** The media type of a body in UTF-8; parameters other than the charset have no meaning (RFC 8259). */
export const mediaTypeOf = (headers: Headers): string | undefined => {
  const contentType = String(headers["content-type"] ?? "").toLowerCase()
  if (contentType === json) return json
  const [essence, ...parameters] = contentType.split(";").map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith("charset"))?.replaceAll(/^charset\s*=|["\s]/g, "")
  return charset === undefined || /^utf-?8$/.test(charset) ? essence : undefined
}

/**
 * Reads a body as text if its headers declare it as uncompressed UTF-8 of an accepted type and size. Fails with
 * PayloadTooLarge or UnsupportedMediaType, in this order, with MalformedJson if JSON is not in UTF-8, or as `readText`
 * does.
 */
export const readBody = <E = never>(
  request: Request,
  { limit, types }: Accepted,
  count?: Count<E>
): Effect.Effect<string, PayloadTooLarge | UnsupportedMediaType | MalformedJson | E> => {
  const { headers } = request
  if (Number(headers["content-length"] ?? 0) > limit * 1024) return refuseSize(request, limit)
  const isPlain = (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
  const type = mediaTypeOf(headers) ?? ""
  if (!isPlain || !types.includes(type)) return Effect.fail(new UnsupportedMediaType({ types }))
  return Effect.flatMap(readBytes(request, limit, count), (bytes) =>
    type === json && !isUtf8(bytes)
      ? Effect.fail(new MalformedJson({ reason: "The body is not UTF-8 text" }))
      : Effect.succeed(bytes.toString())
  )
}

/** True if a body is declared by its length, and nothing in its headers refuses it. */
export const isDeclared = ({ headers }: IncomingMessage, { limit, types }: Accepted): boolean => {
  const length = Number(headers["content-length"] ?? 0)
  return (
    length > 0 &&
    length <= limit * 1024 &&
    headers["content-encoding"] === undefined &&
    types.includes(mediaTypeOf(headers) ?? "")
  )
}

/** True if all of a declared body has arrived: Node tells its end later, and reads nothing more for it. */
export const hasArrived = ({ headers, readableLength }: IncomingMessage): boolean =>
  readableLength === Number(headers["content-length"])

/** The text of a declared body that has arrived, if it is UTF-8; otherwise undefined, and nothing is read. */
export const textAtHand = (request: IncomingMessage): string | undefined => {
  if (!hasArrived(request)) return undefined
  const bytes: unknown = request.read()
  if (!Buffer.isBuffer(bytes)) return undefined
  if (isUtf8(bytes)) {
    if (!request.complete) request.resume()
    return bytes.toString()
  }
  request.unshift(bytes)
  return undefined
}

/** Reads and decodes a body as JSON; see `readBody` and `decodeJson`. */
export const readJson = <A>(
  request: Request,
  decode: (json: unknown) => Result.Result<A, InvalidInput>
): Effect.Effect<A, PayloadTooLarge | UnsupportedMediaType | MalformedJson | InvalidInput> =>
  Effect.flatMap(readBody(request, { limit: bodyLimit, types: [json] }), (text) =>
    Effect.fromResult(decodeJson(text, decode))
  )

/** Like `readJson`, but a missing body counts as an empty object. */
export const readOptionalJson = <A>(
  request: Request,
  decode: (json: unknown) => Result.Result<A, InvalidInput>
): ReturnType<typeof readJson<A>> => {
  const { headers } = request
  const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined
  return hasBody ? readJson(request, decode) : Effect.fromResult(decode({}))
}

/** Reads a form of at most 16 KiB; the last value of a repeated field counts. Fails as `readText` and `readFields`. */
export const readForm = (request: Request) =>
  Effect.flatMap(readText(request), (text) =>
    Effect.map(Effect.fromResult(readFields(text)), (fields): Readonly<Record<string, string>> =>
      Object.fromEntries(fields)
    )
  )
