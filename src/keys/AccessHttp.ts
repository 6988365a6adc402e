import { Effect, Layer, Redacted, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { decodeFields } from "../input/decodeFields.ts"
import { AccessRequests } from "./AccessRequests.ts"
import { normalized, Owner } from "./ApiKey.ts"
import { mailboxOf } from "./Mailbox.ts"
import { AccessGroup, Confirmation } from "./AccessApi.ts"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import { CrossSite } from "../http/problems/HttpFailures.ts"
import { readJson } from "../http/RequestBody.ts"
import { senderOf } from "../http/RequestHeaders.ts"
import { accessPage, confirmPage, revealedPage, sentPage } from "./AccessPages.ts"
import { trialMailFolder } from "../mail/FolderMailer.ts"
import { PublicUrl } from "../http/RequestState.ts"
import { ClientAddress } from "../http/ClientAddress.ts"
import { makeKeylessLimits } from "../http/KeylessMails.ts"
import { Limits } from "../Limits.ts"
import { TokenLimits } from "./TokenLimitsHttp.ts"
import { Settings } from "../Settings.ts"
import { respondToForm } from "../site/FormHttp.ts"

/** The most emails with a link per address and hour, whether it is known or not. */
const mailsPerHour = 5

/** The most secrets that a link reveals in an hour: each is recorded. */
const revealsPerHour = 20

/** The links that reveal keys, within the limits of clients and links. */
const makeRevealing = Effect.gen(function* () {
  const accessRequests = yield* AccessRequests
  const limits = yield* Limits
  const tokenLimits = yield* TokenLimits

  const inspect = (token: Redacted.Redacted) =>
    tokenLimits.admit(
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

const decodeOwner = decodeFields(Owner)
const decodeConfirmation = decodeFields(Confirmation)

const accepted = (email: string) => ({
  status: "accepted" as const,
  message: `We have sent an email with a link to ${email}.`
})

/** Requests an email with a link, and returns its address, within the limits of clients and mailboxes. */
const makeRequest = Effect.gen(function* () {
  const accessRequests = yield* AccessRequests
  const { countMail } = yield* makeKeylessLimits
  return Effect.fnUntraced(function* (given: Owner) {
    const owner = normalized(given)
    yield* countMail(`address ${mailboxOf(owner.email)}`, mailsPerHour)
    yield* accessRequests.request(owner)
    return owner.email
  })
})

const api = apiOf(AccessGroup)

const handlers = HttpApiBuilder.group(
  api,
  "access",
  Effect.fnUntraced(function* (handlers) {
    const request = yield* makeRequest
    const { reveal } = yield* makeRevealing

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
    const request = yield* makeRequest
    const publicUrl = yield* PublicUrl
    const url = `${publicUrl}/access`
    const { inspect, reveal } = yield* makeRevealing

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

export const layer = Layer.merge(endpoints, pages).pipe(Layer.provide([Limits.layer, ClientAddress.layer]))
