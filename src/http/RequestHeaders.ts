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

/** The weight of a media type in an Accept header (RFC 9110), if it is named. */
const weightOf = (accept: string, type: string): number | undefined => {
  const range = accept
    .toLowerCase()
    .split(",")
    .map((text) => text.split(";").map((part) => part.trim()))
    .find(([name]) => name === type)
  if (range === undefined) return undefined
  const weight = Number(range.find((part) => part.startsWith("q="))?.slice(2) ?? 1)
  return Number.isNaN(weight) ? 1 : weight
}

/** The headers of a request, by their names in lower case. */
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The form of a response that a client prefers (RFC 7240), if it names one of the two; the first of several counts. */
export const preferredReturn = (headers: Headers): "minimal" | "representation" | undefined => {
  const { prefer } = headers
  if (typeof prefer !== "string") return undefined
  // A comma in quotes separates nothing.
  const [value] = (prefer.match(/(?:"[^"]*"|[^,"])+/g) ?? []).flatMap((preference) => {
    const [name = "", value = ""] = (preference.split(";")[0] ?? "").split("=").map((part) => part.trim().toLowerCase())
    return name === "return" ? [value.replace(/^"(.*)"$/, "$1")] : []
  })
  return value === "minimal" || value === "representation" ? value : undefined
}

/** The content types of a response that is available in both formats. */
export const contentTypes = { json: "application/json", csv: "text/csv; charset=utf-8" } as const

/** CSV if the client names it and prefers it to JSON, otherwise JSON. */
export const formatOf = (headers: Headers): keyof typeof contentTypes => {
  const accept = String(headers["accept"] ?? "")
  const csv = weightOf(accept, "text/csv") ?? 0
  return csv > (weightOf(accept, "application/json") ?? 0) ? "csv" : "json"
}

/**
 * True if an error should be shown as a page: the client names text/html, prefers it to JSON, and sends no API key,
 * which a browser that opens an address or submits a form cannot do.
 */
export const wantsPage = (headers: Headers): boolean => {
  const { accept } = headers
  if (typeof accept !== "string" || !accept.includes("text/html") || headers["x-api-key"] !== undefined) return false
  return (weightOf(accept, "text/html") ?? 0) > (weightOf(accept, "application/json") ?? 0)
}
