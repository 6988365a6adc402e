import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { decodeFields } from "../input/decodeFields.ts"
import { Owner } from "./ApiKey.ts"
import { AccessGroup, Confirmation } from "./AccessApi.ts"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import { CrossSite } from "../http/problems/HttpFailures.ts"
import { readJson } from "../http/RequestBody.ts"
import { senderOf } from "../http/RequestHeaders.ts"
import { accessPage, confirmPage, revealedPage, sentPage } from "./AccessPages.ts"
import { trialMailFolder } from "../mail/FolderMailer.ts"
import { PublicUrl } from "../http/RequestState.ts"
import { LinkAccess } from "./LinkAccessHttp.ts"
import { Settings } from "../Settings.ts"
import { respondToForm } from "../site/FormHttp.ts"

const decodeOwner = decodeFields(Owner)
const decodeConfirmation = decodeFields(Confirmation)

const accepted = (email: string) => ({
  status: "accepted" as const,
  message: `We have sent an email with a link to ${email}.`
})

const api = apiOf(AccessGroup)

const handlers = HttpApiBuilder.group(
  api,
  "access",
  Effect.fnUntraced(function* (handlers) {
    const { request, reveal } = yield* LinkAccess

    return handlers
      .handleRaw(
        "requestAccess",
        Effect.fnUntraced(function* ({ request: httpRequest }) {
          const owner = yield* readJson(httpRequest, decodeOwner)
          return accepted(yield* request(owner))
        })
      )
      .handleRaw(
        "confirmAccess",
        Effect.fnUntraced(function* ({ request: httpRequest }) {
          const { token } = yield* readJson(httpRequest, decodeConfirmation)
          const { creditsRemaining, secret } = yield* reveal(Redacted.make(token))
          return { api_key: Redacted.value(secret), credits_remaining: creditsRemaining }
        })
      )
  })
)

/** The path contains a secret, and is never logged. */
const confirmPath = "/confirm/:token"

const tokenOf = Effect.map(HttpRouter.params, ({ token = "" }) => Redacted.make(token))

const sent = HttpServerResponse.redirect("/access/sent", { status: 303 })

const pages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { inspect, request, reveal } = yield* LinkAccess
    const publicUrl = yield* PublicUrl
    const url = `${publicUrl}/access`

    yield* router.add("GET", "/access", Effect.succeed(accessPage(url)))
    yield* router.add("GET", "/access/sent", Effect.succeed(sentPage(trialMailFolder(yield* Settings))))
    yield* router.add(
      "POST",
      "/access",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (httpRequest) =>
        respondToForm(httpRequest, {
          publicUrl,
          fields: ["name", "email", "company"],
          decode: decodeOwner,
          submit: (owner) => Effect.as(request(owner), sent),
          page: (state, status) => accessPage(url, state, status),
          decoy: () => sent
        })
      )
    )

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

const endpoints = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))

export const layer = Layer.merge(endpoints, pages).pipe(Layer.provide(LinkAccess.layer))
