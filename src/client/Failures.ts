import { Data, Predicate } from "effect"

/** No whole answer came: there was no connection, or it was cut off. */
export class Lost extends Data.TaggedError("Lost")<{ readonly cause: unknown }> {}

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

  /** Whether there were too many requests for now, which was found out before anything was done. */
  get isRateLimited(): boolean {
    return this.status === 429 && this.code !== "usage_exhausted"
  }
}

/** There is an answer, and it cannot be the service's. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly reason: string }> {}

/** The time for the whole call is over. */
export class TimedOut extends Data.TaggedError("TimedOut")<{ readonly seconds: number }> {}

export type Failure = Lost | Refused | Unreadable | TimedOut
