import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { readAssets } from "./Assets.ts"
import { immutableCacheControl } from "../http/ResponseHeaders.ts"
import { makePublicResponder } from "../http/PublicResponse.ts"

/** The scripts, styles and pictures of the pages. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const respondPublicly = yield* makePublicResponder
    for (const { compressed, content, contentType, path } of readAssets()) {
      const made = yield* Effect.cached(
        Effect.map(content, (bytes) => HttpServerResponse.uint8Array(bytes, { contentType }))
      )
      yield* router.add("GET", path, respondPublicly(made, { compressed, cacheControl: immutableCacheControl }))
    }
  })
)
