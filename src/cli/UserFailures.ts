import { Effect, Predicate, Schema } from "effect"
import { CliError } from "effect/cli"
import { DatabaseUnavailable } from "../database/Failures.ts"

/** A command cannot do what it was asked to, and has done nothing; the message says why. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { message: Schema.String }) {}

/** What a failure says of itself, or what the error says that it wraps. */
const messageOf = (failure: unknown): string => {
  if (!Predicate.isObject(failure)) return String(failure)
  const { cause, message } = failure
  return Predicate.isString(message) && message !== "" ? message : messageOf(cause)
}

/** Shows a command's failures to its user as a message, after which the process ends with 1. */
export const orUserError = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CliError.UserError, R> =>
  effect.pipe(
    Effect.catchDefect((defect) => (defect instanceof DatabaseUnavailable ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError((cause) => new CliError.UserError({ cause, userMessage: messageOf(cause) }))
  )
