/** The optional properties of an error. */
export interface OutreachForecastErrorOptions {
  /** The error that caused this one. */
  readonly cause?: unknown
  /** The ID of the request. */
  readonly requestId?: string | undefined
}

/** A call failed: the base class of every error of a call, from the network or from the service. */
export class OutreachForecastError extends Error {
  // Literal names distinguish the classes for the compiler, which compares their members. They survive minification.
  declare readonly name: string
  static {
    Object.defineProperty(this.prototype, "name", { value: "OutreachForecastError" })
  }
  /** The ID of the request; quote it when you ask for support. Undefined if no response named it. */
  readonly requestId: string | undefined

  constructor(message: string, { requestId, ...options }: OutreachForecastErrorOptions = {}) {
    super(message, options)
    this.requestId = requestId
  }
}

/** There was no connection to the service, or it was lost before the response was complete. `cause` says why. */
export class APIConnectionError extends OutreachForecastError {
  declare readonly name: "APIConnectionError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "APIConnectionError" })
  }
}

/** The call, including retries and pauses, took longer than `timeout`. */
export class APITimeoutError extends OutreachForecastError {
  declare readonly name: "APITimeoutError"
  static {
    Object.defineProperty(this.prototype, "name", { value: "APITimeoutError" })
  }
}

/** The response cannot be from the service: a success that is not a JSON object, or one larger than 8 MiB. */
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
