import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeSessionCookie, type SignedIn } from "../keys/sessions/SessionCookieHttp.ts"
import { emptyForm } from "../site/form.ts"
import { signInPage } from "./KeyPages.ts"
import { CrossSite } from "../http/problems/HttpFailures.ts"
import { CurrentRequest, PublicUrl } from "../http/RequestState.ts"
import { senderOf } from "../http/RequestHeaders.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** True if a form was sent from a page of this service. The browser must confirm that, because it sends the session along. */
const isFromHere = (request: Request, publicUrl: string): boolean => {
  const sender = senderOf(request, publicUrl)
  return sender === "here" || sender === "other name"
}

/** The pages of a key send their origin only to this service, which checks the origin of forms. */
const withReferrer = HttpServerResponse.setHeader("referrer-policy", "same-origin")

/** The sessions of browsers. */
export const makeKeySessions = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const { session, signIn, signOut, tokenIn } = yield* makeSessionCookie

  const ended = () =>
    signOut(signInPage({ values: {}, errors: [], message: "Your session has ended. Sign in again." }, 401))

  /** Answers a request by `run` with its session; without one, by the sign-in page. */
  const signedIn = <E, R>(run: (session: SignedIn) => Effect.Effect<Response, E, R>) => {
    const answer = Effect.fnUntraced(function* (found: Option.Option<SignedIn>) {
      if (Option.isNone(found)) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const isVisitor = tokenIn(request) === undefined && request.method !== "POST"
        return isVisitor ? signInPage(emptyForm, 200, `${publicUrl}/key`) : ended()
      }
      const state = yield* CurrentRequest
      state.keyPrefix = found.value.key.secretPrefix
      return yield* run(found.value)
    })
    return Effect.map(Effect.flatMap(session, answer), withReferrer)
  }

  /** Runs the action of a form, unless another site's page sent it. */
  const fromHere = <E, R>(run: Effect.Effect<Response, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      return isFromHere(request, publicUrl) ? withReferrer(yield* run) : yield* new CrossSite()
    })

  return { fromHere, session, signedIn, signIn, signOut }
})
