import { Predicate } from "effect"
import {
  ApiError,
  type ApiErrorFields,
  AuthenticationError,
  BadRequestError,
  PermissionDeniedError,
  RateLimitError,
  UsageExhaustedError
} from "./ApiError.ts"
import type { Failure, Refused } from "./Failures.ts"
import { reasonOf } from "./Loss.ts"
import { ConnectionError, InvalidResponseError, TimeoutError } from "./NetworkErrors.ts"
import type { FieldError } from "./Wire.ts"

const byStatus: { readonly [status: number]: typeof ApiError } = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  429: RateLimitError
}

const errorClass = (status: number, code: string | undefined): typeof ApiError =>
  code === "usage_exhausted" ? UsageExhaustedError : (byStatus[status] ?? ApiError)

const text = (value: unknown): string | undefined => (Predicate.isString(value) ? value : undefined)

/** Accepts codes of newer services too; the declared ones only serve completion in editors. */
const isFieldError = (value: unknown): value is FieldError =>
  Predicate.isObject(value) &&
  ["pointer", "message", "code"].every((name) => Predicate.hasProperty(value, name) && Predicate.isString(value[name]))

/** The message for an answer without one, which is not the service's. */
const plainMessage = ({ headers, status }: Refused): string => {
  if (status < 300 || status > 399) return `The service answered with the status ${status}`
  const location = headers.get("location")
  const what =
    location === null
      ? `The status ${status} is none of the service's`
      : `The service answered with a redirect (${status}) to ${location}, where the key is not sent`
  return `${what}: set baseUrl to the address of the service itself`
}

const toApiError = (refused: Refused): ApiError => {
  const { body, headers, retryAfter, status } = refused
  const problem: Readonly<Record<string, unknown>> = Predicate.isObject(body) ? { ...body } : {}
  const code = text(refused.code)
  const fields: ApiErrorFields = {
    message: text(problem["message"]) ?? plainMessage(refused),
    statusCode: status,
    code,
    requestId: text(problem["request_id"]) ?? headers.get("x-request-id") ?? undefined,
    errors: Array.isArray(problem["errors"]) ? problem["errors"].filter(isFieldError) : [],
    retryable: Predicate.isBoolean(problem["retryable"]) ? problem["retryable"] : refused.isPassing,
    retryAfter,
    body
  }
  return new (errorClass(status, code))(fields)
}

/** The error that a caller sees. */
export const toError = (failure: Failure): Error => {
  switch (failure._tag) {
    case "Refused":
      return toApiError(failure)
    case "Lost":
      return new ConnectionError(`The connection to the service failed: ${reasonOf(failure.cause)}`, {
        cause: failure.cause
      })
    case "Unreadable":
      return new InvalidResponseError(`The answer ${failure.reason}`)
    case "TimedOut":
      return new TimeoutError(`There was no answer within ${failure.seconds} s`)
  }
}
