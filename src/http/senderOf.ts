import type { HttpServerRequest } from "effect/http"

/**
 * Where a request comes from: a page of this service, by the name that its links have or by another of its names; another
 * site's page; no page at all, but a program; or it cannot be known, where a page or a browser keeps it to itself.
 */
export type Sender = "here" | "other name" | "elsewhere" | "program" | "unknown"

/**
 * Where a request comes from. Browsers say so in Sec-Fetch-Site, and over plain HTTP, where they do not send it, in Origin,
 * which is "null" from pages that keep their address to themselves. That a page has the name under which it asks proves
 * less than that it has the name of our links: another's name may be made to lead to this machine (DNS rebinding).
 */
export const senderOf = ({ headers }: HttpServerRequest.HttpServerRequest, publicUrl: string): Sender => {
  const site = headers["sec-fetch-site"]
  const sentFrom = headers["origin"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return "elsewhere"
  const { origin, protocol } = new URL(publicUrl)
  if (sentFrom === origin) return "here"
  if (site === "same-origin" || sentFrom === `${protocol}//${headers["host"]}`) return "other name"
  if (site === "none" || sentFrom === "null") return "unknown"
  return sentFrom === undefined ? "program" : "elsewhere"
}
