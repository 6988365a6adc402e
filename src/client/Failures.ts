import { Data, Predicate } from "effect"
import type { Loss } from "./Loss.ts"

/** No whole answer came: there was no connection, or it was cut off. */
export class Lost extends Data.TaggedError("Lost")<{ readonly loss: Loss; readonly cause: unknown }> {
  /** Whether the same request may succeed in a moment. */
  get isPassing(): boolean {
    return this.loss !== "untrusted"
  }

  /** Whether the service has certainly not done what it was asked for. */
  get isUndone(): boolean {
    return this.loss === "unsent"
  }
}

/** The service answered with a status that is not 2xx. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  readonly headers: Headers
  /** For how many seconds the service asks to wait. */
  readonly retryAfter: number | undefined
  /** The answer's JSON value; its text where it is no JSON. */
  readonly body: unknown
}> {
  /** The code of the problem document; undefined where something else answered, such as a load balancer. */
  get code(): unknown {
    return Predicate.hasProperty(this.body, "code") ? this.body.code : undefined
  }

  /** Whether the same request may succeed in a moment. Credits that are used up do not come back by waiting. */
  get isPassing(): boolean {
    if (this.code === "usage_exhausted") return false
    return [408, 429].includes(this.status) || this.status >= 500 || this.code === "idempotency_in_progress"
  }

  /** Whether the service has certainly not done what it was asked for: too many requests are found out before that. */
  get isUndone(): boolean {
    return this.status === 429
  }
}

/** There is an answer, and it cannot be the service's. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly reason: string }> {}

/** The time for the whole call is over. */
export class TimedOut extends Data.TaggedError("TimedOut")<{ readonly seconds: number }> {}

export type Failure = Lost | Refused | Unreadable | TimedOut
