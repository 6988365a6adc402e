import { Context, Effect, Layer } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Credits } from "../credits/Credits.ts"
import type { Balance } from "../credits/Ledger.ts"
import type { ApiKey, KeyId } from "../keys/ApiKey.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import {
  InvalidKeyProblem,
  KeyRevokedProblem,
  MissingKeyProblem,
  OverloadedProblem,
  PlanInactiveProblem
} from "./Problems.ts"
import { CurrentRequest } from "./RequestContext.ts"

/** The key that the current request was sent with. */
export class CurrentKey extends Context.Service<CurrentKey, ApiKey>()("outreach-forecast/http/CurrentKey") {}

/** Notes the balance of the current key, for the headers of the answer. */
export const noteBalance = <E, R>(balance: Effect.Effect<Balance, E, R>) =>
  Effect.gen(function* () {
    const request = yield* CurrentRequest
    request.balance = yield* balance
    return request.balance
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
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const credits = yield* Credits
      /** A handler that succeeds notes the balance itself; every other answer to a key has it from here. */
      const tellBalance = (keyId: KeyId) => noteBalance(credits.balance(keyId))
      return Authentication.of({
        apiKey: Effect.fnUntraced(function* (httpEffect, { credential }) {
          const request = yield* CurrentRequest
          const key = yield* apiKeys.authenticate(credential).pipe(
            Effect.tapErrorTag("PlanInactive", ({ keyId }) => tellBalance(keyId)),
            Effect.tapError((failure) =>
              Effect.sync(() => {
                if ("prefix" in failure) request.keyPrefix = failure.prefix
              })
            )
          )
          request.keyPrefix = key.secretPrefix
          return yield* httpEffect.pipe(
            Effect.provideService(CurrentKey, key),
            Effect.tapError(() => tellBalance(key.id))
          )
        })
      })
    })
  )
}
