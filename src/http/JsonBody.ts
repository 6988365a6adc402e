import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import { type ExactJson, parseExactJson } from "../input/ExactJson.ts"
import { MalformedJson } from "../input/InvalidInput.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "./HttpFailures.ts"

/** The largest body that is read. */
export const maximumBytes = 16 * 1024

/** Whether a content type is JSON in UTF-8; parameters other than the charset have no meaning (RFC 8259). */
const isJson = (contentType: string): boolean => {
  const [essence = "", ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith("charset"))?.replaceAll(/^charset\s*=|["\s]/g, "")
  return essence === "application/json" && (charset === undefined || /^utf-?8$/.test(charset))
}

/** What is wrong with a body that could not be read. */
export const unreadable = ({ reason }: HttpServerError.HttpServerError): PayloadTooLarge | MalformedJson =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
    ? new PayloadTooLarge()
    : new MalformedJson({ reason: "The body did not arrive whole" })

/**
 * Reads a request's body as JSON: at most 16 KiB, declared as UTF-8 JSON. Fails with PayloadTooLarge,
 * UnsupportedMediaType or MalformedJson, in this order.
 */
export const readJson = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest
): Effect.fn.Return<ExactJson, PayloadTooLarge | UnsupportedMediaType | MalformedJson> {
  const { headers } = request
  // A body that says it is too large is not waited for.
  if (Number(headers["content-length"] ?? 0) > maximumBytes) return yield* new PayloadTooLarge()
  const isPlain = (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
  if (!isPlain || !isJson(headers["content-type"] ?? "")) return yield* new UnsupportedMediaType()
  const text = yield* request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBytes)),
    Effect.mapError(unreadable)
  )
  if (text.trim() === "") return yield* new MalformedJson({ reason: "The body is empty; send a JSON object" })
  return yield* parseExactJson(text)
})

/** As `readJson`, for a body that may be left out: none at all stands for an empty object. */
export const readOptionalJson = (request: HttpServerRequest.HttpServerRequest): ReturnType<typeof readJson> => {
  const { headers } = request
  const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined
  return hasBody ? readJson(request) : Effect.succeed({ value: {}, duplicates: [] })
}
