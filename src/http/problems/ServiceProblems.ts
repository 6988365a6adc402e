import { retryAfter } from "../ResponseHeaders.ts"
import { Overloaded } from "../../Limits.ts"
import { Internal, TooManyConnections, Unavailable } from "./HttpFailures.ts"
import { problem } from "./problem.ts"

/** The problems of the service itself. */
export const serviceProblems = {
  Internal: problem(Internal, {
    status: 500,
    code: "internal",
    title: "Internal error",
    retryable: true,
    detail: "The service failed to answer. Try again; if it keeps happening, tell the operator the request ID.",
    explanation: {
      when: "The service failed to answer.",
      why: "There is a bug in the service. The details are in its log, with the request ID, and not in the response.",
      whatToDo:
        "Try again, with the same `Idempotency-Key` if the request had one. If it keeps happening, give the operator the `request_id`.",
      remedy: "try again later; 503 says when in `Retry-After`"
    },
    example: new Internal()
  }),
  Unavailable: problem(Unavailable, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "The service cannot answer right now. Try again in a moment.",
    headers: retryAfter.of(1),
    explanation: {
      when: "The service cannot answer right now.",
      why: "Its database cannot be reached, more requests are waiting than it can answer in time, it is shutting down, or the payment provider cannot be reached. No credit is taken, with two exceptions where it is impossible to know: the connection to the database was lost at the very moment of a commit, or a load balancer lost the response and returned 502 with this code.",
      whatToDo:
        "Send the same request again after the number of seconds in `Retry-After`, with the same `Idempotency-Key`: then it costs at most one credit, whatever happened.",
      remedy: "try again later; 503 says when in `Retry-After`"
    },
    example: new Unavailable()
  }),
  Overloaded: problem(Overloaded, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "Too many requests are waiting. Try again in a moment.",
    headers: retryAfter.of(1),
    example: new Overloaded()
  }),
  TooManyConnections: problem(TooManyConnections, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "Too many connections are open. Try again in a moment.",
    headers: retryAfter.of(1),
    example: new TooManyConnections()
  })
}
