import { Effect, JsonPointer, Predicate, Schema } from "effect"
import { CliError } from "effect/cli"
import { DatabaseUnavailable } from "../database/Failures.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"
import { onItsLines, onOneLine } from "./Printing.ts"

/** A command was called with arguments or settings that it cannot work with, and did nothing; the message says why. */
export class InvalidInvocation extends Schema.TaggedError<InvalidInvocation>()("InvalidInvocation", {
  message: Schema.String
}) {}

/** How a message names a field: `evidence.reply_rate.observed`, or the input as a whole. */
export const fieldName = (pointer: string): string =>
  pointer === "" ? "the input" : onOneLine(pointer.slice(1).split("/").map(JsonPointer.unescapeToken).join("."))

/** Everything that is wrong with an input, a line for each field. */
export const asInvocation = ({ errors }: InvalidInput): InvalidInvocation =>
  new InvalidInvocation({
    message: errors.map(({ message, pointer }) => `${fieldName(pointer)} ${onOneLine(message)}`).join("\n  ")
  })

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
    Effect.mapError((cause) => new CliError.UserError({ cause, userMessage: onItsLines(messageOf(cause)) }))
  )
