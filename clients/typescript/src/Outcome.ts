import type { Loss } from "./Loss.ts"

/** The service answered with a success. */
interface Answer {
  readonly kind: "answer"
  readonly headers: Headers
  readonly body: object
}

/** The service answered with a status that is not 2xx. */
export interface Refusal {
  readonly kind: "refusal"
  readonly status: number
  readonly headers: Headers
  /** How many seconds the service asks to wait. */
  readonly retryAfter: number | undefined
  /** The answer's JSON value, or its text if it is not JSON. */
  readonly body: unknown
}

/** No complete answer arrived: there was no connection, or it was lost. */
interface Lost {
  readonly kind: "lost"
  readonly loss: Loss
  readonly cause: unknown
}

/** An answer arrived that cannot be the service's. */
interface Unreadable {
  readonly kind: "unreadable"
  readonly reason: string
  /** Undefined if not even they can be read. */
  readonly headers: Headers | undefined
}

/** What became of an attempt. */
export type Outcome = Answer | Refusal | Lost | Unreadable
export type Failure = Exclude<Outcome, Answer>

/** A member of what may be a JSON object. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** Whether a retry may succeed. Exhausted credits do not come back by waiting. */
export const isPassing = (failure: Failure): boolean => {
  switch (failure.kind) {
    case "refusal": {
      const code = member(failure.body, "code")
      if (code === "usage_exhausted" || code === "sub_key_limit_reached") return false
      return [408, 429].includes(failure.status) || failure.status >= 500 || code === "idempotency_in_progress"
    }
    case "lost":
      return failure.loss !== "untrusted"
    case "unreadable":
      return false
  }
}

/** Whether the request was certainly not carried out: it was not sent, or refused by a rate limit, which comes first. */
export const isUndone = (failure: Failure): boolean =>
  failure.kind === "refusal" ? failure.status === 429 : failure.kind === "lost" && failure.loss === "unsent"
