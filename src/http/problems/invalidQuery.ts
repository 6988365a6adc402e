import { Option, Schema, type SchemaIssue } from "effect"
import { CheckReport, type FieldError, InvalidInput } from "../../input/InvalidInput.ts"

const checkReport = Schema.decodeUnknownOption(CheckReport)

/** The error of a repeated parameter, which reaches its schema as an array. */
const givenTwice: FieldError = {
  pointer: "",
  code: "duplicate_field",
  message: "has a query parameter twice; send each only once"
}

const fieldError = (issue: SchemaIssue.Issue, pointer: string): FieldError => {
  switch (issue._tag) {
    case "Composite":
      return fieldError(issue.issues[0], pointer)
    case "Encoding":
      return fieldError(issue.issue, pointer)
    case "Pointer":
      return fieldError(issue.issue, `/${issue.path.map(String).join("/")}`)
    case "Filter": {
      const report = Option.getOrElse(checkReport(issue.filter.annotations), () => ({
        code: "wrong_type" as const,
        message: "is not valid"
      }))
      return { pointer, ...report }
    }
    default:
      return givenTwice
  }
}

/** The failure for a query that does not match its schema. It names the first invalid parameter. */
export const invalidQuery = ({ issue }: Schema.SchemaError): InvalidInput =>
  new InvalidInput({ errors: [fieldError(issue, "")] })
