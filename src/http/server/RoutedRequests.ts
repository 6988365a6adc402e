import type { IncomingMessage } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Cause, Effect, Predicate } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { toResponse } from "../problems/Problems.ts"
import { answerHeaders } from "../ResponseHeaders.ts"
import { CurrentRequest } from "../RequestState.ts"
import { failureOf } from "./failureOf.ts"
import type { Exchange } from "./Sending.ts"

const isClientAbort = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

/**
 * Answers requests by the router, each in a fiber of its own: turns whatever goes wrong into a problem, and sets the
 * headers that every answer has.
 */
export const makeRoutedRequests = Effect.fnUntraced(function* <E, R>(
  router: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) {
  const scope = yield* Effect.scope
  /** The exchange of each of Node's requests that is being answered. */
  const exchanges = new WeakMap<object, Exchange>()

  const answered = Effect.gen(function* () {
    const { source } = yield* HttpServerRequest.HttpServerRequest
    const exchange = Predicate.isObject(source) ? exchanges.get(source) : undefined
    if (exchange === undefined) return yield* Effect.die(new Error("A request did not come through the pipeline"))
    const { isLast, state } = exchange
    const response = yield* router.pipe(
      Effect.catchCause((cause) =>
        isClientAbort(cause)
          ? Effect.failCause(cause)
          : Effect.map(failureOf(cause), (failure) => toResponse(failure, state))
      ),
      Effect.provideService(CurrentRequest, state)
    )
    // Nothing may be cached, but for what says so itself.
    const { "cache-control": own } = response.headers
    const answer = HttpServerResponse.setHeaders(response, answerHeaders(state, isLast()))
    return own === undefined ? answer : HttpServerResponse.setHeader(answer, "cache-control", own)
  })

  const handle = yield* NodeHttpServer.makeHandler(answered, { scope })
  return (exchange: Exchange): void => {
    const source: IncomingMessage = exchange.request
    exchanges.set(source, exchange)
    handle(source, exchange.response)
  }
})
