import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api/Api.ts"

/** Tells which methods a path takes: the router itself only says that a method and a path go together. */
export interface RouteTable {
  /** The methods of a path as `Allow` lists them, none for an unknown path. */
  readonly methodsOf: (url: string) => ReadonlyArray<string>
  /** Whether a path takes a method; HEAD goes where GET does. */
  readonly has: (method: string, url: string) => boolean
}

/** A route that is no endpoint of the API. */
export type PageRoute = readonly [method: string, path: `/${string}`]

/** The table of the API's endpoints and of pages. */
export const makeRouteTable = (pages: ReadonlyArray<PageRoute>): RouteTable => {
  const paths = FindMyWay.make<true>()
  const methods = new Set<string>()
  const add = (method: string, path: `/${string}`) => {
    methods.add(method)
    paths.on(method, path, true)
  }
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => add(endpoint.method, `/${endpoint.path.slice(1)}`)
  })
  for (const [method, path] of pages) add(method, path)
  return {
    has: (method, url) => paths.find(method === "HEAD" ? "GET" : method, url) !== undefined,
    methodsOf: (url) => {
      const taken = [...methods].filter((method) => paths.find(method, url) !== undefined)
      if (taken.length === 0) return []
      return [...taken, ...(taken.includes("GET") ? ["HEAD"] : []), "OPTIONS"]
    }
  }
}
