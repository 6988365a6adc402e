import { Cause, Effect, Schema } from "effect"
import { problemFields } from "./ProblemDocument.ts"
import { problemsOf } from "./problem.ts"
import { refusalProblems } from "./RefusalProblems.ts"
import { requestProblems } from "./RequestProblems.ts"
import { serviceProblems } from "./ServiceProblems.ts"
import { HttpServerError } from "effect/http"
import { FaultLog } from "../../database/Failures.ts"
import { Internal, MalformedRequest, Unavailable } from "./HttpFailures.ts"

/** The problems of HTTP itself, for any request. */
export const HttpProblem = { ...requestProblems, ...serviceProblems, ...refusalProblems }

export type HttpFailure = (typeof HttpProblem)[keyof typeof HttpProblem]["Type"]

export const { toProblem, toResponse } = problemsOf<HttpFailure>(HttpProblem)

const refusals = Object.values(refusalProblems)

/** Any refusal. Its codes are distinct, so that the code of a problem determines its other members. */
export const AnyRefusal = Schema.Struct(
  problemFields(
    Schema.Literals([...new Set(refusals.map(({ status }) => status))]).annotate({ title: "RefusalStatus" }),
    Schema.Literals([...new Set(refusals.map(({ code }) => code))]).annotate({ title: "RefusalCode" })
  )
).annotate({
  identifier: "RefusalProblem",
  description: "A refusal of a request before it reaches an endpoint.",
  examples: [HttpProblem.NotFound.example.body]
})

/** Maps an unexpected cause to a failure. Bugs are logged here, faults of the database in the FaultLog. */
export const failureOf = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>): Effect.fn.Return<HttpFailure> {
  const error = Cause.squash(cause)
  const { explain, note } = yield* FaultLog
  const unavailable = yield* explain(error)
  if (unavailable !== undefined) {
    yield* note(unavailable)
    return new Unavailable()
  }
  if (Cause.hasInterruptsOnly(cause)) return new Unavailable()
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError") {
    return new MalformedRequest()
  }
  yield* Effect.logError("The service failed to answer", cause)
  return new Internal()
})
