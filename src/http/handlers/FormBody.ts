import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { readText } from "./JsonBody.ts"

/** Whether a request carries an HTML form. */
export const isForm = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["content-type"] ?? "").toLowerCase().startsWith("application/x-www-form-urlencoded")

/** Reads a form of at most 16 KiB; a field that is given twice has its last value. */
export const readForm = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(readText(request), (text): Readonly<Record<string, string>> =>
    Object.fromEntries(new URLSearchParams(text))
  )

/**
 * Whether a form was sent from another site's page. Browsers say so in Sec-Fetch-Site, and over plain HTTP in Origin,
 * which is "null" from pages that keep their address to themselves, as ours do. No path takes its right from the
 * browser: one has a secret in its address, the others only ask for a mail or an order.
 */
export const isCrossSite = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  const origin = headers["origin"]
  return origin !== undefined && origin !== "null" && URL.parse(origin)?.host !== headers["host"]
}
