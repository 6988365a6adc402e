import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, type Redacted, type Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { RateLimited } from "../Limits.ts"
import { TooManyKeyRequests, TooManyWrongKeys } from "./KeyFailures.ts"
import { KeyLimits } from "./KeyLimits.ts"
import { hashOf } from "./KeySecrets.ts"

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
