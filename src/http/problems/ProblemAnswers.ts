import { Effect, Layer } from "effect"
import { HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { CurrentRequest } from "../RequestState.ts"
import { invalidQuery } from "./invalidQuery.ts"
import { isFailure, toResponse } from "./Problems.ts"

/** What an endpoint failed with; the framework has an error of its own for a query that is not valid. */
const failureOf = (error: unknown) =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind === "Query" ? invalidQuery(error.cause) : error

/**
 * Answers the failures of all endpoints and of their other middleware from the table of problems. The schemas by which
 * endpoints declare them only serve the types and the document.
 */
export class ProblemAnswers extends HttpApiMiddleware.Service<ProblemAnswers>()(
  "outreach-forecast/http/ProblemAnswers"
) {
  static readonly layer = Layer.succeed(ProblemAnswers, (httpEffect) =>
    Effect.catch(httpEffect, (error) => {
      const failure = failureOf(error)
      return isFailure(failure)
        ? Effect.map(CurrentRequest, (request) => toResponse(failure, request))
        : Effect.fail(error)
    })
  )
}
