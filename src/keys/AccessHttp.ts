import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { decodeFields } from "../input/decodeFields.ts"
import { AccessRequests } from "./AccessRequests.ts"
import { normalized, Owner } from "./ApiKey.ts"
import { mailboxOf } from "./Mailbox.ts"
import { AccessGroup, Confirmation } from "./AccessApi.ts"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import { isForm, readJson } from "../http/RequestBody.ts"
import { acceptedPage } from "./AccessPages.ts"
import { homePage } from "../calculator/HomePages.ts"
import { apiAddress } from "../site/ApiAddress.ts"
import { RequestLimits } from "../http/limits/RequestLimits.ts"
import { answerForm } from "../site/FormHttp.ts"

/** How many mails with a link one address can get in an hour, whether it is known or not. */
const mailsPerHour = 5

const decodeOwner = decodeFields(Owner, new Map())
const decodeConfirmation = decodeFields(Confirmation, new Map())

const accepted = (email: string) => ({
  status: "accepted" as const,
  message: `We have sent an email with a link to ${email}.`
})

const api = apiOf(AccessGroup)

const handlers = HttpApiBuilder.group(
  api,
  "access",
  Effect.fnUntraced(function* (handlers) {
    const accessRequests = yield* AccessRequests
    const limits = yield* RequestLimits
    const address = yield* apiAddress

    const request = Effect.fnUntraced(function* (given: Owner) {
      const owner = normalized(given)
      yield* limits.countClient
      yield* limits.count(`address ${mailboxOf(owner.email)}`, mailsPerHour)
      yield* accessRequests.request(owner)
      return owner.email
    })

    return handlers
      .handleRaw(
        "requestAccess",
        Effect.fnUntraced(function* ({ request: httpRequest }) {
          if (isForm(httpRequest)) {
            return yield* answerForm(httpRequest, {
              publicUrl: address.baseUrl,
              fields: ["name", "email", "company"],
              submit: (values) =>
                Effect.fromResult(decodeOwner(values)).pipe(Effect.flatMap(request), Effect.map(acceptedPage)),
              page: (state, status) => homePage(address)(state, status),
              decoy: ({ email = "" }) => acceptedPage(email)
            })
          }
          const owner = yield* Effect.fromResult(decodeOwner(yield* readJson(httpRequest)))
          return accepted(yield* request(owner))
        })
      )
      .handleRaw(
        "confirmAccess",
        Effect.fnUntraced(function* ({ request: httpRequest }) {
          const { token } = yield* Effect.fromResult(decodeConfirmation(yield* readJson(httpRequest)))
          const { creditsRemaining, secret } = yield* accessRequests.reveal(Redacted.make(token))
          return { api_key: Redacted.value(secret), credits_remaining: creditsRemaining }
        })
      )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(RequestLimits.layer))
