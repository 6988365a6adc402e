import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Layer, type Redacted, type Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { RateLimited } from "../Limits.ts"
import { TooManyKeyRequests, TooManyWrongKeys } from "./KeyFailures.ts"
import { KeyLimits } from "./KeyLimits.ts"
import { hashOf } from "./KeySecrets.ts"

/** Limits the cost of tokens of links and sessions: those that are not found count with the unknown keys of a client. */
export class TokenLimits extends Context.Service<
  TokenLimits,
  {
    /**
     * Looks up a token, outside of a transaction and within the limits of the current client. `isFound` says which
     * results come from a stored token.
     */
    readonly admit: <A, E>(
      token: Redacted.Redacted,
      lookUp: Effect.Effect<A, E>,
      isFound: (result: Result.Result<A, E>) => boolean
    ) => Effect.Effect<A, E | RateLimited, HttpServerRequest.HttpServerRequest>
  }
>()("outreach-forecast/keys/TokenLimits") {
  static readonly layer = Layer.effect(
    TokenLimits,
    Effect.map(KeyLimits, (limits) => {
      const admit: TokenLimits["Service"]["admit"] = (token, lookUp, isFound) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          limits
            .admit(NodeHttpServerRequest.toIncomingMessage(request), {
              hash: hashOf(token),
              lookUp,
              bucketOf: (found, hash) => (isFound(found) ? hash : undefined)
            })
            .pipe(
              Effect.catchIf(
                (failure) => failure instanceof TooManyWrongKeys || failure instanceof TooManyKeyRequests,
                ({ retryAfter }) => new RateLimited({ retryAfter })
              )
            )
        )
      return TokenLimits.of({ admit })
    })
  )
}
