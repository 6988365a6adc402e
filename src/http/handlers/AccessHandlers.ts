import { Effect, Layer, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { decodeFields } from "../../input/decodeFields.ts"
import { AccessRequests } from "../../keys/AccessRequests.ts"
import { normalized, Owner } from "../../keys/ApiKey.ts"
import { Confirmation } from "../AccessApi.ts"
import { Api } from "../Api.ts"
import { isCrossSite, isForm, readForm } from "../FormBody.ts"
import { readJson } from "../JsonBody.ts"
import { MailLimits } from "../MailLimits.ts"
import { acceptedPage, homePage, problemPage } from "../pages/accessPages.ts"

const decodeOwner = decodeFields(Owner, new Map())
const decodeConfirmation = decodeFields(Confirmation, new Map())

const accepted = (email: string) => ({
  status: "accepted" as const,
  message: `A mail with a link is on its way to ${email}.`
})

const handlers = HttpApiBuilder.group(
  Api,
  "access",
  Effect.fnUntraced(function* (handlers) {
    const accessRequests = yield* AccessRequests
    const limits = yield* MailLimits

    const request = Effect.fnUntraced(function* (given: Owner) {
      const owner = normalized(given)
      yield* limits.countClient
      yield* limits.countAddress(owner.email)
      yield* accessRequests.request(owner)
      return owner.email
    })

    /** The form of the start page: the same request, answered with pages. */
    const fromForm = Effect.fnUntraced(function* (httpRequest: HttpServerRequest.HttpServerRequest) {
      if (isCrossSite(httpRequest)) {
        return problemPage("This form came from another site", "Open the form here and send it again.", 403)
      }
      const { company = "", email = "", name = "", website = "" } = yield* readForm(httpRequest)
      const values = { name, email: email.trim(), company }
      // People do not see this field, so whoever fills it in is a program. It is told what everybody is told.
      if (website !== "") return acceptedPage(values.email)
      return yield* decodeOwner({ value: values, duplicates: [] }).pipe(
        Effect.flatMap(request),
        Effect.map(acceptedPage),
        Effect.catchTags({
          InvalidInput: ({ errors }) => Effect.succeed(homePage({ values, errors }, 400)),
          RateLimited: ({ retryAfter }) =>
            Effect.succeed(
              HttpServerResponse.setHeader(
                homePage(
                  {
                    values,
                    errors: [],
                    message: `Too many requests. Try again in ${Math.ceil(retryAfter / 60)} minutes.`
                  },
                  429
                ),
                "retry-after",
                String(retryAfter)
              )
            )
        })
      )
    })

    return handlers
      .handleRaw(
        "requestAccess",
        Effect.fnUntraced(function* ({ request: httpRequest }) {
          if (isForm(httpRequest)) return yield* fromForm(httpRequest)
          const owner = yield* decodeOwner(yield* readJson(httpRequest))
          return accepted(yield* request(owner))
        })
      )
      .handleRaw(
        "confirmAccess",
        Effect.fnUntraced(function* ({ request: httpRequest }) {
          const { token } = yield* decodeConfirmation(yield* readJson(httpRequest))
          const { creditsRemaining, secret } = yield* accessRequests.reveal(Redacted.make(token))
          return { api_key: Redacted.value(secret), credits_remaining: creditsRemaining }
        })
      )
  })
)

export const layer = handlers.pipe(Layer.provide(MailLimits.layer))
