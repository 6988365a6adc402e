import type { IncomingMessage } from "node:http"
import { Effect, Fiber } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { sampled } from "../../observability/Telemetry.ts"
import { failureOf, type HttpFailure } from "../problems/HttpProblems.ts"
import type { ProblemResponse } from "../problems/ProblemDocument.ts"
import { holdBack } from "../../Limits.ts"
import { CurrentRequest, type RequestState } from "../RequestState.ts"
import type { RouteTable } from "./RoutedRequests.ts"
import { type ActiveRequest, pathOf, sendAnswer, sendText } from "./RequestPipeline.ts"
import type { HeaderFields } from "../ResponseHeaders.ts"

/** The 200 of an endpoint: a JSON text, and headers other than those of every response. */
export interface DirectAnswer {
  readonly json: string
  readonly headers: HeaderFields
}

/** An endpoint that is answered without the router. */
export interface DirectEndpoint<F> {
  readonly method: string
  readonly path: `/${string}`
  /** The headers of all its responses, including refusals. */
  readonly headers: HeaderFields
  readonly answer: (request: IncomingMessage) => Effect.Effect<DirectAnswer, F>
}

/** Creates the direct endpoint for an endpoint of the API, which declares every failure of `answer`. */
export const directEndpoint = <Endpoint extends HttpApiEndpoint.Top>(
  { method, path }: Endpoint,
  answer: DirectEndpoint<HttpApiEndpoint.Errors<Endpoint>>["answer"],
  headers: HeaderFields = {}
): DirectEndpoint<HttpApiEndpoint.Errors<Endpoint>> => ({ method, path: `/${path.slice(1)}`, headers, answer })

/** The direct endpoints, and the responses to their failures. */
export interface Direct<F, R> {
  readonly endpoints: Effect.Effect<ReadonlyArray<DirectEndpoint<F>>, never, R>
  readonly toProblem: (failure: F | HttpFailure, request: RequestState) => ProblemResponse
}

/**
 * Answers requests to direct endpoints, each in a fiber of its own, and leaves the others to the router. The router,
 * its contexts and its responses would take half as much processor time as a forecast. The methods of the endpoints are
 * added to its table.
 */
export const makeDirectRequests = Effect.fnUntraced(function* <F, R>(
  { endpoints: makeEndpoints, toProblem }: Direct<F, R>,
  table: RouteTable,
  answerRouted: (active: ActiveRequest) => void
) {
  const endpoints = yield* makeEndpoints
  for (const { method, path } of endpoints) table.add(method, path)
  const scope = yield* Effect.scope
  const run = Effect.runForkWith(yield* Effect.context())
  const byPath = new Map<string, DirectEndpoint<F>>(endpoints.map((endpoint) => [endpoint.path, endpoint]))

  const begin = (active: ActiveRequest, { answer, headers, path }: DirectEndpoint<F>) => {
    const { hold, release, request, response, state } = active
    state.route = path
    const refuse = (failure: F | HttpFailure) =>
      Effect.suspend(() => {
        const problem = toProblem(failure, state)
        return Effect.andThen(
          holdBack(problem.body),
          Effect.sync(() => sendAnswer(active, problem, headers))
        )
      })
    hold()
    const fiber = Effect.suspend(() => answer(request)).pipe(
      Effect.map(({ headers: own, json }) => sendText(active, 200, "application/json", json, { ...headers, ...own })),
      Effect.catch(refuse),
      Effect.catchCause((cause) =>
        // Nobody reads the response to a client that has disconnected.
        response.destroyed ? Effect.void : Effect.flatMap(failureOf(cause), refuse)
      ),
      Effect.provideService(CurrentRequest, state),
      sampled("Requests.answer", { "outreach_forecast.request_id": state.id }),
      Effect.ensuring(Effect.sync(release)),
      run,
      Fiber.runIn(scope)
    )
    response.once("close", () => {
      if (!response.writableEnded) fiber.interruptUnsafe()
    })
  }

  return (active: ActiveRequest): void => {
    const { method, url = "" } = active.request
    const endpoint = byPath.get(pathOf(url))
    if (endpoint === undefined || endpoint.method !== method) answerRouted(active)
    else begin(active, endpoint)
  }
})
