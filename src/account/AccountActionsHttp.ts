import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Credits } from "../credits/Credits.ts"
import { counted } from "../text/Figures.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { DemoKeyProtected } from "../keys/KeyFailures.ts"
import { Sessions } from "../keys/sessions/Sessions.ts"
import { deletedPage, revokedPage, revokePage, rotatedPage } from "./AccountFormPages.ts"
import type { FormState } from "../site/form.ts"
import { showDate } from "../text/Times.ts"
import { retryAfter } from "../http/ResponseHeaders.ts"
import type { SignedIn } from "../keys/sessions/SessionCookieHttp.ts"
import { assertNamed, graceHoursOf, secretChangedPage } from "./secretReplacement.ts"
import { readForm } from "../http/RequestBody.ts"
import { Notices } from "../notices/Notices.ts"
import { makeOrderDecoders, makeOrderPlacing } from "../orders/orderPlacing.ts"
import { paymentsUnavailable, stillPlacing, tooManyUnpaidOrders } from "../orders/OrdersPages.ts"
import { makeRotateLimited } from "../keys/RotationHttp.ts"
import { Erasure } from "../privacy/Erasure.ts"

type Response = HttpServerResponse.HttpServerResponse
type Show = (
  session: SignedIn,
  state: FormState,
  status: number
) => Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest>

const form = Effect.flatMap(HttpServerRequest.HttpServerRequest, readForm)

/** True if a typed name equals the other, ignoring case and surrounding spaces. */
const isSameName = (typed: string, name: string) => {
  const [a, b] = [typed, name].map((text) => text.trim().normalize("NFC").toLowerCase())
  return a === b
}

/**
 * The actions of the owner of a key in a session: buy, choose emails, replace, revoke, delete. `show` shows the account
 * with the errors.
 */
export const makeAccountActions = Effect.fnUntraced(function* (options: {
  readonly show: Show
  readonly signOut: (response: Response) => Response
}) {
  const { show, signOut } = options
  const apiKeys = yield* ApiKeys
  const credits = yield* Credits
  const sessions = yield* Sessions
  const erasure = yield* Erasure
  const notices = yield* Notices
  const placing = yield* makeOrderPlacing
  const { ofKey } = yield* makeOrderDecoders
  const rotateLimited = yield* makeRotateLimited

  const fail = (session: SignedIn, status: number, message: string) =>
    show(session, { values: {}, errors: [], message }, status)

  const later = (session: SignedIn, status: number, message: string, seconds: number) =>
    Effect.map(fail(session, status, message), HttpServerResponse.setHeaders(retryAfter.of(seconds)))

  const order = Effect.fnUntraced(function* (session: SignedIn) {
    const values = yield* form
    const { idempotency_key: formKey = "", pack: given = "" } = values
    const again = (message: string) =>
      Effect.map(show(session, { values, errors: [], message }, 503), HttpServerResponse.setHeaders(retryAfter.of(60)))
    return yield* Effect.gen(function* () {
      const { pack } = yield* Effect.fromResult(ofKey({ pack: given }))
      const path = yield* placing.forFormOfKey(pack, session.key, formKey)
      return HttpServerResponse.redirect(path, { status: 303 })
    }).pipe(
      Effect.catchTags({
        InvalidInput: ({ errors }) => show(session, { values: {}, errors }, 400),
        DemoKeyRefused: () => fail(session, 403, "The demo key cannot buy credits. Order with a key of your own."),
        TooManyUnpaidOrders: ({ most }) => fail(session, 409, tooManyUnpaidOrders(most)),
        IdempotencyInProgress: () => again(stillPlacing),
        PaymentsUnavailable: () => again(paymentsUnavailable)
      })
    )
  })

  const setNotices = (session: SignedIn) =>
    Effect.gen(function* () {
      const { key } = session
      if (key.isDemo) return yield* fail(session, 403, "The demo key is shared by everyone and gets no emails.")
      const { notices: wanted } = yield* form
      if (wanted !== "on" && wanted !== "off") {
        return yield* fail(session, 400, "The form did not say whether you want the emails. Press the button again.")
      }
      yield* notices.set(key.id, wanted === "on")
      return HttpServerResponse.redirect("/account#emails", { status: 303 })
    })

  const notForDemo = (session: SignedIn) =>
    fail(session, 403, "The demo key is shared by everyone and cannot be replaced, revoked or erased.")

  const rotate = (session: SignedIn) =>
    Effect.gen(function* () {
      const { key, token } = session
      if (key.isDemo) return yield* new DemoKeyProtected()
      const values = yield* form
      const hours = graceHoursOf(values)
      if (typeof hours !== "number") return yield* show(session, hours, 400)
      const { oldSecretValidUntil, secret } = yield* rotateLimited(
        key.id,
        hours,
        // The session belongs to the old secret, and would end with it.
        (rotated) => Effect.andThen(assertNamed(values, rotated), sessions.continueWith(token, rotated.secret))
      )
      const oldKeyEnds =
        hours === 0 ? "The old key no longer works." : `The old key works until ${showDate(oldSecretValidUntil)}.`
      return rotatedPage({ secret: Redacted.value(secret), oldKeyEnds })
    }).pipe(
      Effect.catchTags({
        DemoKeyProtected: () => notForDemo(session),
        SecretChanged: (changed) => Effect.succeed(secretChangedPage(changed, "/account#replace")),
        RateLimited: ({ retryAfter: seconds }) =>
          later(
            session,
            429,
            `This key was replaced too often. Try again in ${counted(Math.ceil(seconds / 60), "minute")}.`,
            seconds
          )
      })
    )

  const askToRevoke = (session: SignedIn) =>
    session.key.isDemo
      ? notForDemo(session)
      : Effect.map(credits.balance(session.key.id), ({ remaining }) => revokePage(session.key.secretPrefix, remaining))

  const revoke = (session: SignedIn) =>
    apiKeys.revoke(session.key.id, "owner").pipe(
      Effect.andThen(sessions.close(session.token)),
      Effect.map(() => signOut(revokedPage(session.key.secretPrefix))),
      Effect.catchTags({
        DemoKeyProtected: () => notForDemo(session),
        KeyNotFound: Effect.die,
        AmbiguousPrefix: Effect.die
      })
    )

  const deleteData = (session: SignedIn) =>
    Effect.gen(function* () {
      const { key, token } = session
      if (key.isDemo) return yield* new DemoKeyProtected()
      const { company = "" } = yield* form
      if (!isSameName(company, key.owner.company)) {
        const errors = [
          { pointer: "/company", code: "invalid_format", message: "is not the one that this key was issued to" }
        ] as const
        return yield* show(session, { values: { company }, errors }, 400)
      }
      const { openPayments } = yield* erasure.erase(key.id, "owner")
      yield* sessions.close(token)
      return signOut(deletedPage(openPayments))
    }).pipe(
      Effect.catchTags({
        DemoKeyProtected: () => notForDemo(session),
        KeyNotFound: Effect.die,
        AmbiguousPrefix: Effect.die
      })
    )

  return { askToRevoke, deleteData, order, revoke, rotate, setNotices }
})
