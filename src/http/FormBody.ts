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
 * Whether a form was sent from another site's page. Browsers say so in Sec-Fetch-Site, and over plain HTTP in Origin,
 * which is "null" from pages that keep their address to themselves, as ours do. Neither path takes its right from the
 * browser: the one has a secret in its address, the other only asks for a mail.
 */
export const isCrossSite = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  const origin = headers["origin"]
  return origin !== undefined && origin !== "null" && URL.parse(origin)?.host !== headers["host"]
}
