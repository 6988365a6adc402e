/** What an error may have besides its message. */
export interface OutreachForecastErrorOptions {
  /** The error that it comes from. */
  readonly cause?: unknown
  /** The id of the request. */
  readonly requestId?: string | undefined
}

/** A call failed: the base class of every error of a call, from the network or from the service. */
export class OutreachForecastError extends Error {
  // Literal names tell the classes apart for the compiler, which goes by their members. They survive minification.
  declare readonly name: string
  static {
    Object.defineProperty(this.prototype, "name", { value: "OutreachForecastError" })
  }
  /** The id of the request; quote it when you ask for support. Undefined if no answer named it. */
  readonly requestId: string | undefined

  constructor(message: string, { requestId, ...options }: OutreachForecastErrorOptions = {}) {
    super(message, options)
    this.requestId = requestId
  }
}

/** There was no connection to the service, or it was lost before the answer was complete. `cause` says why. */
export class ApiConnectionError extends OutreachForecastError {
  declare readonly name: "ApiConnectionError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "ApiConnectionError" })
  }
}

/** The call, including retries and pauses, took longer than `timeout`. */
export class ApiTimeoutError extends OutreachForecastError {
  declare readonly name: "ApiTimeoutError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "ApiTimeoutError" })
  }
}

/** The answer cannot be from the service: a success that is not a JSON object, not HTTP, or far too large. */
export class InvalidResponseError extends OutreachForecastError {
  declare readonly name: "InvalidResponseError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "InvalidResponseError" })
  }
}

/** An invalid option or number; nothing was sent. */
export class InvalidArgumentError extends OutreachForecastError {
  declare readonly name: "InvalidArgumentError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "InvalidArgumentError" })
  }
}
