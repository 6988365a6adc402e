import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Balance } from "../credits/Balance.ts"
import { Credits, UsageExhausted } from "../credits/Credits.ts"
import type { KeyId, SubKeyId } from "../KeyStatus.ts"
import { type AuthenticationFailure, Authenticator, type AuthenticatedKey } from "./Authenticator.ts"
import {
  Authentication,
  CallerKey,
  CurrentKey,
  OptionalAuthentication,
  SubKeyAuthentication
} from "./AuthenticationApi.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { creditHeadersOf } from "../http/ResponseHeaders.ts"
import { SubKeyRefused, TooManyKeyRequests, TooManyWrongKeys } from "./KeyFailures.ts"
import { KeyLimits } from "./KeyLimits.ts"
import type { ReceivedRequest } from "../http/ClientAddress.ts"
import { RateLimited } from "../Limits.ts"
import { hashOf } from "./KeySecrets.ts"

/**
 * Creates a function that runs a request of a key, or of its sub-key, and then sets the balance for the headers of the
 * response, however it ended. A charge has set it already, and a key without credits is refused with its balance.
 */
export const makeWithBalance = Effect.map(
  Credits,
  (credits) =>
    <A, E, R>(keyId: KeyId, subKeyId: SubKeyId | undefined, run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(CurrentRequest, (state) =>
        Effect.flatMap(Effect.result(run), (result) => {
          const ended = Effect.fromResult(result)
          if (state.creditHeaders !== undefined) return ended
          const balance: Effect.Effect<Balance> =
            Result.isFailure(result) && result.failure instanceof UsageExhausted && subKeyId === undefined
              ? Effect.succeed(result.failure)
              : credits.balance(keyId, subKeyId)
          return Effect.flatMap(balance, (found) => {
            state.creditHeaders = creditHeadersOf(found)
            return ended
          })
        })
      )
)

/** The secret of a request; empty if there is none. */
export const secretOf = ({ headers }: ReceivedRequest): Redacted.Redacted =>
  Redacted.make(String(headers["x-api-key"] ?? ""))

/**
 * The bucket for requests with a secret: that of its key, also an inactive one; a revoked one's own; undefined if
 * nothing was found.
 */
const bucketOf = (found: Result.Result<AuthenticatedKey, AuthenticationFailure>, hash: string): string | undefined => {
  if (Result.isSuccess(found)) return found.success.id
  if (found.failure._tag === "PlanInactive") return found.failure.keyId
  return found.failure._tag === "KeyRevoked" ? hash : undefined
}

/** Looks up the usable key of a request's secret, within the limits of its client and of the key. */
export const makeLookUp = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const limits = yield* KeyLimits
  const withBalance = yield* makeWithBalance

  return (received: ReceivedRequest, secret: Redacted.Redacted) => {
    const lookUp = authenticator.authenticate(secret, (hash, lookUp) =>
      limits.admit(received, { hash, lookUp, bucketOf })
    )
    return Effect.flatMap(CurrentRequest, (state) =>
      Effect.flatMap(Effect.result(lookUp), (found) => {
        const ended = Effect.fromResult(found)
        if (Result.isSuccess(found)) {
          state.keyPrefix = found.success.secretPrefix
          return ended
        }
        const { failure } = found
        if ("prefix" in failure) state.keyPrefix = failure.prefix
        if (failure._tag !== "PlanInactive") return ended
        return Effect.andThen(withBalance(failure.keyId, failure.subKeyId, Effect.void), ended)
      })
    )
  }
})

/** Runs a request with the key of its secret, if the key is usable. */
export const makeAsKey = Effect.gen(function* () {
  const lookUp = yield* makeLookUp
  const withBalance = yield* makeWithBalance
  return <A, E, R>(
    received: ReceivedRequest,
    secret: Redacted.Redacted,
    run: (key: AuthenticatedKey) => Effect.Effect<A, E, R>
  ) => Effect.flatMap(lookUp(received, secret), (key) => withBalance(key.id, key.subKey?.id, run(key)))
})

/** Runs an action that only the key itself may do. */
export const asKeyItself =
  <A, E, R>(run: (key: AuthenticatedKey) => Effect.Effect<A, E, R>) =>
  (key: AuthenticatedKey): Effect.Effect<A, E | SubKeyRefused, R> =>
    key.subKey === undefined ? run(key) : Effect.fail(new SubKeyRefused())

/** The request that the router passes on. */
const receivedRequest = Effect.map(HttpServerRequest.HttpServerRequest, NodeHttpServerRequest.toIncomingMessage)

/** As `makeAsKey`, for the request that the router passes on. */
const makeAsRoutedKey = Effect.map(
  makeAsKey,
  (asKey) =>
    <A, E, R>(secret: Redacted.Redacted, run: (key: AuthenticatedKey) => Effect.Effect<A, E, R>) =>
      Effect.flatMap(receivedRequest, (received) => asKey(received, secret, run))
)

/** Authenticates routed requests. */
export const layer = Layer.mergeAll(
  Layer.effect(
    Authentication,
    Effect.map(makeAsRoutedKey, (asKey) =>
      Authentication.of({
        apiKey: (httpEffect, { credential }) =>
          asKey(
            credential,
            asKeyItself((key) => Effect.provideService(httpEffect, CurrentKey, key))
          )
      })
    )
  ),
  Layer.effect(
    SubKeyAuthentication,
    Effect.map(makeAsRoutedKey, (asKey) =>
      SubKeyAuthentication.of({
        apiKey: (httpEffect, { credential }) =>
          asKey(credential, (key) => Effect.provideService(httpEffect, CurrentKey, key))
      })
    )
  )
)

/** The same where a key is optional. */
export const layerOptional = Layer.effect(
  OptionalAuthentication,
  Effect.gen(function* () {
    const lookUp = yield* makeLookUp
    const withBalance = yield* makeWithBalance
    return OptionalAuthentication.of(
      Effect.fnUntraced(function* (httpEffect) {
        const received = yield* receivedRequest
        const caller = yield* lookUp(received, secretOf(received)).pipe(
          Effect.asSome,
          Effect.catchTag("MissingKey", () => Effect.succeedNone)
        )
        const run = Effect.provideService(httpEffect, CallerKey, caller)
        if (Option.isNone(caller)) return yield* run
        const { id, subKey } = caller.value
        return yield* withBalance(id, subKey?.id, asKeyItself(() => run)(caller.value))
      })
    )
  })
)

/**
 * Looks up the token of a link or a session, outside of a transaction and within the limits of the current client: those
 * that are not found count with its unknown keys. `isFound` says which results come from a stored token.
 */
export const makeTokenLookUp = Effect.gen(function* () {
  const limits = yield* KeyLimits

  return <A, E>(
    token: Redacted.Redacted,
    lookUp: Effect.Effect<A, E>,
    isFound: (result: Result.Result<A, E>) => boolean
  ): Effect.Effect<A, E | RateLimited, HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const received = NodeHttpServerRequest.toIncomingMessage(request)
      const bucketOf = (result: Result.Result<A, E>, hash: string) => (isFound(result) ? hash : undefined)
      return limits.admit(received, { hash: hashOf(token), lookUp, bucketOf }).pipe(
        Effect.catchIf(
          (failure: E | TooManyWrongKeys | TooManyKeyRequests) =>
            failure instanceof TooManyWrongKeys || failure instanceof TooManyKeyRequests,
          ({ retryAfter }) => new RateLimited({ retryAfter })
        )
      )
    })
})
