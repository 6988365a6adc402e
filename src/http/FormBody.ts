import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { maximumBytes, unreadable } from "./JsonBody.ts"

/** Whether a request carries an HTML form. */
export const isForm = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["content-type"] ?? "").toLowerCase().startsWith("application/x-www-form-urlencoded")

/** Reads a form of at most 16 KiB; a field that is given twice has its last value. */
export const readForm = (request: HttpServerRequest.HttpServerRequest) =>
  request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBytes)),
    Effect.mapBoth({
      onFailure: unreadable,
      onSuccess: (text): Readonly<Record<string, string>> => Object.fromEntries(new URLSearchParams(text))
    })
  )

/**
 * Whether a form was sent from another site's page. Browsers say so in Sec-Fetch-Site, older ones in Origin; what sends
 * neither is no browser, and carries nobody's session.
 */
export const isCrossSite = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  const origin = headers["origin"]
  return origin !== undefined && URL.parse(origin)?.host !== headers["host"]
}
