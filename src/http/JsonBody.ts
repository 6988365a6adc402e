import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { parseBody } from "../input/ExactJson.ts"
import type { MalformedJson } from "../input/InvalidInput.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "./problems/HttpFailures.ts"
import { bodyLimit, discardRest, readText } from "./RequestBody.ts"

/** The largest body, in KiB, where a history of past campaigns is allowed. */
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

/**
 * Reads a request's body as JSON: at most `limit` KiB, declared as UTF-8 JSON. Fails with PayloadTooLarge,
 * UnsupportedMediaType or MalformedJson, in this order.
 */
export const readJson = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number = bodyLimit
): Effect.Effect<unknown, PayloadTooLarge | UnsupportedMediaType | MalformedJson> => {
  const refusal = refusedByHeaders(request.headers, { limit, types: [json] })
  if (refusal === undefined) {
    return Effect.flatMap(readText(request, limit), (text) => Effect.fromResult(parseBody(text)))
  }
  return refusal._tag === "PayloadTooLarge" ? Effect.andThen(discardRest(request), refusal) : refusal
}

/** As `readJson`, but a missing body counts as an empty object. */
export const readOptionalJson = (request: HttpServerRequest.HttpServerRequest): ReturnType<typeof readJson> => {
  const { headers } = request
  const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined
  return hasBody ? readJson(request) : Effect.succeed({})
}
