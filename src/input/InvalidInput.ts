import { JsonPointer, Option, Schema } from "effect"

const FieldErrorCode = Schema.Literals([
  "required",
  "wrong_type",
  "out_of_range",
  "not_an_integer",
  "invalid_format",
  "unknown_field",
  "duplicate_field"
]).annotate({ title: "FieldErrorCode" })

/** An error in a request: its place (an RFC 6901 pointer, in the client's own spelling), what to do, and a code. */
export const FieldError = Schema.Struct({
  pointer: Schema.String.annotate({
    description:
      "JSON Pointer (RFC 6901) to the field of the body, in your own spelling, or / and the name of the query parameter " +
      "or header; empty for the body or the query as a whole.",
    examples: ["/reply_rate"]
  }),
  message: Schema.String.annotate({ description: "The error and what to do.", examples: ["must be at most 100"] }),
  code: FieldErrorCode.annotate({ description: "Stable code for programs.", examples: ["out_of_range"] })
}).annotate({
  identifier: "FieldError",
  description: "An error in the request.",
  examples: [{ pointer: "/reply_rate", message: "must be at most 100", code: "out_of_range" }]
})
export type FieldError = typeof FieldError.Type

/** More errors are of no use and take time, and a response must not be many times larger than its request. */
export const maxErrors = 50

/** The most characters of a name chosen by the caller that are reported. */
export const maxName = 100

/** The step of a pointer to the member of an object with this name. */
export const pointerTo = (name: string): string => `/${JsonPointer.escapeToken(name.slice(0, maxName).toWellFormed())}`

const asReport = Schema.decodeUnknownOption(FieldError.mapFields(({ code, message }) => ({ code, message })))

/** The code and message in the annotations of a schema's check, which report a failure in the contract's words. */
export const reportOf = (annotations: unknown): Omit<FieldError, "pointer"> =>
  Option.getOrElse(asReport(annotations), () => ({ code: "wrong_type", message: "is not valid" }))

/** The input is JSON, but invalid; `errors` has every error, or the first 50. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  errors: Schema.Array(FieldError),
  /** The number of errors after these, and of fields and items that were not checked because of them. */
  more: Schema.optionalKey(Schema.Int)
}) {}

/** The failure of an input with these errors, of which the first 50 are kept, and with `more` that were only counted. */
export const invalidInput = (errors: ReadonlyArray<FieldError>, more = 0): InvalidInput => {
  const left = more + Math.max(0, errors.length - maxErrors)
  return new InvalidInput({ errors: errors.slice(0, maxErrors), ...(left > 0 && { more: left }) })
}

/** The input is not valid JSON; `reason` says where it stops being valid. */
export class MalformedJson extends Schema.TaggedError<MalformedJson>()("MalformedJson", {
  reason: Schema.String
}) {}
