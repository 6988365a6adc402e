import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { AccessRequests } from "../../keys/AccessRequests.ts"
import { isCrossSite } from "./FormBody.ts"
import { makePublicly } from "./PublicAnswer.ts"
import { confirmPage, homePage, problemPage, revealedPage } from "../pages/accessPages.ts"
import { whyLinkIsGone } from "../problems/KeyProblems.ts"
import { PublicUrl } from "../PublicUrl.ts"

/** It holds a secret, and is never logged. */
const confirmPath = "/confirm/:token"

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => Redacted.make(token))

/** The pages for what a link may fail by. */
const explained = {
  LinkUnknown: () =>
    Effect.succeed(
      problemPage(
        "This link is not known",
        "It may have been cut in two. Copy the whole address from the mail, or ask for a new mail.",
        404
      )
    ),
  LinkGone: ({ reason }: { readonly reason: keyof typeof whyLinkIsGone }) =>
    Effect.succeed(problemPage("This link does not work any more", whyLinkIsGone[reason], 410))
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const accessRequests = yield* AccessRequests
    const publicUrl = yield* PublicUrl
    const publicly = yield* makePublicly
    const home = homePage()

    yield* router.add("GET", "/", publicly(Effect.succeed(home)))

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
        if (isCrossSite(yield* HttpServerRequest.HttpServerRequest)) {
          return problemPage(
            "This came from another site",
            "Open the link in the mail and press the button there.",
            403
          )
        }
        const { creditsRemaining, secret } = yield* accessRequests.reveal(yield* tokenOf)
        return revealedPage({ secret: Redacted.value(secret), creditsRemaining, publicUrl })
      }).pipe(Effect.catchTags(explained))
    )
  })
)
