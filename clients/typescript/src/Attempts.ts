import type { Limits } from "./ClientSettings.ts"
import { exchange, largestAnswer, type Outgoing } from "./Exchange.ts"
import { type Failure, isPassing, isUndone, type Outcome } from "./Outcome.ts"

/** The options for sending a request. */
export interface Sending extends Limits {
  readonly fetch: typeof globalThis.fetch
  /** True if it is safe to retry a request that may have been carried out. */
  readonly isRepeatable: boolean
  /** Ends the call. */
  readonly signal: AbortSignal
}

/** The JSON value of a text, in a box, as it may be null; undefined if there is none. */
const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The wait that a Retry-After header asks for, in seconds; its value is a number of seconds or a date (RFC 9110). */
const secondsOf = (retryAfter: string): number | undefined => {
  if (/^[0-9]+$/.test(retryAfter)) return Number(retryAfter)
  // JavaScript parses almost any text as some date.
  const date = retryAfter.endsWith(" GMT") ? Date.parse(retryAfter) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now()) / 1000
}

/**
 * Sends a request once. A success is not validated: a response that was paid for must not be lost because a newer
 * service returns more fields.
 */
const attempt = async ({ fetch, signal }: Sending, outgoing: Outgoing): Promise<Outcome> => {
  try {
    const { headers, status, text } = await exchange(fetch, outgoing, signal)
    if (text === undefined) return { kind: "unreadable", reason: `is larger than ${largestAnswer} MiB`, headers }
    if (status === 204) return { kind: "answer", headers, body: {} }
    const json = parseJson(text)
    if (status < 200 || status > 299) {
      const retryAfter = secondsOf(headers.get("retry-after") ?? "")
      return { kind: "refusal", status, headers, retryAfter, body: json === undefined ? text : json.value }
    }
    const body = json?.value
    const type = headers.get("content-type") ?? "no content type"
    return typeof body === "object" && body !== null && !Array.isArray(body)
      ? { kind: "answer", headers, body }
      : {
          kind: "unreadable",
          reason: `is not a JSON object (${text.length} characters, ${type}): is baseUrl correct?`,
          headers
        }
  } catch (cause) {
    return { kind: "lost", cause }
  }
}

const firstPause = 0.5
const longestPause = 8

/**
 * Seconds to wait before a retry: what the service asks for, or else exponential backoff, between half of it and all of
 * it at random, so that clients that failed together do not retry together.
 */
const pauseAfter = (failure: Failure, retries: number): number => {
  if (failure.kind === "refusal" && failure.retryAfter !== undefined) return failure.retryAfter
  return Math.min(firstPause * 2 ** retries, longestPause) * (0.5 + Math.random() / 2)
}

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, seconds * 1000)
    signal.addEventListener("abort", end)
  })

/**
 * Sends a request, and retries it after a temporary failure. There is no retry if the pause before it would end after
 * the deadline, nor once the signal has aborted.
 */
export const attempts = async (outgoing: Outgoing, sending: Sending): Promise<Outcome> => {
  const deadline = performance.now() + sending.timeout * 1000
  for (let retries = 0; ; retries++) {
    const outcome = await attempt(sending, outgoing)
    if (outcome.kind === "answer" || retries >= sending.maxRetries || !isPassing(outcome)) return outcome
    if (!sending.isRepeatable && !isUndone(outcome)) return outcome
    const pause = pauseAfter(outcome, retries)
    if (sending.signal.aborted || performance.now() + pause * 1000 >= deadline) return outcome
    await wait(pause, sending.signal)
    if (sending.signal.aborted) return outcome
  }
}
