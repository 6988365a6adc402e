import { Schema } from "effect"
import { FieldError } from "../../input/InvalidInput.ts"

/** The media type of a problem (RFC 9457). */
export const problemType = "application/problem+json"

/** The members of every problem. */
export const problemFields = <Status extends Schema.Top, Code extends Schema.Top>(status: Status, code: Code) => ({
  type: Schema.String.annotate({ description: "The address of an explanation of the problem.", format: "uri" }),
  title: Schema.String.annotate({ description: "The kind of problem." }),
  status: status.annotate({ description: "The HTTP status of the response." }),
  detail: Schema.String.annotate({ description: "What happened and what to do about it." }),
  code: code.annotate({ description: "Stable code for programs." }),
  message: Schema.String.annotate({ description: "The same text as detail." }),
  retryable: Schema.Boolean.annotate({
    description: "True if the same request may succeed later, unchanged."
  }),
  request_id: Schema.String.annotate({ description: "The ID of the request, as in X-Request-Id." })
})

/** The member that lists the errors in the fields of a request. */
export const fieldErrors = (description: string) => Schema.Array(FieldError).annotate({ description })

/** The body of every response that is not 2xx. */
const ProblemBody = Schema.Struct({
  ...problemFields(Schema.Int, Schema.String),
  errors: Schema.optionalKey(fieldErrors("All errors in the request (invalid_input only)."))
})
export type ProblemDocument = typeof ProblemBody.Type

/** The response to a failure. */
export interface ProblemResponse {
  readonly status: number
  readonly contentType: string
  /** Its own header fields, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ProblemDocument
}
