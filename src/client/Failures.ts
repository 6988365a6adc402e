import { Data, Predicate } from "effect"
import type { Loss } from "./Loss.ts"

/** No complete answer arrived: there was no connection, or it was lost. */
export class Lost extends Data.TaggedError("Lost")<{ readonly loss: Loss; readonly cause: unknown }> {
  /** Whether a retry may succeed. */
  get isPassing(): boolean {
    return this.loss !== "untrusted"
  }

  /** Whether the request was certainly not carried out. */
  get isUndone(): boolean {
    return this.loss === "unsent"
  }
}

/** The service answered with a status that is not 2xx. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  readonly headers: Headers
  /** How many seconds the service asks to wait. */
  readonly retryAfter: number | undefined
  /** The answer's JSON value, or its text if it is not JSON. */
  readonly body: unknown
}> {
  /** The code of the problem document; undefined if something else answered, such as a load balancer. */
  get code(): unknown {
    return Predicate.hasProperty(this.body, "code") ? this.body.code : undefined
  }

  /** Whether a retry may succeed. Exhausted credits do not come back by waiting. */
  get isPassing(): boolean {
    if (this.code === "usage_exhausted") return false
    return [408, 429].includes(this.status) || this.status >= 500 || this.code === "idempotency_in_progress"
  }

  /** Whether the request was certainly not carried out: rate limits are checked first. */
  get isUndone(): boolean {
    return this.status === 429
  }
}

/** An answer arrived that cannot be the service's. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly reason: string }> {}

/** The call, with its retries, took too long. */
export class TimedOut extends Data.TaggedError("TimedOut")<{ readonly seconds: number }> {}

export type Failure = Lost | Refused | Unreadable | TimedOut
