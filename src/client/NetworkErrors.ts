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

/** What came as a success cannot be an answer of the service: it is no JSON object; or an answer is far too large. */
export class InvalidResponseError extends Error {
  static {
    this.prototype.name = "InvalidResponseError"
  }
}
