/** The effect of an attempt without a complete response, as far as it is known. */
export type Loss =
  /** Nothing was sent: there was no connection. */
  | "unsent"
  /** Nothing was sent, since the server's certificate could not be verified. A retry would not help. */
  | "untrusted"
  /** The response is not HTTP. */
  | "unreadable"
  /** The request may have been carried out. */
  | "unknown"

/** The causes of a failed fetch: the codes, or else the names, of Node.js and Bun, and the messages of Deno, which has none. */
const losses: ReadonlyArray<readonly [RegExp, Loss]> = [
  [/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/, "unsent"],
  [/ client error \(Connect\): (?:tcp connect|dns) error: /, "unsent"],
  // The codes of OpenSSL's verification, and Node.js's own for host names that do not match.
  [/^(?:CERT|UNABLE_TO)_|_CERT(?:_|$)|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/, "untrusted"],
  [/ client error \(Connect\): invalid peer certificate: /, "untrusted"],
  [/^(?:HPE_.*|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|Malformed_HTTP_Response)$/, "unreadable"],
  [/ client error \(SendRequest\): invalid HTTP /, "unreadable"]
]

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Classifies an error of fetch. Runtimes may name causes that are unknown here. */
export const lossOf = (error: unknown): Loss => {
  const texts = [error, property(error, "cause")].flatMap((value) =>
    ["code", "name", "message"].map((name) => property(value, name))
  )
  const known = losses.find(([pattern]) => texts.some((text) => typeof text === "string" && pattern.test(text)))
  return known?.[1] ?? "unknown"
}

/** The reason why a connection failed, which is not in the error of fetch but in its cause. */
export const reasonOf = (cause: unknown): string => {
  const inner = property(cause, "cause")
  const error = inner instanceof Error && (inner.message !== "" || "code" in inner) ? inner : cause
  if (!(error instanceof Error)) return String(error)
  if (error.message !== "") return error.message
  const code = property(error, "code")
  return typeof code === "string" ? code : error.name
}
