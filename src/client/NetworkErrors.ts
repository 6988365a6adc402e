/** There was no connection to the service, or it was lost before the answer was complete. `cause` says why. */
export class ConnectionError extends Error {
  static {
    this.prototype.name = "ConnectionError"
  }
}

/** The call, including retries and pauses, took longer than `timeout`. */
export class TimeoutError extends Error {
  static {
    this.prototype.name = "TimeoutError"
  }
}

/** The answer cannot be the service's: a success that is not a JSON object, not HTTP, or far too large. */
export class InvalidResponseError extends Error {
  static {
    this.prototype.name = "InvalidResponseError"
  }
}
