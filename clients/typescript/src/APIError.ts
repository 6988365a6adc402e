import { OutreachForecastError } from "./OutreachForecastError.ts"
import type { FieldError } from "./Wire.ts"

/** The fields of an `APIError`. Its `message` is what the service says, without the code and the request ID. */
export type APIErrorFields = Omit<APIError, "name" | "stack" | "cause" | "statusCode">

/**
 * The service answered with an error. Its `message` says what to do, and ends with the status, the code and the ID of
 * the request. Network failures are not `APIError`s: see `APIConnectionError` and `APITimeoutError`.
 */
export class APIError extends OutreachForecastError {
  static {
    Object.defineProperty(this.prototype, "name", { value: "APIError" })
  }
  /** The HTTP status of the response. */
  readonly status: number
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

  constructor({ body, code, errors, headers, message, requestId, retryable, retryAfter, status }: APIErrorFields) {
    const request = requestId === undefined ? "" : `, request ${requestId}`
    super(`${message} (${status} ${code ?? "without a code"}${request})`, { requestId })
    this.status = status
    this.code = code
    this.errors = errors
    this.retryable = retryable
    this.retryAfter = retryAfter
    Object.defineProperties(this, { headers: { value: headers }, body: { value: body } })
  }

  /** The same as `status`. */
  get statusCode(): number {
    return this.status
  }
}

/**
 * Another name of `APIError`.
 * @alias
 */
export const ApiError: typeof APIError = APIError
/** Another name of `APIError`. */
export type ApiError = APIError

/** 400: the request is not valid; `errors` lists everything that is wrong with it. */
export class BadRequestError extends APIError {
  declare readonly name: "BadRequestError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "BadRequestError" })
  }
}

/** 401: the API key is missing, unknown, or revoked. */
export class AuthenticationError extends APIError {
  declare readonly name: "AuthenticationError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "AuthenticationError" })
  }
}

/** 403: the key may not do this: its plan is inactive, or it is the demo key or a sub-key. */
export class PermissionDeniedError extends APIError {
  declare readonly name: "PermissionDeniedError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "PermissionDeniedError" })
  }
}

/** 429: too many requests, or a sub-key has reached its monthly limit. */
export class RateLimitError extends APIError {
  declare readonly name: "RateLimitError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "RateLimitError" })
  }
}

/** 429 `usage_exhausted`: the key has no credits left. Waiting does not help; buy a credit pack. */
export class UsageExhaustedError extends APIError {
  declare readonly name: "UsageExhaustedError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "UsageExhaustedError" })
  }
}
