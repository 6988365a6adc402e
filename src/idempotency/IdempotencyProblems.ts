import { problem } from "../http/problems/problem.ts"
import { retryAfter } from "../http/ResponseHeaders.ts"
import { IdempotencyInProgress, IdempotencyMismatch } from "./Idempotency.ts"

/** The problems of requests with an Idempotency-Key. */
export const IdempotencyProblem = {
  IdempotencyInProgress: problem(IdempotencyInProgress, {
    status: 409,
    code: "idempotency_in_progress",
    title: "Idempotent request in progress",
    retryable: true,
    detail: "The first request with this Idempotency-Key is still being answered. Send it again in a moment.",
    headers: retryAfter.of(1),
    explanation: {
      when: "A request with the same `Idempotency-Key` is still being answered.",
      why: "Usually a retry arrived before the first request was finished.",
      whatToDo:
        "Send the same request again after the number of seconds in `Retry-After`: it gets the response to the first. See [idempotency](idempotency.md).",
      remedy: "send the same request again in a moment"
    },
    example: new IdempotencyInProgress()
  }),
  IdempotencyMismatch: problem(IdempotencyMismatch, {
    status: 422,
    code: "idempotency_mismatch",
    title: "Idempotency key reused",
    detail: "This Idempotency-Key has already been used for a different request. Choose a new one for each request.",
    explanation: {
      when: "The `Idempotency-Key` was sent before, with a different request.",
      why: "A stored response belongs to one request. A different request with the same key is usually a bug in the program.",
      whatToDo: "Choose a new `Idempotency-Key` for each new request. See [idempotency](idempotency.md).",
      remedy: "choose a new `Idempotency-Key`"
    },
    example: new IdempotencyMismatch()
  })
}
