import { OutreachForecastError } from "./OutreachForecastError.ts"
import type { FieldError } from "./Wire.ts"

/** The fields of an `ApiError`. */
export type ApiErrorFields = Omit<ApiError, "name" | "stack" | "cause">

/**
 * The service answered with an error. Network failures are not `ApiError`s: see `ApiConnectionError` and `ApiTimeoutError`.
 */
export class ApiError extends OutreachForecastError {
  static {
    Object.defineProperty(this.prototype, "name", { value: "ApiError" })
  }
  /** The HTTP status of the response. */
  readonly statusCode: number
  /** A stable, machine-readable code; undefined if something other than the service responded. */
  readonly code: string | undefined
  /** All errors in the fields of the request; empty unless the status is 400. */
  readonly errors: ReadonlyArray<FieldError>
  /** True if the same call may succeed later, unchanged. */
  readonly retryable: boolean
  /** The seconds to wait before a retry; undefined if the response does not say. */
  readonly retryAfter: number | undefined
  /** The headers of the response. Not enumerable, and neither is `body`: a log needs neither. */
  declare readonly headers: Headers
  /** The JSON value of the response, or its text if it is not JSON. */
  declare readonly body: unknown

  constructor({ body, code, errors, headers, message, requestId, retryable, retryAfter, statusCode }: ApiErrorFields) {
    super(message, { requestId })
    this.statusCode = statusCode
    this.code = code
    this.errors = errors
    this.retryable = retryable
    this.retryAfter = retryAfter
    Object.defineProperties(this, { headers: { value: headers }, body: { value: body } })
  }
}

/** 400: the request is not valid; `errors` lists everything that is wrong with it. */
export class BadRequestError extends ApiError {
  declare readonly name: "BadRequestError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "BadRequestError" })
  }
}

/** 401: the API key is missing, unknown, or revoked. */
export class AuthenticationError extends ApiError {
  declare readonly name: "AuthenticationError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "AuthenticationError" })
  }
}

/** 403: the key may not do this: its plan is inactive, or it is the demo key or a sub-key. */
export class PermissionDeniedError extends ApiError {
  declare readonly name: "PermissionDeniedError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "PermissionDeniedError" })
  }
}

/** 429: too many requests, or a sub-key has reached its monthly limit. */
export class RateLimitError extends ApiError {
  declare readonly name: "RateLimitError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "RateLimitError" })
  }
}

/** 429 `usage_exhausted`: the key has no credits left. Waiting does not help; buy a credit pack. */
export class UsageExhaustedError extends ApiError {
  declare readonly name: "UsageExhaustedError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "UsageExhaustedError" })
  }
}
