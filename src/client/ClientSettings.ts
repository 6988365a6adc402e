import { Predicate, Redacted } from "effect"
import type { ClientOptions } from "./ClientOptions.ts"

/** Options after validation. */
export interface ClientSettings {
  readonly apiKey: Redacted.Redacted
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly timeoutSeconds: number
  readonly maxRetries: number
}

/** Refuses all but visible ASCII, which could end or change a header. The error omits the text, which may be a key. */
export const checkHeaderValue = (name: string, value: string): string => {
  if (!Predicate.isString(value) || !/^[\x21-\x7e]+$/.test(value)) {
    throw new TypeError(`${name} must be visible ASCII characters without spaces or line breaks`)
  }
  return value
}

const checkKey = (given: string | undefined): Redacted.Redacted => {
  // Some edge runtimes have no environment variables and no `process`.
  const key = given ?? (typeof process === "undefined" ? "" : (process.env["SERVICE_API_KEY"] ?? ""))
  if (key === "") throw new TypeError("There is no API key: pass apiKey, or set the variable SERVICE_API_KEY")
  return Redacted.make(checkHeaderValue("The API key", key), { label: "API key" })
}

const checkBaseUrl = (text: string): string => {
  // The error omits the text, which may contain a password.
  const url = !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new TypeError("baseUrl must be an http or https address")
  }
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) {
    throw new TypeError("baseUrl must have no user name, password, query or fragment")
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`
}

const checkNumber = (name: string, value: number, isRight: boolean, kind: string): number => {
  if (!isRight) throw new TypeError(`${name} must be ${kind}`)
  return value
}

/**
 * In seconds. Catches a timeout given in milliseconds, as other clients take it: 20000 would mean hours instead of 20
 * s.
 */
const longestTimeout = 600

/**
 * Validates options and applies the defaults. Throws a TypeError that says what is wrong and never contains the key.
 */
export const checkOptions = ({
  apiKey,
  baseUrl = "http://127.0.0.1:3000",
  maxRetries = 2,
  timeout = 10
}: ClientOptions): ClientSettings => ({
  apiKey: checkKey(apiKey),
  baseUrl: checkBaseUrl(baseUrl),
  timeoutSeconds: checkNumber(
    "timeout",
    timeout,
    Number.isFinite(timeout) && timeout > 0 && timeout <= longestTimeout,
    `a number of seconds (not of milliseconds) above 0 and at most ${longestTimeout}`
  ),
  maxRetries: checkNumber(
    "maxRetries",
    maxRetries,
    Number.isSafeInteger(maxRetries) && maxRetries >= 0,
    "a whole number of 0 or more"
  )
})
