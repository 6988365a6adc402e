import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { KeyCredits } from "./KeyCredits.ts"
import type { Balance } from "../Balance.ts"
import type { ApiKey } from "./ApiKey.ts"
import { Authenticator } from "./Authenticator.ts"
import { Authentication, CallerKey, CurrentKey, OptionalAuthentication } from "./AuthenticationApi.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import type { ReceivedRequest } from "../http/limits/ClientAddress.ts"
import { type Admission, type Admitted, keyIdOf, KeyLimits } from "./KeyLimits.ts"
import { Refusals } from "../http/limits/Refusals.ts"

/** Notes the balance of the current key, for the headers of the answer. */
export const noteBalance = <E, R>(balance: Effect.Effect<Balance, E, R>) =>
  Effect.gen(function* () {
    const request = yield* CurrentRequest
    request.balance = yield* balance
    return request.balance
  })

/** Finds the usable key of the current request's secret, within the limits of its client and of the key. */
export const makeLookUp = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const credits = yield* KeyCredits
  const limits = yield* KeyLimits
  const refusals = yield* Refusals

  /** Looks up the key of a request that is admitted, in its turn. */
  const admit = <A>(received: ReceivedRequest, hash: string, lookUp: (admitted: Admitted) => Effect.Effect<A>) =>
    Effect.suspend(() => {
      let end: (() => void) | undefined
      return Effect.callback<Admission>((resume) => {
        end = limits.admit(received, hash, (admission) => resume(Effect.succeed(admission)))
      }).pipe(Effect.flatMap(Effect.fromResult), Effect.flatMap(lookUp), Effect.ensuring(Effect.sync(() => end?.())))
    })

  return Effect.fnUntraced(function* (secret: Redacted.Redacted) {
    const request = yield* CurrentRequest
    const received = NodeHttpServerRequest.toIncomingMessage(yield* HttpServerRequest.HttpServerRequest)
    const sent = authenticator.hashToFind(Redacted.value(secret))
    if (Result.isFailure(sent)) return yield* Effect.andThen(refusals.turn, Effect.fail(sent.failure))
    const key = yield* admit(received, sent.success, ({ lookedUp }) =>
      Effect.tap(Effect.result(authenticator.authenticate(secret)), (found) =>
        Effect.sync(() => lookedUp(keyIdOf(found)))
      )
    ).pipe(
      Effect.tapError(() => refusals.turn),
      Effect.flatMap(Effect.fromResult),
      Effect.tapErrorTag("PlanInactive", ({ keyId }) => noteBalance(credits.balance(keyId))),
      Effect.tapError((failure) =>
        Effect.sync(() => {
          if ("prefix" in failure) request.keyPrefix = failure.prefix
        })
      )
    )
    request.keyPrefix = key.secretPrefix
    return key
  })
})

/** Runs a request with the key of its secret, provided that the key is usable. */
const makeAsKey = Effect.gen(function* () {
  const credits = yield* KeyCredits
  const lookUp = yield* makeLookUp
  /** A handler that succeeds notes the balance itself; for a failure it is noted here. */
  return <A, E, R>(secret: Redacted.Redacted, run: (key: ApiKey) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(lookUp(secret), (key) => Effect.tapError(run(key), () => noteBalance(credits.balance(key.id))))
})

/** Authenticates the requests that the router answers. */
export const layer = Layer.effect(
  Authentication,
  Effect.map(makeAsKey, (asKey) =>
    Authentication.of({
      apiKey: (httpEffect, { credential }) =>
        asKey(credential, (key) => Effect.provideService(httpEffect, CurrentKey, key))
    })
  )
)

/** The same where a key is optional. */
export const layerOptional = Layer.effect(
  OptionalAuthentication,
  Effect.map(makeAsKey, (asKey) =>
    OptionalAuthentication.of((httpEffect) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
        const secret = headers["x-api-key"] ?? ""
        return secret === ""
          ? Effect.provideService(httpEffect, CallerKey, Option.none())
          : asKey(Redacted.make(secret), (key) => Effect.provideService(httpEffect, CallerKey, Option.some(key))).pipe(
              // The secret is not empty.
              Effect.catchTag("MissingKey", Effect.die)
            )
      })
    )
  )
)
