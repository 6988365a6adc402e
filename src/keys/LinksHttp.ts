import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { AccessRequests } from "./AccessRequests.ts"
import { senderOf } from "../http/senderOf.ts"
import { confirmPage, revealedPage } from "./AccessPages.ts"
import { problemPage } from "../site/ErrorPages.ts"
import { whyLinkIsGone } from "./KeysProblems.ts"
import { PublicUrl } from "../http/PublicUrl.ts"

/** The path contains a secret, and is never logged. */
const confirmPath = "/confirm/:token"

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => Redacted.make(token))

/** The pages for the failures of a link. */
const explained = {
  LinkUnknown: () =>
    Effect.succeed(
      problemPage(
        "We don't recognize this link",
        "It may have been cut off. Copy the whole address from the email, or request a new one.",
        404
      )
    ),
  LinkGone: ({ reason }: { readonly reason: keyof typeof whyLinkIsGone }) =>
    Effect.succeed(problemPage("This link no longer works", whyLinkIsGone[reason], 410))
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const accessRequests = yield* AccessRequests
    const publicUrl = yield* PublicUrl

    yield* router.add(
      "GET",
      confirmPath,
      tokenOf.pipe(
        Effect.flatMap((token) => accessRequests.inspect(token)),
        Effect.map(confirmPage),
        Effect.catchTags(explained)
      )
    )

    yield* router.add(
      "POST",
      confirmPath,
      Effect.gen(function* () {
        // The secret in the address authorizes the request, not a cookie.
        if (senderOf(yield* HttpServerRequest.HttpServerRequest, publicUrl) === "elsewhere") {
          return problemPage(
            "This came from another website",
            "Open the link in the email and press the button there.",
            403
          )
        }
        const { creditsRemaining, secret } = yield* accessRequests.reveal(yield* tokenOf)
        return revealedPage({ secret: Redacted.value(secret), creditsRemaining, publicUrl })
      }).pipe(Effect.catchTags(explained))
    )
  })
)
