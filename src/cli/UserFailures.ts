import { resolve } from "node:path"
import { Cause, Console, Effect, PlatformError, Predicate, Schema } from "effect"
import { CliError } from "effect/cli"
import { DatabaseUnavailable } from "../database/Failures.ts"

/** A word, quoted for a shell if necessary. */
const quoted = (word: string): string =>
  /^[\w./:=@+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The command line with these words, ready to paste. */
export const lineOf = (words: ReadonlyArray<string>): string => ["outreach-forecast", ...words].map(quoted).join(" ")

/** A sentence about an error, with the command to type instead. */
export const withLine = (sentence: string, words: ReadonlyArray<string>): string =>
  `${sentence}\n  Type: ${lineOf(words)}`

/** A command was called with invalid arguments or settings, and did nothing; the message says why. */
export class InvalidInvocation extends Schema.TaggedError<InvalidInvocation>()("InvalidInvocation", {
  message: Schema.String
}) {}

/** A command failed and has already reported why. */
export class AlreadyReported extends Schema.TaggedError<AlreadyReported>()("AlreadyReported", {}) {}

/** The message of a failure, or of the error that it wraps. */
const messageOf = (failure: unknown): string => {
  if (!Predicate.isObject(failure)) return String(failure)
  if (failure instanceof PlatformError.PlatformError && failure.reason._tag === "PermissionDenied") {
    return `The user that runs this command may not use ${resolve(String(failure.reason.pathOrDescriptor))}. Choose a folder of that user`
  }
  const { cause, message } = failure
  return Predicate.isString(message) && message !== "" ? message : messageOf(cause)
}

/** The command that lists the existing items, by the failure that an item was not found. */
const lists: Readonly<Partial<Record<string, ReadonlyArray<string>>>> = {
  KeyNotFound: ["keys", "list"],
  AmbiguousPrefix: ["keys", "list"],
  OrderNotFound: ["orders", "list"],
  MailNotFound: ["mails", "list"]
}

/** A failure as sentences for the user, each with a full stop. */
export const textOf = (failure: unknown): string => {
  const message = messageOf(failure)
  const sentence = /[.?]$|\n/.test(message) ? message : `${message}.`
  const words = Predicate.hasProperty(failure, "_tag") ? lists[String(failure._tag)] : undefined
  return words === undefined ? sentence : withLine(sentence, words)
}

/** Prints why a command failed, unless it was already reported; the command line prints its own errors. */
export const printFailure = <E>(cause: Cause.Cause<E>): Effect.Effect<void> => {
  const failure = Cause.squash(cause)
  const isReported = CliError.isCliError(failure) || failure instanceof AlreadyReported
  if (isReported || Cause.hasInterruptsOnly(cause)) return Effect.void
  const isForeseen = !Cause.hasDies(cause) || failure instanceof DatabaseUnavailable
  return Console.error(isForeseen ? textOf(failure) : Cause.pretty(cause))
}
