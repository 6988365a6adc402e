import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Cause, Effect, Layer, Predicate, type Scope } from "effect"
import { FindMyWay, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { sampled } from "../../observability/Telemetry.ts"
import { failureOf, toResponse } from "../problems/HttpProblems.ts"
import { MethodNotAllowed, NotFound } from "../problems/HttpFailures.ts"
import { CurrentStanding, holdBack } from "../../Limits.ts"
import { CurrentRequest } from "../RequestState.ts"
import { allow, responseHeaders, pageHeaders, publicFields } from "../ResponseHeaders.ts"
import { type ActiveRequest, shownAs } from "./RequestPipeline.ts"

/** The methods of each path: the router itself only matches a method with a path. */
export interface RouteTable {
  /** The methods of a path in the order of `Allow`; empty for an unknown path. */
  readonly methodsOf: (url: string) => ReadonlyArray<string>
  /** Adds a route. */
  readonly add: (method: string, path: FindMyWay.PathInput) => void
}

/** Options for a router that matches paths exactly as spelled. */
const asSpelled = { caseSensitive: true, ignoreDuplicateSlashes: false, ignoreTrailingSlash: false }

/** A table without routes yet. */
const makeRouteTable = (): RouteTable => {
  const paths = FindMyWay.make<true>(asSpelled)
  // Allow lists these methods first; any others that routes use follow.
  const methods = new Set(["POST", "GET"])
  return {
    add: (method, path) => {
      methods.add(method)
      paths.on(method, path, true)
    },
    methodsOf: (url) => {
      const taken = [...methods].filter((method) => paths.find(method, url) !== undefined)
      if (taken.length === 0) return []
      return [...taken, ...(taken.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
    }
  }
}

/** A router that records its routes in `table`, except routes under a prefix, which are not used here. */
const recordRoutes = (table: RouteTable) =>
  Layer.effect(
    HttpRouter.HttpRouter,
    Effect.map(HttpRouter.HttpRouter, (router) =>
      HttpRouter.HttpRouter.of({
        ...router,
        add: (method, path, handler, options) => {
          table.add(method, path)
          return router.add(method, path, handler, options)
        },
        addAll: (routes) => {
          for (const { method, path } of routes) table.add(method, path)
          return router.addAll(routes)
        }
      })
    )
  )

/** A router and the table of its methods. */
export interface Routed {
  readonly router: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    HttpServerError.HttpServerError,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  readonly table: RouteTable
}

/** Creates the router of routes and the table of their methods. */
export const routed = <E, R>(routes: Layer.Layer<never, E, R>) =>
  Effect.suspend(() => {
    const table = makeRouteTable()
    const router = HttpRouter.toHttpEffect(Layer.provide(routes, recordRoutes(table))).pipe(
      Effect.provideService(HttpRouter.RouterConfig, asSpelled)
    )
    return Effect.map(router, (router) => ({ router, table }))
  })

type Response = HttpServerResponse.HttpServerResponse

const isPage = ({ headers }: Response): boolean => (headers["content-type"] ?? "").startsWith("text/html")

const isClientAbort = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

/** The request without a route, if that is the cause. */
const notRouted = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound" ? error.request : undefined
}

/** The response with the headers that every response has, or the problem in its place. */
const complete = (active: ActiveRequest, response: Response): Response => {
  const { isLast, state } = active
  const fields = responseHeaders(state, isLast())
  if (state.problem !== undefined && !isPage(response)) {
    const { contentType, headers, text } = shownAs(active, state.problem)
    const { status } = state.problem
    return HttpServerResponse.text(text, {
      status,
      contentType,
      headers: { ...response.headers, ...fields, ...headers }
    })
  }
  return HttpServerResponse.setHeaders(response, {
    ...fields,
    ...publicFields(response.headers),
    ...(isPage(response) && pageHeaders(state))
  })
}

/**
 * Answers requests by the router, each in a fiber of its own: turns any failure into a problem, and sets the headers of
 * every response.
 */
export const makeRoutedRequests = Effect.fnUntraced(function* ({ router, table }: Routed) {
  const scope = yield* Effect.scope
  /** The requests being answered, by Node's request object. */
  const active = new WeakMap<object, ActiveRequest>()

  /** The response to an unsupported method or an unknown path. */
  const unrouted = ({ method, url }: HttpServerRequest.HttpServerRequest) =>
    Effect.map(CurrentRequest, (state) => {
      const allowed = table.methodsOf(url)
      if (allowed.length === 0) return toResponse(new NotFound(), state)
      if (method === "OPTIONS") return HttpServerResponse.empty({ headers: allow.of(allowed) })
      return toResponse(new MethodNotAllowed({ allowed }), state)
    })

  const routed = Effect.catchCause(router, (cause) => {
    if (isClientAbort(cause)) return Effect.failCause(cause)
    const request = notRouted(cause)
    if (request !== undefined) return unrouted(request)
    return Effect.flatMap(failureOf(cause), (failure) =>
      Effect.map(CurrentRequest, (state) => toResponse(failure, state))
    )
  })

  const answered = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ source }) => {
    const activeRequest = Predicate.isObject(source) ? active.get(source) : undefined
    if (activeRequest === undefined) return Effect.die(new Error("A request did not come through the pipeline"))
    const { hold, release, standing, state } = activeRequest
    hold()
    return routed.pipe(
      Effect.provideService(CurrentRequest, state),
      sampled("Requests.answer", { "outreach_forecast.request_id": state.id }),
      Effect.tap(() => (state.problem === undefined ? Effect.void : holdBack(state.problem.body))),
      Effect.provideService(CurrentStanding, standing),
      Effect.ensuring(Effect.sync(release)),
      Effect.map((response) => complete(activeRequest, response))
    )
  })

  const handle = yield* NodeHttpServer.makeHandler(answered, { scope })
  return (activeRequest: ActiveRequest): void => {
    const { request, response } = activeRequest
    active.set(request, activeRequest)
    handle(request, response)
  }
})
