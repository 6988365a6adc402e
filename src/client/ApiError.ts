import type { FieldError } from "./Wire.ts"

/** The content of an answer that is not 2xx. */
export interface ApiErrorFields {
  readonly message: string
  readonly statusCode: number
  readonly code: string | undefined
  readonly requestId: string | undefined
  readonly errors: ReadonlyArray<FieldError>
  readonly retryable: boolean
  readonly retryAfter: number | undefined
  readonly body: unknown
}

/**
 * The service answered with an error. Network failures are not `ApiError`s: see `ConnectionError` and `TimeoutError`.
 */
export class ApiError extends Error {
  static {
    this.prototype.name = "ApiError"
  }
  /** The HTTP status of the answer. */
  readonly statusCode: number
  /** A stable, machine-readable code; undefined if something other than the service answered. */
  readonly code: string | undefined
  /** The id of the request; quote it when you ask for support. */
  readonly requestId: string | undefined
  /** All errors in the fields of the request; empty unless the status is 400. */
  readonly errors: ReadonlyArray<FieldError>
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean
  /** How many seconds to wait before a retry; undefined if the answer does not say. */
  readonly retryAfter: number | undefined
  /** The answer's JSON value, or its text if it is not JSON. */
  readonly body: unknown

  constructor({ body, code, errors, message, requestId, retryable, retryAfter, statusCode }: ApiErrorFields) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.requestId = requestId
    this.errors = errors
    this.retryable = retryable
    this.retryAfter = retryAfter
    this.body = body
  }
}

/** 400: the request is not valid; `errors` lists all that is wrong with it. */
export class BadRequestError extends ApiError {
  static {
    this.prototype.name = "BadRequestError"
  }
}

/** 401: the API key is missing, unknown, or revoked. */
export class AuthenticationError extends ApiError {
  static {
    this.prototype.name = "AuthenticationError"
  }
}

/** 403: the plan of the key is inactive. */
export class PermissionDeniedError extends ApiError {
  static {
    this.prototype.name = "PermissionDeniedError"
  }
}

/** 429: too many requests. The client has already retried as often as its options allow. */
export class RateLimitError extends ApiError {
  static {
    this.prototype.name = "RateLimitError"
  }
}

/** 429 `usage_exhausted`: the key has no credits left. Waiting does not help; buy a credit pack. */
export class UsageExhaustedError extends ApiError {
  static {
    this.prototype.name = "UsageExhaustedError"
  }
}
