import { InvalidArgumentError } from "./OutreachForecastError.ts"
import type { ClientOptions } from "./ClientOptions.ts"

/** The timeout of a call in seconds, and its maximum number of retries. */
export interface Limits {
  readonly timeout: number
  readonly maxRetries: number
}

/** Options after validation. */
export interface ClientSettings extends Limits {
  readonly apiKey: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Undefined for the runtime's own, which is looked up at each call: a test may have replaced it since. */
  readonly fetch: typeof globalThis.fetch | undefined
}

/** Refuses all but visible ASCII, which could end or change a header. The error omits the text, which may be a key. */
export const checkHeaderValue = (name: string, value: string): string => {
  if (typeof value !== "string" || !/^[\x21-\x7e]+$/.test(value)) {
    throw new InvalidArgumentError(`${name} must be visible ASCII characters without spaces or line breaks`)
  }
  return value
}

/** An environment variable; undefined if it is empty, or if the runtime has none or does not show them. */
const variable = (name: string): string | undefined => {
  try {
    return globalThis.process?.env[name] || undefined
  } catch {
    // Deno asks before it shows a variable, and throws if the answer is no.
    return undefined
  }
}

const checkKey = (given: string | undefined): string => {
  const key = given ?? variable("SERVICE_API_KEY") ?? ""
  if (key === "")
    throw new InvalidArgumentError("There is no API key: pass apiKey, or set the variable SERVICE_API_KEY")
  return checkHeaderValue("The API key", key)
}

const checkBaseUrl = (name: string, text: string): string => {
  // The error omits the text, which may contain a password.
  const url = !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new InvalidArgumentError(`${name} must be an http or https address`)
  }
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) {
    throw new InvalidArgumentError(`${name} must have no user name, password, query or fragment`)
  }
  const path = url.pathname.replace(/\/+$/, "")
  if (path.endsWith("/api/v1")) {
    throw new InvalidArgumentError(`${name} is the address in front of /api/v1: leave that out`)
  }
  return `${url.origin}${path}`
}

/**
 * In seconds. Catches a timeout in milliseconds, the unit of other clients: 20000 would mean hours instead of 20
 * seconds.
 */
const longestTimeout = 600

/** The address of the service, unless an option or the environment names another one. */
const defaultUrl = "http://127.0.0.1:3000"

/** Validates the limits of a call. Throws an `InvalidArgumentError` that says what is wrong. */
export const checkLimits = ({ maxRetries, timeout }: Limits): Limits => {
  if (!Number.isFinite(timeout) || timeout <= 0 || timeout > longestTimeout) {
    throw new InvalidArgumentError(
      `timeout must be a number of seconds (not of milliseconds) above 0 and at most ${longestTimeout}`
    )
  }
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0) {
    throw new InvalidArgumentError("maxRetries must be a whole number of 0 or more")
  }
  return { timeout, maxRetries }
}

/**
 * Validates options and applies the defaults. Throws an `InvalidArgumentError` that says what is wrong and never
 * contains the key.
 */
export const checkOptions = ({
  apiKey,
  baseUrl,
  fetch,
  maxRetries = 2,
  timeout = 10
}: ClientOptions): ClientSettings => {
  if (fetch !== undefined && typeof fetch !== "function") throw new InvalidArgumentError("fetch must be a function")
  const address = variable("SERVICE_BASE_URL") ?? defaultUrl
  return {
    apiKey: checkKey(apiKey),
    baseUrl: baseUrl === undefined ? checkBaseUrl("SERVICE_BASE_URL", address) : checkBaseUrl("baseUrl", baseUrl),
    fetch,
    ...checkLimits({ timeout, maxRetries })
  }
}
