import { retryAfter } from "../ResponseHeaders.ts"
import { Overloaded } from "../../workers/Overloaded.ts"
import { Internal, TooManyConnections, Unavailable } from "./HttpFailures.ts"
import { problem } from "./problem.ts"

/** Failures of the service itself. */
export const serviceProblems = {
  Internal: problem(Internal, {
    status: 500,
    code: "internal",
    title: "Internal error",
    retryable: true,
    detail: "The service failed to answer. Try again; if it keeps happening, tell the operator the request ID.",
    example: new Internal()
  }),
  Unavailable: problem(Unavailable, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "The service cannot answer right now. Try again in a moment.",
    headers: retryAfter.of(1),
    example: new Unavailable()
  }),
  Overloaded: problem(Overloaded, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "More requests are waiting than can be answered in good time. Try again in a moment.",
    headers: retryAfter.of(1),
    example: new Overloaded()
  }),
  TooManyConnections: problem(TooManyConnections, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "More connections are open than the service can hold. Try again in a moment.",
    headers: retryAfter.of(1),
    example: new TooManyConnections()
  })
}
