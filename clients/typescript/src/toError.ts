import {
  APIError,
  AuthenticationError,
  BadRequestError,
  PermissionDeniedError,
  RateLimitError,
  UsageExhaustedError
} from "./APIError.ts"
import { APIConnectionError, InvalidResponseError } from "./OutreachForecastError.ts"
import { type Failure, isPassing, member, type Refusal } from "./Outcome.ts"
import type { FieldError } from "./Wire.ts"

const byStatus: { readonly [status: number]: typeof APIError } = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  429: RateLimitError
}

const errorClass = (status: number, code: string | undefined): typeof APIError =>
  code === "usage_exhausted" ? UsageExhaustedError : (byStatus[status] ?? APIError)

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const requestIdOf = (headers: Headers): string | undefined => headers.get("x-request-id") ?? undefined

/** Accepts codes of newer services too; the declared ones only serve completion in editors. */
const isFieldError = (value: unknown): value is FieldError =>
  ["pointer", "message", "code"].every((name) => typeof member(value, name) === "string")

/** The message for a response without one, which is not from the service. */
const plainMessage = ({ headers, status }: Refusal): string => {
  if (status < 300 || status > 399) {
    return `The response with the status ${status} is not from the service, but from something in front of it`
  }
  const location = headers.get("location")
  const what =
    location === null
      ? `The status ${status} is not one that the service uses`
      : `The service responded with a redirect (${status}) to ${location}, where the key is not sent`
  return `${what}: set baseUrl to the address of the service itself`
}

const toAPIError = (refusal: Refusal): APIError => {
  const { body, headers, retryAfter, status } = refusal
  const code = text(member(body, "code"))
  const errors = member(body, "errors")
  const retryable = member(body, "retryable")
  return new (errorClass(status, code))({
    message: text(member(body, "message")) ?? plainMessage(refusal),
    status,
    code,
    requestId: text(member(body, "request_id")) ?? requestIdOf(headers),
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    retryable: typeof retryable === "boolean" ? retryable : isPassing(refusal),
    retryAfter,
    headers,
    body
  })
}

/** The reason why a connection failed: runtimes have it in the error of fetch, or in its cause. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause, message, name } = error
  if (cause instanceof Error) return reasonOf(cause)
  const code = "code" in error && typeof error.code === "string" ? error.code : name
  return message === "" ? code : message
}

/** The error that a caller of the service at an address sees. */
export const toError = (failure: Failure, baseUrl: string): Error => {
  switch (failure.kind) {
    case "refusal":
      return toAPIError(failure)
    case "lost":
      return new APIConnectionError(`The connection to ${baseUrl} failed: ${reasonOf(failure.cause)}`, {
        cause: failure.cause
      })
    case "unreadable":
      return new InvalidResponseError(`The response from ${baseUrl} ${failure.reason}`, {
        requestId: requestIdOf(failure.headers)
      })
  }
}
