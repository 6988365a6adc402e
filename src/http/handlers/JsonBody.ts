import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { type ExactJson, parseExactJson } from "../../input/ExactJson.ts"
import { MalformedJson } from "../../input/InvalidInput.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "../problems/HttpFailures.ts"

/** The largest body that is read, in KiB, where no other limit is named. */
const usualLimit = 16

/** Whether a content type is JSON in UTF-8; parameters other than the charset have no meaning (RFC 8259). */
const isJson = (contentType: string): boolean => {
  const [essence = "", ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith("charset"))?.replaceAll(/^charset\s*=|["\s]/g, "")
  return essence === "application/json" && (charset === undefined || /^utf-?8$/.test(charset))
}

/** Reads a body of at most `limit` KiB as text. Fails with PayloadTooLarge, or MalformedJson where it does not arrive whole. */
export const readText = (request: HttpServerRequest.HttpServerRequest, limit: number = usualLimit) =>
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
): Effect.fn.Return<ExactJson, PayloadTooLarge | UnsupportedMediaType | MalformedJson> {
  const { headers } = request
  // A body that says it is too large is not waited for.
  if (Number(headers["content-length"] ?? 0) > usualLimit * 1024) {
    return yield* new PayloadTooLarge({ limit: usualLimit })
  }
  const isPlain = (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
  if (!isPlain || !isJson(headers["content-type"] ?? "")) return yield* new UnsupportedMediaType()
  const text = yield* readText(request)
  if (text.trim() === "") return yield* new MalformedJson({ reason: "The body is empty; send a JSON object" })
  return yield* parseExactJson(text)
})

/** As `readJson`, for a body that may be left out: none at all stands for an empty object. */
export const readOptionalJson = (request: HttpServerRequest.HttpServerRequest): ReturnType<typeof readJson> => {
  const { headers } = request
  const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined
  return hasBody ? readJson(request) : Effect.succeed({ value: {}, duplicates: [] })
}
