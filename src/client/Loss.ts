import { Predicate } from "effect"

/** What is known of an attempt that got no whole answer. */
export type Loss =
  /** Nothing was sent: there was no connection. */
  | "unsent"
  /** Nothing was sent, since who answers could not be trusted. It will not be otherwise in a moment. */
  | "untrusted"
  /** What answers does not speak HTTP. */
  | "unreadable"
  /** It may have been carried out. */
  | "unknown"

/** What Node.js calls the causes of a failed fetch, as codes or, where newer versions leave those out, as names. */
const losses: ReadonlyArray<readonly [RegExp, Loss]> = [
  [/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/, "unsent"],
  // The codes of OpenSSL's verification, and those of Node.js for names that do not match.
  [/^(?:CERT|UNABLE_TO)_|_CERT(?:_|$)|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/, "untrusted"],
  [/^(?:HPE_.*|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)$/, "unreadable"]
]

const textOf = (value: unknown, name: string): ReadonlyArray<string> =>
  Predicate.hasProperty(value, name) && Predicate.isString(value[name]) ? [value[name]] : []

/** What an error of fetch says about its attempt. Other runtimes than Node.js may name causes that are not known here. */
export const lossOf = (error: unknown): Loss => {
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : undefined
  const names = [error, cause].flatMap((value) => [...textOf(value, "code"), ...textOf(value, "name")])
  return losses.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1] ?? "unknown"
}

/** The reason of a connection's failure: fetch says no more than that it failed, and why is in its cause. */
export const reasonOf = (cause: unknown): string => {
  const inner = Predicate.hasProperty(cause, "cause") ? cause.cause : undefined
  const error = inner instanceof Error && (inner.message !== "" || "code" in inner) ? inner : cause
  if (!(error instanceof Error)) return String(error)
  return error.message !== "" ? error.message : String(Predicate.hasProperty(error, "code") ? error.code : error.name)
}
