import type { IncomingMessage } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Cause, Effect, Option, Predicate, Schema } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { sampled } from "../../observability/Tracing.ts"
import { wantsPage } from "../mediaTypes.ts"
import { ProblemBody, problemType } from "../problems/ProblemDocument.ts"
import { toResponse } from "../problems/HttpProblems.ts"
import { answerHeaders, pageHeaders, publicFields } from "../ResponseHeaders.ts"
import { CurrentRequest } from "../RequestState.ts"
import type { Routed } from "./RouteTable.ts"
import { failureOf } from "../problems/failureOf.ts"
import type { ActiveRequest } from "./Sending.ts"

const isPage = ({ headers }: HttpServerResponse.HttpServerResponse): boolean =>
  (headers["content-type"] ?? "").startsWith("text/html")

const isClientAbort = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

const decodeProblem = Schema.decodeUnknownOption(Schema.fromJsonString(ProblemBody))

/** The problem that an answer is, if it is one. */
const problemOf = ({ body, headers }: HttpServerResponse.HttpServerResponse) =>
  headers["content-type"] === problemType && body._tag === "Uint8Array"
    ? decodeProblem(new TextDecoder().decode(body.body))
    : Option.none()

/** A page with the headers of the answer that it is shown instead of. */
const shownInsteadOf = (
  { headers }: HttpServerResponse.HttpServerResponse,
  page: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => HttpServerResponse.setHeaders(page, { ...headers, ...page.headers })

/**
 * Answers requests by the router, each in a fiber of its own: turns whatever goes wrong into a problem, and sets the
 * headers that every answer has.
 */
export const makeRoutedRequests = Effect.fnUntraced(function* (router: Routed["router"]) {
  const scope = yield* Effect.scope
  /** The activeRequest of each of Node's requests that is being answered. */
  const active = new WeakMap<object, ActiveRequest>()

  const answered = Effect.gen(function* () {
    const { headers, source } = yield* HttpServerRequest.HttpServerRequest
    const activeRequest = Predicate.isObject(source) ? active.get(source) : undefined
    if (activeRequest === undefined) return yield* Effect.die(new Error("A request did not come through the pipeline"))
    const { errorPage, isLast, state } = activeRequest
    activeRequest.hold()
    const response = yield* router.pipe(
      Effect.catchCause((cause) =>
        isClientAbort(cause)
          ? Effect.failCause(cause)
          : Effect.map(failureOf(cause), (failure) => toResponse(failure, state))
      ),
      Effect.provideService(CurrentRequest, state),
      sampled("RoutedRequests.answer", { "outreach_forecast.request_id": state.id }),
      Effect.ensuring(Effect.sync(activeRequest.release))
    )
    const fields = answerHeaders(state, isLast())
    const problem = Option.getOrUndefined(problemOf(response))
    state.problem = problem?.code
    const shown = problem !== undefined && wantsPage(headers) ? shownInsteadOf(response, errorPage(problem)) : response
    return HttpServerResponse.setHeaders(shown, {
      ...fields,
      ...publicFields(shown.headers),
      ...(isPage(shown) && pageHeaders(state))
    })
  })

  const handle = yield* NodeHttpServer.makeHandler(answered, { scope })
  return (activeRequest: ActiveRequest): void => {
    const source: IncomingMessage = activeRequest.request
    active.set(source, activeRequest)
    handle(source, activeRequest.response)
  }
})
