/** The weight of a media type in an Accept header (RFC 9110), if it is named. */
export const weightOf = (accept: string, type: string): number | undefined => {
  const named = accept
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()))
    .find(([name]) => name === type)
  if (named === undefined) return undefined
  const weight = Number(named.find((part) => part.startsWith("q="))?.slice(2) ?? 1)
  return Number.isNaN(weight) ? 1 : weight
}

/** The headers of a request, by their names in lower case. */
type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

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
