import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer, Option, type Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import {
  Authentication,
  CallerKey,
  CurrentKey,
  OptionalAuthentication,
  SubKeyAuthentication
} from "./AuthenticationApi.ts"
import type { AuthenticatedKey } from "./Authenticator.ts"
import { SubKeyRefused } from "./KeyFailures.ts"
import { RequestKeys, secretOf } from "./RequestKeys.ts"

/** Runs an action that only the key itself may do. */
export const asKeyItself =
  <A, E, R>(run: (key: AuthenticatedKey) => Effect.Effect<A, E, R>) =>
  (key: AuthenticatedKey): Effect.Effect<A, E | SubKeyRefused, R> =>
    key.subKey === undefined ? run(key) : Effect.fail(new SubKeyRefused())

/** The request that the router passes on. */
const receivedRequest = Effect.map(HttpServerRequest.HttpServerRequest, NodeHttpServerRequest.toIncomingMessage)

/** As `RequestKeys.asKey`, for the request that the router passes on. */
const asRoutedKey = <A, E, R>(
  { asKey }: RequestKeys["Service"],
  secret: Redacted.Redacted,
  run: (key: AuthenticatedKey) => Effect.Effect<A, E, R>
) => Effect.flatMap(receivedRequest, (received) => asKey(received, secret, run))

/** Authenticates routed requests. */
export const layer = Layer.mergeAll(
  Layer.effect(
    Authentication,
    Effect.map(RequestKeys, (keys) =>
      Authentication.of({
        apiKey: (httpEffect, { credential }) =>
          asRoutedKey(
            keys,
            credential,
            asKeyItself((key) => Effect.provideService(httpEffect, CurrentKey, key))
          )
      })
    )
  ),
  Layer.effect(
    SubKeyAuthentication,
    Effect.map(RequestKeys, (keys) =>
      SubKeyAuthentication.of({
        apiKey: (httpEffect, { credential }) =>
          asRoutedKey(keys, credential, (key) => Effect.provideService(httpEffect, CurrentKey, key))
      })
    )
  )
)

/** The same where a key is optional. */
export const layerOptional = Layer.effect(
  OptionalAuthentication,
  Effect.map(RequestKeys, ({ find, withBalance }) =>
    OptionalAuthentication.of(
      Effect.fnUntraced(function* (httpEffect) {
        const received = yield* receivedRequest
        const caller = yield* find(received, secretOf(received)).pipe(
          Effect.asSome,
          Effect.catchTag("MissingKey", () => Effect.succeedNone)
        )
        const run = Effect.provideService(httpEffect, CallerKey, caller)
        if (Option.isNone(caller)) return yield* run
        const { id, subKey } = caller.value
        return yield* withBalance(id, subKey?.id, asKeyItself(() => run)(caller.value))
      })
    )
  )
)
