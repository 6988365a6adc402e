import { Effect, Layer, Redacted, Result } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { AccessRequests } from "./AccessRequests.ts"
import { Limits } from "../Limits.ts"
import { CrossSite } from "../http/problems/HttpFailures.ts"
import { senderOf } from "../http/RequestHeaders.ts"
import { confirmPage, revealedPage } from "./AccessPages.ts"
import { PublicUrl } from "../http/RequestState.ts"
import { makeTokenLookUp } from "./AuthenticationHttp.ts"

/** The most secrets that a link reveals in an hour: each is recorded. */
const revealsPerHour = 20

/** The links that reveal keys, within the limits of clients and links. */
export const makeRevealing = Effect.gen(function* () {
  const accessRequests = yield* AccessRequests
  const limits = yield* Limits
  const lookUp = yield* makeTokenLookUp

  const inspect = (token: Redacted.Redacted) =>
    lookUp(
      token,
      accessRequests.inspect(token),
      (result) => Result.isSuccess(result) || result.failure._tag !== "LinkUnknown"
    )

  const reveal = Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const { id } = yield* inspect(token)
    yield* limits.count(`reveal ${id}`, revealsPerHour)
    return yield* accessRequests.reveal(token)
  })

  return { inspect, reveal }
})

/** The path contains a secret, and is never logged. */
const confirmPath = "/confirm/:token"

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => Redacted.make(token))

const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { inspect, reveal } = yield* makeRevealing
    const publicUrl = yield* PublicUrl

    yield* router.add("GET", confirmPath, tokenOf.pipe(Effect.flatMap(inspect), Effect.map(confirmPage)))

    yield* router.add(
      "POST",
      confirmPath,
      Effect.gen(function* () {
        // The secret in the address authorizes the request, not a cookie.
        if (senderOf(yield* HttpServerRequest.HttpServerRequest, publicUrl) === "elsewhere") {
          return yield* new CrossSite()
        }
        const { creditsRemaining, secret } = yield* reveal(yield* tokenOf)
        return revealedPage({ secret: Redacted.value(secret), creditsRemaining, publicUrl })
      })
    )
  })
)

export const layer = routes.pipe(Layer.provide(Limits.layer))
