import { Effect, Layer, type Scope } from "effect"
import {
  FindMyWay,
  HttpRouter,
  type HttpServerError,
  type HttpServerRequest,
  type HttpServerResponse
} from "effect/http"

/** Tells which methods a path takes: the router itself only says that a method and a path go together. */
export interface RouteTable {
  /** The methods of a path as `Allow` lists them, none for an unknown path. */
  readonly methodsOf: (url: string) => ReadonlyArray<string>
  /** Adds a route. */
  readonly add: (method: string, path: FindMyWay.PathInput) => void
}

const canonical = /^(?:https?:\/\/[^/?#]+)?\/(?:[\w.~-]+(?:\/[\w.~-]+)*|clients\/)?(?:\?|$)/

/**
 * Whether a path is spelled as it may be. It has one spelling, the one that is documented: no other case, no doubled slash,
 * no slash at its end but that of the list at /clients/, no parameters after a semicolon, and no escapes, which no path of
 * the service needs. A proxy's rule for a path then covers all of it.
 */
export const isCanonical = (url: string): boolean => canonical.test(url)

/** How the router reads a path: as it is spelled. */
const asSpelled = { caseSensitive: true, ignoreDuplicateSlashes: false, ignoreTrailingSlash: false }

/** A table without routes yet. */
const makeRouteTable = (): RouteTable => {
  const paths = FindMyWay.make<true>(asSpelled)
  // Allow lists the methods in this order; those that routes use besides come after them.
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

/** A router that enters the routes added to it into `table`, except routes under a prefix, which are not used here. */
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

/** A router, which answers requests, and the table of its methods. */
export interface Routed {
  readonly router: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    HttpServerError.HttpServerError,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  readonly table: RouteTable
}

/** Makes the router of routes, and the table of their methods. */
export const routed = <E, R>(routes: Layer.Layer<never, E, R>) =>
  Effect.suspend(() => {
    const table = makeRouteTable()
    const router = HttpRouter.toHttpEffect(Layer.provide(routes, recordRoutes(table))).pipe(
      Effect.provideService(HttpRouter.RouterConfig, asSpelled)
    )
    return Effect.map(router, (router) => ({ router, table }))
  })
