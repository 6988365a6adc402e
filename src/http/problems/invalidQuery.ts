import { Option, Schema, type SchemaIssue } from "effect"
import { CheckReport, type FieldError, InvalidInput } from "../../input/InvalidInput.ts"

const checkReport = Schema.decodeUnknownOption(CheckReport)

/** The schema of a parameter takes one text; what the framework makes of several is an array. */
const givenTwice: FieldError = {
  pointer: "",
  code: "duplicate_field",
  message: "has a query parameter twice; give each once"
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

/** What the schema of a query has against it, in the contract's words: the first parameter that is wrong. */
export const invalidQuery = ({ issue }: Schema.SchemaError): InvalidInput =>
  new InvalidInput({ errors: [fieldError(issue, "")] })
