import type { HttpServerRequest } from "effect/http"

/**
 * The origin of a request: a page of this service, under the host name of its links or under another name; another
 * site's page; a program; or unknown, if a page or a browser hides it.
 */
export type Sender = "here" | "other name" | "elsewhere" | "program" | "unknown"

/**
 * Finds the origin of a request. Browsers send it in Sec-Fetch-Site or, over plain HTTP, in Origin, which is "null"
 * from pages that hide their address. A page with the same host name as its request proves less than one with the host
 * name of our links: a foreign name can be pointed to this machine (DNS rebinding).
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
