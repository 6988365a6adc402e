import { Cause, Effect } from "effect"
import { HttpServerError } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { DatabaseUnavailable } from "../../database/Failures.ts"
import { InvalidInput } from "../../input/InvalidInput.ts"
import { Internal, MalformedRequest, Unavailable } from "../problems/HttpFailures.ts"
import type { Failure } from "../problems/Problems.ts"

/** What it means to the caller that a request could not be answered; the bugs among the causes are logged. */
export const failureOf = (cause: Cause.Cause<unknown>): Effect.Effect<Failure> => {
  const error = Cause.squash(cause)
  if (error instanceof DatabaseUnavailable) {
    return Effect.as(Effect.logError("The database is unavailable", cause), new Unavailable())
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(new Unavailable())
  if (HttpApiError.HttpApiSchemaError.is(error) && error.kind === "Query") {
    // The handlers read what a parameter says; all that is left to fail here is one that is given twice.
    const twice = {
      pointer: "",
      code: "duplicate_field",
      message: "has a query parameter twice; give each once"
    } as const
    return Effect.succeed(new InvalidInput({ errors: [twice] }))
  }
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError") {
    return Effect.succeed(new MalformedRequest())
  }
  return Effect.as(Effect.logError("The service failed to answer", cause), new Internal())
}
