import { Effect, Layer, type Scope } from "effect"
import {
  FindMyWay,
  HttpRouter,
  type HttpServerError,
  type HttpServerRequest,
  type HttpServerResponse
} from "effect/http"

/** The methods of each path: the router itself only matches a method with a path. */
export interface RouteTable {
  /** The methods of a path in the order of `Allow`; empty for an unknown path. */
  readonly methodsOf: (url: string) => ReadonlyArray<string>
  /** Adds a route. */
  readonly add: (method: string, path: FindMyWay.PathInput) => void
}

const canonical = /^(?:https?:\/\/[^/?#]+)?\/(?:[\w.~-]+(?:\/[\w.~-]+)*|clients\/)?(?:\?|$)/

/**
 * True if a path is spelled as documented: no other case, no doubled slash, no trailing slash except in /clients/, no
 * parameters after a semicolon, and no escapes, which no path of the service needs. So a proxy's rule for a path covers
 * all of its spellings.
 */
export const isCanonical = (url: string): boolean => canonical.test(url)

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
