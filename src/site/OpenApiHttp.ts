import { Effect } from "effect"
import { HttpPlatform, HttpRouter, HttpServerResponse } from "effect/http"
import { ApiDocument } from "../http/document/ApiDocument.ts"
import { respondPublicly } from "../http/PublicResponse.ts"
import { PublicUrl } from "../http/RequestState.ts"

/** `/openapi.json`: created on the first request, so that the service starts faster. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { at } = yield* ApiDocument
    const publicUrl = yield* PublicUrl
    const platform = yield* HttpPlatform.HttpPlatform
    const made = yield* Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(at(publicUrl))))
    yield* router.add("GET", "/openapi.json", respondPublicly(platform, made))
  })
)
