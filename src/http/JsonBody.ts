import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { parseBody } from "../input/ExactJson.ts"
import { MalformedJson } from "../input/InvalidInput.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "./problems/HttpFailures.ts"

/** The largest body that is read, in KiB, where no other limit is named. */
export const bodyLimit = 16

/** The same where a history of past campaigns is allowed. */
export const historyLimit = 64

/** The headers of a request, by their names in lower case. */
type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const text = (headers: Headers, name: string) => String(headers[name] ?? "").toLowerCase()

const json = "application/json"

/** The media type of a body in UTF-8; parameters other than the charset have no meaning (RFC 8259). */
export const mediaTypeOf = (headers: Headers): string | undefined => {
  const contentType = text(headers, "content-type")
  if (contentType === json) return json
  const [essence, ...parameters] = contentType.split(";").map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith("charset"))?.replaceAll(/^charset\s*=|["\s]/g, "")
  return charset === undefined || /^utf-?8$/.test(charset) ? essence : undefined
}

/**
 * What the headers alone say against a body: that it is larger than `limit` KiB, or not declared to be uncompressed UTF-8
 * of one of the media types. Undefined where it can be read.
 */
export const refusedByHeaders = (
  headers: Headers,
  { limit, types }: { readonly limit: number; readonly types: ReadonlyArray<string> } = {
    limit: bodyLimit,
    types: [json]
  }
): PayloadTooLarge | UnsupportedMediaType | undefined => {
  if (Number(headers["content-length"] ?? 0) > limit * 1024) return new PayloadTooLarge({ limit })
  const encoding = headers["content-encoding"]
  const isPlain = encoding === undefined || text(headers, "content-encoding") === "identity"
  return isPlain && types.includes(mediaTypeOf(headers) ?? "") ? undefined : new UnsupportedMediaType({ types })
}

/** Reads a body of at most `limit` KiB as text. Fails with PayloadTooLarge, or MalformedJson where it does not arrive whole. */
export const readText = (request: HttpServerRequest.HttpServerRequest, limit: number = bodyLimit) =>
  request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit * 1024)),
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
        ? new PayloadTooLarge({ limit })
        : new MalformedJson({ reason: "The body did not arrive whole" })
    )
  )

/**
 * Reads a request's body as JSON: at most 16 KiB, declared as UTF-8 JSON. Fails with PayloadTooLarge,
 * UnsupportedMediaType or MalformedJson, in this order.
 */
export const readJson = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest
): Effect.fn.Return<unknown, PayloadTooLarge | UnsupportedMediaType | MalformedJson> {
  // A body that says it is too large is not waited for.
  const refusal = refusedByHeaders(request.headers)
  if (refusal !== undefined) return yield* refusal
  return yield* Effect.fromResult(parseBody(yield* readText(request)))
})

/** As `readJson`, for a body that may be left out: none at all stands for an empty object. */
export const readOptionalJson = (request: HttpServerRequest.HttpServerRequest): ReturnType<typeof readJson> => {
  const { headers } = request
  const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined
  return hasBody ? readJson(request) : Effect.succeed({})
}
