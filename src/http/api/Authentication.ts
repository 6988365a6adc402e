import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Credits } from "../../credits/Credits.ts"
import type { Balance } from "../../credits/Ledger.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import type { KeyId } from "../../keys/KeyId.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import {
  InvalidKeyProblem,
  KeyRevokedProblem,
  MissingKeyProblem,
  OverloadedProblem,
  PlanInactiveProblem
} from "../problems/Problems.ts"
import { CurrentRequest } from "../RequestState.ts"

/** The key that the current request was sent with. */
export class CurrentKey extends Context.Service<CurrentKey, ApiKey>()("outreach-forecast/http/CurrentKey") {}

/** The key that the current request was sent with, where it may be sent without one. */
export class CallerKey extends Context.Service<CallerKey, Option.Option<ApiKey>>()(
  "outreach-forecast/http/CallerKey"
) {}

/** Notes the balance of the current key, for the headers of the answer. */
export const noteBalance = <E, R>(balance: Effect.Effect<Balance, E, R>) =>
  Effect.gen(function* () {
    const request = yield* CurrentRequest
    request.balance = yield* balance
    return request.balance
  })

/** Runs what the key of a secret asks for, once the key is found to be usable. */
const makeAsKey = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const credits = yield* Credits
  /** A handler that succeeds notes the balance itself; every other answer to a key has it from here. */
  const tellBalance = (keyId: KeyId) => noteBalance(credits.balance(keyId))
  return Effect.fnUntraced(function* <A, E, R>(
    secret: Redacted.Redacted,
    run: (key: ApiKey) => Effect.Effect<A, E, R>
  ) {
    const request = yield* CurrentRequest
    const key = yield* apiKeys.authenticate(secret).pipe(
      Effect.tapErrorTag("PlanInactive", ({ keyId }) => tellBalance(keyId)),
      Effect.tapError((failure) =>
        Effect.sync(() => {
          if ("prefix" in failure) request.keyPrefix = failure.prefix
        })
      )
    )
    request.keyPrefix = key.secretPrefix
    return yield* Effect.tapError(run(key), () => tellBalance(key.id))
  })
})

/** Lets a request through that has a usable key in its `x-api-key` header, before anything else of it is looked at. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentKey }>()(
  "outreach-forecast/http/Authentication",
  {
    error: [MissingKeyProblem, InvalidKeyProblem, KeyRevokedProblem, PlanInactiveProblem, OverloadedProblem],
    security: {
      apiKey: HttpApiSecurity.apiKey({ key: "x-api-key", in: "header" }).pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "Your API key. Keep it out of code that runs in a browser.")
      )
    }
  }
) {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.map(makeAsKey, (asKey) =>
      Authentication.of({
        apiKey: (httpEffect, { credential }) =>
          asKey(credential, (key) => Effect.provideService(httpEffect, CurrentKey, key))
      })
    )
  )
}

/** As `Authentication`, but lets a request through too that has no key, or an empty one. */
export class OptionalAuthentication extends HttpApiMiddleware.Service<
  OptionalAuthentication,
  { provides: CallerKey }
>()("outreach-forecast/http/OptionalAuthentication", {
  error: [InvalidKeyProblem, KeyRevokedProblem, PlanInactiveProblem, OverloadedProblem]
}) {
  static readonly layer = Layer.effect(
    OptionalAuthentication,
    Effect.map(makeAsKey, (asKey) =>
      OptionalAuthentication.of((httpEffect) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const secret = headers["x-api-key"] ?? ""
          return secret === ""
            ? Effect.provideService(httpEffect, CallerKey, Option.none())
            : asKey(Redacted.make(secret), (key) =>
                Effect.provideService(httpEffect, CallerKey, Option.some(key))
              ).pipe(
                // There is one: it is not empty.
                Effect.catchTag("MissingKey", Effect.die)
              )
        })
      )
    )
  )
}
