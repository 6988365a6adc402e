import { Cause, Effect } from "effect"
import { HttpServerError } from "effect/http"
import { DatabaseUnavailable } from "../../database/Failures.ts"
import { FaultLog } from "../../database/FaultLog.ts"
import { Internal, MalformedRequest, Unavailable } from "./HttpFailures.ts"
import type { Failure } from "./Problems.ts"

/** The failure that stands for an unexpected cause. Bugs are logged here, faults of the database in the FaultLog. */
export const failureOf = (cause: Cause.Cause<unknown>): Effect.Effect<Failure> => {
  const error = Cause.squash(cause)
  if (error instanceof DatabaseUnavailable) {
    return Effect.as(
      Effect.flatMap(FaultLog, ({ note }) => note(error)),
      new Unavailable()
    )
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(new Unavailable())
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError") {
    return Effect.succeed(new MalformedRequest())
  }
  return Effect.as(Effect.logError("The service failed to answer", cause), new Internal())
}
