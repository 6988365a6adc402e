import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import { type ExactJson, parseExactJson } from "../input/ExactJson.ts"
import { MalformedJson } from "../input/InvalidInput.ts"
import { PayloadTooLarge, UnsupportedMediaType } from "./HttpFailures.ts"

/** The largest body that is read. */
const maximumBytes = 16 * 1024

const isJson = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i

const unreadable = ({ reason }: HttpServerError.HttpServerError): PayloadTooLarge | MalformedJson =>
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
  const isPlain = (headers["content-encoding"] ?? "identity") === "identity"
  if (!isPlain || !isJson.test(headers["content-type"] ?? "")) return yield* new UnsupportedMediaType()
  const text = yield* request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBytes)),
    Effect.mapError(unreadable)
  )
  if (text.trim() === "") return yield* new MalformedJson({ reason: "The body is empty; send a JSON object" })
  return yield* parseExactJson(text)
})
