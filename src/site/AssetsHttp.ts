import { Effect } from "effect"
import { HttpPlatform, HttpRouter, HttpServerResponse } from "effect/http"
import { readAssets } from "./Assets.ts"
import { immutableCacheControl } from "../http/ResponseHeaders.ts"
import { respondPublicly } from "../http/PublicResponse.ts"

/** The scripts, styles and pictures of the pages. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const platform = yield* HttpPlatform.HttpPlatform
    for (const { compressed, content, contentType, path } of readAssets()) {
      const made = yield* Effect.cached(
        Effect.map(content, (bytes) => HttpServerResponse.uint8Array(bytes, { contentType }))
      )
      yield* router.add(
        "GET",
        path,
        respondPublicly(platform, made, { compressed, cacheControl: immutableCacheControl })
      )
    }
  })
)
