import { Effect, Layer } from "effect"
import { HttpApi, HttpApiError, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import type { HttpServerResponse } from "effect/http"
import { CurrentRequest, type RequestState } from "../RequestState.ts"
import { invalidQuery } from "./invalidQuery.ts"

/** The failure of an endpoint; the framework has its own error for an invalid query. */
const withQueryNamed = (error: unknown) =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind === "Query" ? invalidQuery(error.cause) : error

/**
 * Answers the failures of all endpoints and of their other middleware from the table of problems. The schemas with
 * which endpoints declare them serve only the types and the document.
 */
export class ProblemAnswers extends HttpApiMiddleware.Service<ProblemAnswers>()(
  "outreach-forecast/http/ProblemAnswers"
) {
  /** Uses the table of all problems. */
  static readonly layer = <F>({
    isFailure,
    toResponse
  }: {
    readonly isFailure: (error: unknown) => error is F
    readonly toResponse: (failure: F, request: RequestState) => HttpServerResponse.HttpServerResponse
  }) =>
    Layer.succeed(ProblemAnswers, (httpEffect) =>
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
  HttpApi.make("outreach-forecast").add(group).middleware(ProblemAnswers)
