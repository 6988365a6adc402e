import { DateTime, Effect, Option } from "effect"
import { HttpPlatform, HttpRouter, HttpServerResponse } from "effect/http"
import { ApiDocument } from "../http/document/ApiDocument.ts"
import { respondPublicly } from "../http/PublicResponse.ts"
import { PublicUrl } from "../http/RequestState.ts"
import { immutableCacheControl } from "../http/ResponseHeaders.ts"
import { Settings } from "../Settings.ts"
import { readAssets } from "./Assets.ts"

/** `/`, where no extension has a page there: leads to the form that requests a key. */
export const home = HttpRouter.add("GET", "/", HttpServerResponse.redirect("/access", { status: 302 }))

/** `/openapi.json`: created on the first request, so that the service starts faster. */
export const openApi = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { at } = yield* ApiDocument
    const publicUrl = yield* PublicUrl
    const platform = yield* HttpPlatform.HttpPlatform
    const made = yield* Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(at(publicUrl))))
    yield* router.add("GET", "/openapi.json", respondPublicly(platform, made))
  })
)

/** The scripts, styles and pictures of the pages. */
export const assets = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const platform = yield* HttpPlatform.HttpPlatform
    const cacheControl = immutableCacheControl
    for (const { compressed, content, contentType, path } of readAssets()) {
      const made = Effect.map(content, (bytes) => HttpServerResponse.uint8Array(bytes, { contentType }))
      const response = respondPublicly(platform, yield* Effect.cached(made), { compressed, cacheControl })
      yield* router.add("GET", path, response)
    }
  })
)

const securityPath = "/.well-known/security.txt"

/** The contact for reports of vulnerabilities (RFC 9116), if the operator has one. It is valid for 30 days. */
export const security = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { supportEmail } = (yield* Settings).contact
    const publicUrl = yield* PublicUrl
    if (Option.isNone(supportEmail)) return
    const contact = `mailto:${encodeURIComponent(supportEmail.value).replace("%40", "@")}`
    const answer = Effect.map(DateTime.now, (now) => {
      const expires = DateTime.formatIso(DateTime.add(now, { days: 30 }))
      return HttpServerResponse.text(
        `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${publicUrl}${securityPath}\n`,
        {
          contentType: "text/plain; charset=utf-8"
        }
      )
    })
    yield* router.add("GET", securityPath, answer)
  })
)
