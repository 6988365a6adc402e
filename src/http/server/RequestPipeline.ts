import { Cause, Clock, Effect, Predicate } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { DatabaseUnavailable } from "../../database/Failures.ts"
import { Draining } from "./Draining.ts"
import { Internal, MalformedRequest, MethodNotAllowed, NotFound, Unavailable } from "../problems/HttpFailures.ts"
import { type Failure, toResponse } from "../problems/Problems.ts"
import { CurrentRequest, newRequest, type RequestState } from "../RequestState.ts"
import { allow, answerHeaders } from "../ResponseHeaders.ts"
import type { RouteTable } from "./RouteTable.ts"

type Request = HttpServerRequest.HttpServerRequest

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/

/** What a failed route means to its caller; the bugs among the causes are logged. */
const failureOf = (cause: Cause.Cause<unknown>): Effect.Effect<Failure> => {
  const error = Cause.squash(cause)
  if (error instanceof DatabaseUnavailable) {
    return Effect.as(Effect.logError("The database is unavailable", cause), new Unavailable())
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(new Unavailable())
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError") {
    return Effect.succeed(new MalformedRequest())
  }
  return Effect.as(Effect.logError("The service failed to answer", cause), new Internal())
}

const isRouteNotFound = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

const isClientAbort = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

/** The answer where no route is: what the path would take, if it is one. */
const noRoute = (routes: RouteTable, request: Request, state: RequestState) => {
  const allowed = routes.methodsOf(request.url)
  if (allowed.length === 0) return toResponse(new NotFound(), state)
  return request.method === "OPTIONS"
    ? HttpServerResponse.empty({ status: 204, headers: allow.of(allowed) })
    : toResponse(new MethodNotAllowed({ allowed }), state)
}

/** HTTP/1.1 asks for one Host, and a proxy in front may take another of two than this service does. */
const hasOneHost = ({ source }: Request): boolean => {
  if (!Predicate.hasProperty(source, "rawHeaders") || !Array.isArray(source.rawHeaders)) return true
  const names: ReadonlyArray<unknown> = source.rawHeaders
  const count = names.filter((name, i) => i % 2 === 0 && String(name).toLowerCase() === "host").length
  const isOld = Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.0"
  return count === 1 || (count === 0 && isOld)
}

/** The caller's request id if it has the right form; a caller's own text goes into headers and logs. */
const requestId = (request: Request, random: SecureRandom.SecureRandom["Service"]) => {
  const given = request.headers["x-request-id"]
  return given !== undefined && requestIdForm.test(given) ? Effect.succeed(given) : random.uuidV7()
}

/**
 * Surrounds the router: gives each request its id, turns whatever goes wrong into a problem, sets the headers that every
 * answer has, and writes one log line. The line has the route's template, never the path: a path may hold a secret.
 */
export const makeRequestPipeline = Effect.fnUntraced(function* (options: {
  readonly routes: RouteTable
  readonly publicUrl: string
}) {
  const draining = yield* Draining
  const random = yield* SecureRandom.SecureRandom
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const started = yield* Clock.currentTimeNanos
      const state = newRequest(yield* requestId(request, random), options.publicUrl)

      const answered = Effect.suspend(() => {
        if (draining.isDraining()) return Effect.succeed(toResponse(new Unavailable(), state))
        if (!hasOneHost(request)) return Effect.succeed(toResponse(new MalformedRequest(), state))
        return Effect.catchCause(app, (cause) => {
          if (isClientAbort(cause)) return Effect.failCause(cause)
          if (isRouteNotFound(cause)) return Effect.succeed(noRoute(options.routes, request, state))
          return Effect.map(failureOf(cause), (failure) => toResponse(failure, state))
        })
      })

      const log = (status: number) =>
        Effect.flatMap(Clock.currentTimeNanos, (ended) =>
          Effect.annotateLogs(Effect.logInfo("request"), {
            request_id: state.id,
            method: request.method,
            route: state.route,
            status,
            ms: Number((ended - started) / 1000n) / 1000,
            key: state.keyPrefix,
            charge: state.charge
          })
        )

      return yield* answered.pipe(
        Effect.map((response) =>
          HttpServerResponse.setHeaders(
            response,
            answerHeaders(state, draining.isDraining() || request.headers["upgrade"] !== undefined)
          )
        ),
        Effect.tap((response) => log(response.status)),
        // 499 is what proxies log for a caller who went away; nobody is answered.
        Effect.tapCause(() => log(499)),
        Effect.provideService(CurrentRequest, state)
      )
    }).pipe(draining.inFlight)
})
