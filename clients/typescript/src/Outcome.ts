/** The service responded with a success. */
interface Answer {
  readonly kind: "answer"
  readonly headers: Headers
  readonly body: object
}

/** The service responded with a status that is not 2xx. */
export interface Refusal {
  readonly kind: "refusal"
  readonly status: number
  readonly headers: Headers
  /** The seconds that the service asks to wait. */
  readonly retryAfter: number | undefined
  /** The JSON value of the response, or its text if it is not JSON. */
  readonly body: unknown
}

/** No complete response arrived: there was no connection, or it was lost. The request may have been carried out. */
interface Lost {
  readonly kind: "lost"
  readonly cause: unknown
}

/** The response cannot be from the service. */
interface Unreadable {
  readonly kind: "unreadable"
  readonly reason: string
  readonly headers: Headers
}

/** The outcome of an attempt. */
export type Outcome = Answer | Refusal | Lost | Unreadable
export type Failure = Exclude<Outcome, Answer>

/** A member of a value, if that is a JSON object. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** True if a retry may succeed. Waiting restores neither exhausted credits nor the monthly limit of a sub-key. */
export const isPassing = (failure: Failure): boolean => {
  switch (failure.kind) {
    case "refusal": {
      const code = member(failure.body, "code")
      if (code === "usage_exhausted" || code === "sub_key_limit_reached") return false
      return [408, 429].includes(failure.status) || failure.status >= 500 || code === "idempotency_in_progress"
    }
    case "lost":
      return true
    case "unreadable":
      return false
  }
}

/** True if the request was certainly not carried out: it was refused by a rate limit. */
export const isUndone = (failure: Failure): boolean => failure.kind === "refusal" && failure.status === 429
