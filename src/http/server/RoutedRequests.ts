import type { IncomingMessage } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Cause, Effect, Predicate } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { toResponse } from "../problems/Problems.ts"
import { answerHeaders, publicCacheControl } from "../ResponseHeaders.ts"
import { CurrentRequest } from "../RequestState.ts"
import { failureOf } from "./failureOf.ts"
import type { ActiveRequest } from "./Sending.ts"

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
  /** The activeRequest of each of Node's requests that is being answered. */
  const active = new WeakMap<object, ActiveRequest>()

  const answered = Effect.gen(function* () {
    const { source } = yield* HttpServerRequest.HttpServerRequest
    const activeRequest = Predicate.isObject(source) ? active.get(source) : undefined
    if (activeRequest === undefined) return yield* Effect.die(new Error("A request did not come through the pipeline"))
    const { isLast, state } = activeRequest
    activeRequest.hold()
    const response = yield* router.pipe(
      Effect.catchCause((cause) =>
        isClientAbort(cause)
          ? Effect.failCause(cause)
          : Effect.map(failureOf(cause), (failure) => toResponse(failure, state))
      ),
      Effect.provideService(CurrentRequest, state),
      Effect.ensuring(Effect.sync(activeRequest.release))
    )
    const fields = answerHeaders(state, isLast())
    const isPublic = response.headers[publicCacheControl.field] === publicCacheControl.write()
    return HttpServerResponse.setHeaders(response, isPublic ? { ...fields, ...publicCacheControl.of() } : fields)
  })

  const handle = yield* NodeHttpServer.makeHandler(answered, { scope })
  return (activeRequest: ActiveRequest): void => {
    const source: IncomingMessage = activeRequest.request
    active.set(source, activeRequest)
    handle(source, activeRequest.response)
  }
})
