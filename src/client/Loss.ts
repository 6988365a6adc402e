import { Predicate } from "effect"

/** What is known of an attempt without a complete answer. */
export type Loss =
  /** Nothing was sent: there was no connection. */
  | "unsent"
  /** Nothing was sent, since the server's certificate could not be verified. A retry would not help. */
  | "untrusted"
  /** The answer is not HTTP. */
  | "unreadable"
  /** The request may have been carried out. */
  | "unknown"

/** The causes of a failed fetch in Node.js, by code or, in newer versions without codes, by name. */
const losses: ReadonlyArray<readonly [RegExp, Loss]> = [
  [/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/, "unsent"],
  // The codes of OpenSSL's verification, and Node.js's own for host names that do not match.
  [/^(?:CERT|UNABLE_TO)_|_CERT(?:_|$)|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/, "untrusted"],
  [/^(?:HPE_.*|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)$/, "unreadable"]
]

const textOf = (value: unknown, name: string): ReadonlyArray<string> =>
  Predicate.hasProperty(value, name) && Predicate.isString(value[name]) ? [value[name]] : []

/** Classifies an error of fetch. Runtimes other than Node.js may name causes that are unknown here. */
export const lossOf = (error: unknown): Loss => {
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : undefined
  const names = [error, cause].flatMap((value) => [...textOf(value, "code"), ...textOf(value, "name")])
  return losses.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? "unknown"
}

/** Why a connection failed: the error of fetch says only that it did, the reason is in its cause. */
export const reasonOf = (cause: unknown): string => {
  const inner = Predicate.hasProperty(cause, "cause") ? cause.cause : undefined
  const error = inner instanceof Error && (inner.message !== "" || "code" in inner) ? inner : cause
  if (!(error instanceof Error)) return String(error)
  return error.message !== "" ? error.message : String(Predicate.hasProperty(error, "code") ? error.code : error.name)
}
