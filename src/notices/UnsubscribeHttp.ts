import { Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { problemPage } from "../site/ErrorPages.ts"
import { Notices } from "./Notices.ts"
import { unsubscribedPage, unsubscribePage } from "./UnsubscribePages.ts"

/** The path contains a secret, and is never logged. */
const unsubscribePath = "/unsubscribe/:token"

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => Redacted.make(token))

const explained = {
  LinkUnknown: () =>
    Effect.succeed(
      problemPage(
        "We don't recognize this link",
        "It may have been cut off, or be more than a year old. Copy the whole address from the email, or switch the emails off in your account.",
        404,
        { path: "/account#emails", text: "Your account" }
      )
    )
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const notices = yield* Notices

    yield* router.add(
      "GET",
      unsubscribePath,
      Effect.gen(function* () {
        const { isOn, key } = yield* notices.inspect(yield* tokenOf)
        return isOn ? unsubscribePage(key.secretPrefix) : unsubscribedPage(key.secretPrefix)
      }).pipe(Effect.catchTags(explained))
    )

    // Mail providers post here on the owner's behalf (RFC 8058): from anywhere, without a session. The body is ignored.
    yield* router.add(
      "POST",
      unsubscribePath,
      Effect.gen(function* () {
        const { secretPrefix } = yield* notices.unsubscribe(yield* tokenOf)
        return unsubscribedPage(secretPrefix)
      }).pipe(Effect.catchTags(explained))
    )
  })
)
