import type { FieldError } from "./Wire.ts"

/** What an answer says that is not 2xx. */
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
 * The service answered, and not with a success. What a network did is never an `ApiError`: see `ConnectionError` and
 * `TimeoutError`.
 */
export class ApiError extends Error {
  static {
    this.prototype.name = "ApiError"
  }
  /** The HTTP status of the answer. */
  readonly statusCode: number
  /** What happened, as a stable code for programs; undefined where something else than the service answered. */
  readonly code: string | undefined
  /** The id of the request, for whoever runs the service. */
  readonly requestId: string | undefined
  /** Everything that is wrong with the fields of the request; empty unless the status is 400. */
  readonly errors: ReadonlyArray<FieldError>
  /** Whether the same call may succeed later without anything being changed. */
  readonly retryable: boolean
  /** After how many seconds it may; undefined where the answer does not say. */
  readonly retryAfter: number | undefined
  /** The answer's JSON value; its text where it is no JSON. */
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

/** 400: the request is not valid; `errors` lists everything that is wrong with it. */
export class BadRequestError extends ApiError {
  static {
    this.prototype.name = "BadRequestError"
  }
}

/** 401: the API key is missing, not known, or revoked. */
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

/** 429: too many requests for now. The client has waited and tried again already, as far as it may. */
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
