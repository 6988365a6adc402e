import { Cause, Effect } from "effect"
import { HttpServerError } from "effect/http"
import { FaultLog } from "../../database/FaultLog.ts"
import { Internal, MalformedRequest, Unavailable } from "./HttpFailures.ts"
import type { HttpFailure } from "./HttpProblems.ts"

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
