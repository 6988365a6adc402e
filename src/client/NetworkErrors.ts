/** There was no connection to the service, or it ended before the whole answer was there. `cause` says why. */
export class ConnectionError extends Error {
  static {
    this.prototype.name = "ConnectionError"
  }
}

/** The call, with all its attempts and pauses, took longer than `timeout`. */
export class TimeoutError extends Error {
  static {
    this.prototype.name = "TimeoutError"
  }
}

/** What came cannot be an answer of the service: a success that is no JSON object, what is no HTTP, or far too large. */
export class InvalidResponseError extends Error {
  static {
    this.prototype.name = "InvalidResponseError"
  }
}
