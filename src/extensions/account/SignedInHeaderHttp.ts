import { Effect, Layer, Option } from "effect"
import { Headers, HttpBody, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Credits } from "../../credits/Credits.ts"
import { cacheControl, entityTag } from "../../http/ResponseHeaders.ts"
import { SignedInKey } from "../../keys/SignedInKeyHttp.ts"
import { SessionCookie } from "./SessionCookieHttp.ts"
import { accessLink, keyLink } from "../../site/layout.ts"
import type { Html } from "../../text/html.ts"

type Response = HttpServerResponse.HttpServerResponse

/** The page with a different link in its header. It is for one visitor now, so no cache may store it. */
const withLink = (response: Response, link: Html): Response => {
  const { body, headers } = response
  if (body._tag !== "Uint8Array" || headers["content-type"]?.startsWith("text/html") !== true) return response
  const text = new TextDecoder().decode(body.body).replace(accessLink.text, () => link.text)
  return HttpServerResponse.setBody(response, HttpBody.text(text, headers["content-type"])).pipe(
    HttpServerResponse.removeHeader(entityTag.field),
    HttpServerResponse.setHeaders(cacheControl.of())
  )
}

/**
 * Tells pages who is signed in, and shows it on every page: the company and the balance, in place of the link to get a key. Pages that
 * are the same for everyone stay so, and are created once: without a session, nothing is looked up.
 */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const credits = yield* Credits
    const { session, tokenIn } = yield* SessionCookie
    return (route) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        if (tokenIn(request) === undefined) return route
        return Effect.gen(function* () {
          // The browser may have cached the page of another visitor.
          const unconditional = request.modify({ headers: Headers.remove(request.headers, "if-none-match") })
          const response = yield* route.pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, unconditional),
            Effect.provideService(
              SignedInKey,
              Effect.map(
                session,
                Option.map(({ key }) => key)
              )
            )
          )
          // After the response, because the request may have ended the session.
          const found = yield* Effect.orElseSucceed(session, () => Option.none())
          if (Option.isNone(found)) return response
          const { key } = found.value
          const { remaining } = yield* credits.balance(key.id)
          return withLink(response, keyLink(key.owner.company, remaining))
        })
      })
  })
).layer.pipe(Layer.provide(SessionCookie.layer))
