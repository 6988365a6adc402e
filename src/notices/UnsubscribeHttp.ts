import { Effect, Redacted, Result } from "effect"
import { HttpRouter } from "effect/http"
import { makeTokenLookUp } from "../keys/TokensHttp.ts"
import { Notices } from "./Notices.ts"
import { unsubscribedPage, unsubscribePage } from "./UnsubscribePages.ts"

/** The path contains a secret, and is never logged. */
const unsubscribePath = "/unsubscribe/:token"

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => Redacted.make(token))

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const notices = yield* Notices
    const lookUp = yield* makeTokenLookUp

    const inspect = Effect.flatMap(tokenOf, (token) => lookUp(token, notices.inspect(token), Result.isSuccess))

    yield* router.add(
      "GET",
      unsubscribePath,
      Effect.gen(function* () {
        const { isOn, key } = yield* inspect
        return isOn ? unsubscribePage(key.secretPrefix) : unsubscribedPage(key.secretPrefix)
      })
    )

    // Mail providers post here on the owner's behalf (RFC 8058): from anywhere, without a session. The body is ignored.
    yield* router.add(
      "POST",
      unsubscribePath,
      Effect.gen(function* () {
        const { key } = yield* inspect
        yield* notices.set(key.id, false)
        return unsubscribedPage(key.secretPrefix)
      })
    )
  })
)
