import type { Schema, SchemaIssue } from "effect"
import { type FieldError, InvalidInput, reportOf } from "../../input/InvalidInput.ts"

/** The error of a repeated parameter, which reaches its schema as an array. */
const givenTwice = { code: "duplicate_field", message: "is in the query more than once; send it once" } as const

const fieldError = (issue: SchemaIssue.Issue, pointer: string): FieldError => {
  switch (issue._tag) {
    case "Composite":
      return fieldError(issue.issues[0], pointer)
    case "Encoding":
      return fieldError(issue.issue, pointer)
    case "Pointer":
      return fieldError(issue.issue, `/${issue.path.map(String).join("/")}`)
    case "Filter":
      return { pointer, ...reportOf(issue.filter.annotations) }
    default:
      return { pointer, ...givenTwice }
  }
}

/** The failure for a query that does not match its schema. It names the first invalid parameter. */
export const invalidQuery = ({ issue }: Schema.SchemaError): InvalidInput =>
  new InvalidInput({ errors: [fieldError(issue, "")] })
