import { Cause, Effect } from "effect"
import { HttpServerError } from "effect/http"
import { DatabaseUnavailable } from "../../database/Failures.ts"
import { Internal, MalformedRequest, Unavailable } from "../problems/HttpFailures.ts"
import type { Failure } from "../problems/Problems.ts"

/** What it means to the caller that a request could not be answered; the bugs among the causes are logged. */
export const failureOf = (cause: Cause.Cause<unknown>): Effect.Effect<Failure> => {
  const error = Cause.squash(cause)
  if (error instanceof DatabaseUnavailable) {
    return Effect.as(Effect.logError("The database is unavailable", cause), new Unavailable())
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(new Unavailable())
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError") {
    return Effect.succeed(new MalformedRequest())
  }
  return Effect.as(Effect.logError("The service failed to answer", cause), new Internal())
}
