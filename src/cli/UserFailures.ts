import { Effect, Predicate, Schema } from "effect"
import { CliError } from "effect/cli"
import { DatabaseUnavailable } from "../database/Failures.ts"
import { withLine } from "./TypedLine.ts"

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

/** Where to find what a command was looking for, by the failure that says that it is not there. */
const lists: Readonly<Partial<Record<string, ReadonlyArray<string>>>> = {
  KeyNotFound: ["keys", "list"],
  AmbiguousPrefix: ["keys", "list"],
  OrderNotFound: ["orders", "list"],
  MailNotFound: ["mails", "list"]
}

/** A failure as sentences for the user, each of them with its full stop. */
export const textOf = (failure: unknown): string => {
  const message = messageOf(failure)
  const sentence = /[.?]$|\n/.test(message) ? message : `${message}.`
  const words = Predicate.hasProperty(failure, "_tag") ? lists[String(failure._tag)] : undefined
  return words === undefined ? sentence : withLine(sentence, words)
}

/** Shows a command's failures to its user as a message; the process exits with 1. */
export const orUserError = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CliError.UserError, R> =>
  effect.pipe(
    Effect.catchDefect((defect) => (defect instanceof DatabaseUnavailable ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError((cause) => new CliError.UserError({ cause, userMessage: textOf(cause) }))
  )
