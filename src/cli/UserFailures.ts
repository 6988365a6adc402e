import { Effect, Predicate, Schema } from "effect"
import { CliError } from "effect/cli"
import { DatabaseUnavailable } from "../database/Failures.ts"

/** A command was called with arguments or settings that it cannot work with, and did nothing; the message says why. */
export class InvalidInvocation extends Schema.TaggedError<InvalidInvocation>()("InvalidInvocation", {
  message: Schema.String
}) {}

/** The message of a failure, or else of the error that it wraps. */
const messageOf = (failure: unknown): string => {
  if (!Predicate.isObject(failure)) return String(failure)
  const { cause, message } = failure
  return Predicate.isString(message) && message !== "" ? message : messageOf(cause)
}

/** Shows a command's failures to its user as a message; the process exits with 1. */
export const orUserError = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CliError.UserError, R> =>
  effect.pipe(
    Effect.catchDefect((defect) => (defect instanceof DatabaseUnavailable ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError((cause) => new CliError.UserError({ cause, userMessage: messageOf(cause) }))
  )
