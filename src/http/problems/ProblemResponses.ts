import { Effect, Layer, type SchemaIssue } from "effect"
import { HttpApi, HttpApiError, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import type { HttpServerResponse } from "effect/http"
import { CurrentRequest, type RequestState } from "../RequestState.ts"
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

/** The failure of an endpoint. The framework has its own error for an invalid query; ours names its first parameter. */
const withQueryNamed = (error: unknown) =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind === "Query"
    ? new InvalidInput({ errors: [fieldError(error.cause.issue, "")] })
    : error

/**
 * Answers the failures of all endpoints and of their other middleware from the table of problems. The schemas with
 * which endpoints declare them serve only the types and the document.
 */
export class ProblemResponses extends HttpApiMiddleware.Service<ProblemResponses>()(
  "outreach-forecast/http/ProblemResponses"
) {
  /** Uses the table of all problems. */
  static readonly layer = <F>({
    isFailure,
    toResponse
  }: {
    readonly isFailure: (error: unknown) => error is F
    readonly toResponse: (failure: F, request: RequestState) => HttpServerResponse.HttpServerResponse
  }) =>
    Layer.succeed(ProblemResponses, (httpEffect) =>
      Effect.catch(httpEffect, (error) => {
        const failure = withQueryNamed(error)
        return isFailure(failure)
          ? Effect.map(CurrentRequest, (request) => toResponse(failure, request))
          : Effect.fail(error)
      })
    )
}

/** The API with a group of endpoints. */
export const apiOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApi.make("outreach-forecast").add(group).middleware(ProblemResponses)
