import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, Layer, Option, Redacted, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Credits } from "../../credits/Credits.ts"
import { counted } from "../../text/Figures.ts"
import { Sessions } from "./Sessions.ts"
import { Notices } from "../notices/Notices.ts"
import { isOrderOf } from "../../orders/Order.ts"
import { OrderNotFound } from "../../orders/OrderFailures.ts"
import { OrderPlacing } from "../../orders/OrderPlacingHttp.ts"
import { OrderDecoders } from "../../orders/OrderRequest.ts"
import { Orders } from "../../orders/Orders.ts"
import { orderingOf } from "../../settings/Ordering.ts"
import { Settings } from "../../Settings.ts"
import { keyPage, maxOrders, signInPage } from "./KeyPages.ts"
import { dailyUsage } from "./dailyUsage.ts"
import { subKeysCsv } from "./SubKeyPages.ts"
import { makeSubKeyActions } from "./SubKeyActionsHttp.ts"
import { SubKeys } from "../subkeys/SubKeys.ts"
import { emptyForm, type FormState } from "../../site/form.ts"
import { orderPage } from "../../orders/OrdersPages.ts"
import { retryAfter, wwwAuthenticate } from "../../http/ResponseHeaders.ts"
import { makeKeyActions } from "./KeyActionsHttp.ts"
import { SessionCookie, type SignedIn } from "./SessionCookieHttp.ts"
import { asKeyItself } from "../../keys/AuthenticationHttp.ts"
import type { SubKeyRefused } from "../../keys/KeyFailures.ts"
import { RequestKeys } from "../../keys/RequestKeys.ts"
import { readForm } from "../../http/RequestBody.ts"
import { PublicUrl, CurrentRequest } from "../../http/RequestState.ts"
import { newFormKey } from "../../idempotency/Idempotency.ts"
import type { LedgerEntry } from "../../credits/LedgerEntry.ts"
import { csvLine } from "../../input/Csv.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import { kindNames } from "./keyLedger.ts"
import { isoTime } from "../../text/Times.ts"
import { CrossSite } from "../../http/problems/HttpFailures.ts"
import { senderOf } from "../../http/RequestHeaders.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** True if a page of this service sent a form. The browser must confirm that, because it sends the session too. */
const isFromHere = (request: Request, publicUrl: string): boolean => {
  const sender = senderOf(request, publicUrl)
  return sender === "here" || sender === "other name"
}

/** The pages of a key send their origin only to this service, which checks the origin of forms. */
const withReferrer = HttpServerResponse.setHeader("referrer-policy", "same-origin")

/** The sessions of browsers. */
const makeKeySessions = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const { session, signIn, signOut, tokenIn } = yield* SessionCookie

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

/** The number of entries read at a time: other requests are answered in between. */
const readAtOnce = 500

const header = csvLine(["created_at", "kind", "delta", "balance_after", "reference", "what", "sub_key"])

const lineOf = ({ balanceAfter, createdAt, delta, kind, reference, subKey }: LedgerEntry): string =>
  csvLine([isoTime(createdAt), kind, delta, balanceAfter, reference, kindNames[kind], subKey ?? null])

/** Every entry of a key's ledger as a CSV file, newest first, sent as it is read. */
const ledgerCsv = (
  { history }: Credits["Service"],
  { id, secretPrefix }: ApiKey
): HttpServerResponse.HttpServerResponse => {
  const lines = Stream.paginate(Number.MAX_SAFE_INTEGER, (before) =>
    Effect.map(history(id, readAtOnce, before), (entries) => {
      const last = entries.at(-1)
      const isMore = entries.length === readAtOnce && last !== undefined
      return [entries.map(lineOf), isMore ? Option.some(last.id) : Option.none<number>()] as const
    })
  )
  return HttpServerResponse.stream(Stream.encodeText(Stream.concat(Stream.make(header), lines)), {
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": `attachment; filename="credits-${secretPrefix}.csv"` }
  })
}

/** The sign-in page with an error about the key; it never shows the typed key. */
const refused = (message: string, status: number) =>
  signInPage({ values: {}, errors: [{ pointer: "/api_key", code: "invalid_format", message }] }, status)

const unauthorized = (message: string) =>
  Effect.succeed(HttpServerResponse.setHeaders(refused(message, 401), wwwAuthenticate.of()))

const tooMany = (message: string, seconds: number) =>
  Effect.succeed(
    HttpServerResponse.setHeaders(
      signInPage({ values: {}, errors: [], message: `${message} Try again in ${counted(seconds, "second")}.` }, 429),
      retryAfter.of(seconds)
    )
  )

/** The reasons why nobody signs in with a secret. */
type Rejection = Effect.Error<ReturnType<RequestKeys["Service"]["find"]>> | SubKeyRefused

/** The response to a rejected key, by reason. */
const explained = {
  MissingKey: () => unauthorized("must not be empty"),
  InvalidKey: () => unauthorized("is not one of ours; check that you pasted the whole key"),
  KeyRevoked: () => unauthorized("has been revoked and no longer works"),
  PlanInactive: () => Effect.succeed(refused("has an inactive plan; ask the operator to activate it", 403)),
  SubKeyRefused: () => Effect.succeed(refused("is a sub-key; sign in with the key that it belongs to", 403)),
  TooManyWrongKeys: ({ retryAfter: seconds }) => tooMany("Too many unknown keys came from your network.", seconds),
  TooManyKeyRequests: ({ retryAfter: seconds }) => tooMany("This key is being used too often right now.", seconds)
} satisfies { readonly [R in Rejection as R["_tag"]]: (rejection: R) => Effect.Effect<Response> }

const seeOther = (path: string) => HttpServerResponse.redirect(path, { status: 303 })

/** `/key`: where the owner of a key manages it, in a session that begins with the key. */
const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const settings = yield* Settings
    const requestKeys = yield* RequestKeys
    const credits = yield* Credits
    const orders = yield* Orders
    const notices = yield* Notices
    const sessions = yield* Sessions
    const subKeys = yield* SubKeys
    const random = yield* SecureRandom.SecureRandom
    const publicUrl = yield* PublicUrl
    const subKeyActions = yield* makeSubKeyActions
    const { fromHere, session, signedIn, signIn, signOut } = yield* makeKeySessions

    /** The page of a key. Its ledger starts before the day in the address, or with the newest one. */
    const show = Effect.fnUntraced(function* ({ key }: SignedIn, state: FormState = emptyForm, status: number = 200) {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const given = new URLSearchParams(url.split("?")[1]).get("before") ?? ""
      const before = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(given) ? given : undefined
      const now = yield* Clock.currentTimeMillis
      const ownSubKeys = key.isDemo ? [] : yield* subKeys.usableOf(key.id)
      const view = {
        now,
        key,
        days: dailyUsage(yield* credits.days(key.id, {}), now),
        subKeys: ownSubKeys,
        usage: yield* credits.usage(key.id),
        ledger: { ...(yield* credits.ledgerDays(key.id, before)), isFirst: before === undefined },
        orders: yield* orders.listOf(key.id, maxOrders + 1),
        packs: settings.creditPacks,
        ordering: orderingOf(settings),
        hasNotices: yield* notices.isOn(key.id),
        formKey: state.values["idempotency_key"] || (yield* newFormKey(random))
      }
      return keyPage(view, { state, status, url: `${publicUrl}/key` })
    })

    /** The page of an order of the key, which needs no secret in its address. */
    const showOrder = Effect.fnUntraced(function* ({ key }: SignedIn) {
      const { id = "" } = yield* HttpRouter.params
      const order = yield* orders.find(id)
      if (!isOrderOf(order, key.id)) return yield* new OrderNotFound()
      return orderPage(order, settings, { isOfKey: true })
    })

    const begin = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { api_key: given = "" } = yield* readForm(request)
      const secret = Redacted.make(given.trim())
      return yield* requestKeys.find(NodeHttpServerRequest.toIncomingMessage(request), secret).pipe(
        Effect.flatMap(asKeyItself(() => sessions.open(secret))),
        Effect.map((token) => signIn(HttpServerResponse.redirect("/key", { status: 303 }), token)),
        Effect.catchTags(explained)
      )
    })

    const end = Effect.gen(function* () {
      const found = yield* session
      if (Option.isSome(found)) yield* sessions.close(found.value.token)
      return signOut(HttpServerResponse.redirect("/key", { status: 303 }))
    })

    const { askToRevoke, deleteData, order, revoke, rotate, setNotices } = yield* makeKeyActions({ show, signOut })

    yield* router.add("GET", "/key", signedIn(show))
    yield* router.add("POST", "/key", fromHere(begin))
    yield* router.add("POST", "/key/sign-out", fromHere(end))
    yield* router.add(
      "GET",
      "/key/ledger.csv",
      signedIn(({ key }) => Effect.succeed(ledgerCsv(credits, key)))
    )
    yield* router.add(
      "GET",
      "/key/sub-keys.csv",
      signedIn(({ key }) =>
        Effect.map(key.isDemo ? Effect.succeed([]) : subKeys.usableOf(key.id), (usable) =>
          HttpServerResponse.text(subKeysCsv(usable), {
            contentType: "text/csv; charset=utf-8",
            headers: { "content-disposition": `attachment; filename="sub-keys-${key.secretPrefix}.csv"` }
          })
        )
      )
    )
    yield* router.add("GET", "/key/orders/:id", signedIn(showOrder))
    yield* router.add("POST", "/key/orders", fromHere(signedIn(order)))
    yield* router.add("POST", "/key/emails", fromHere(signedIn(setNotices)))
    yield* router.add("POST", "/key/rotate", fromHere(signedIn(rotate)))
    yield* router.add("GET", "/key/revoke", signedIn(askToRevoke))
    yield* router.add("POST", "/key/revoke", fromHere(signedIn(revoke)))
    yield* router.add("POST", "/key/delete", fromHere(signedIn(deleteData)))
    yield* router.add("GET", "/key/sub-keys", signedIn(subKeyActions.ask))
    yield* router.add("POST", "/key/sub-keys", fromHere(signedIn(subKeyActions.create)))
    yield* router.add("GET", "/key/sub-keys/:id", signedIn(subKeyActions.show))
    yield* router.add("POST", "/key/sub-keys/:id", fromHere(signedIn(subKeyActions.change)))
    yield* router.add("POST", "/key/sub-keys/:id/rotate", fromHere(signedIn(subKeyActions.rotate)))
    yield* router.add("POST", "/key/sub-keys/:id/revoke", fromHere(signedIn(subKeyActions.revoke)))

    // Earlier emails and bookmarks have `/account`.
    yield* router.add(
      "*",
      "/account/*",
      Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
        HttpServerResponse.redirect(url.replace(/^\/account/, "/key"), { status: 308 })
      )
    )

    // A form with errors leaves its address in the browser: opened again, it leads to the form.
    for (const action of ["sign-out", "orders", "emails", "rotate", "delete"]) {
      yield* router.add("GET", `/key/${action}`, Effect.succeed(seeOther("/key")))
    }
    for (const action of ["rotate", "revoke"]) {
      yield* router.add(
        "GET",
        `/key/sub-keys/:id/${action}`,
        Effect.map(HttpRouter.params, ({ id = "" }) => seeOther(`/key/sub-keys/${encodeURIComponent(id)}`))
      )
    }
  })
)

export const layer = routes.pipe(Layer.provide([SessionCookie.layer, OrderPlacing.layer, OrderDecoders.layer]))
