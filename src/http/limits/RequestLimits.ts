import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { HttpServerRequest } from "effect/http"
import { RateLimited } from "../problems/HttpFailures.ts"
import { makeRecent } from "./Recent.ts"
import { ClientAddress } from "./ClientAddress.ts"

/** How many requests that need no key and have an effect a client may send per hour. */
const perClient = 20

/** How many of the most recently refused names are remembered at least. */
const minRemembered = 10_000

/**
 * Keeps one client from flooding the world with emails or the service with orders, the world from flooding one address
 * with emails, and the owner of a key from replacing it constantly.
 */
export class RequestLimits extends Context.Service<
  RequestLimits,
  {
    /** Counts a request of the current client. Fails with RateLimited if there were too many in this hour. */
    readonly countClient: Effect.Effect<void, RateLimited, HttpServerRequest.HttpServerRequest>
    /** Counts an event by name, such as an email to one address. Fails with RateLimited after `limit` in this hour. */
    readonly count: (name: string, limit: number) => Effect.Effect<void, RateLimited>
  }
>()("outreach-forecast/http/RequestLimits") {
  static readonly layer = Layer.effect(
    RequestLimits,
    Effect.gen(function* () {
      const clients = yield* ClientAddress
      const limiter = yield* RateLimiter.RateLimiter
      const clock = yield* Clock.Clock
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      /** The time until which each name is refused, without a write to the store. */
      const refusedUntil = makeRecent<string, number>(minRemembered)
      const refused = (millis: number) => new RateLimited({ retryAfter: Math.max(1, Math.ceil(millis / 1000)) })
      const count = (key: string, limit: number) =>
        Effect.suspend(() => {
          const left = (refusedUntil.get(key) ?? -Infinity) - now()
          if (left > 0) return Effect.fail(refused(left))
          return limiter.consume({ key, limit, window: "1 hour" }).pipe(
            Effect.catch(({ reason }) => {
              if (reason._tag !== "RateLimitExceeded") return Effect.die(reason)
              const millis = Duration.toMillis(reason.retryAfter)
              refusedUntil.set(key, now() + millis)
              return Effect.fail(refused(millis))
            }),
            Effect.asVoid
          )
        })
      return RequestLimits.of({
        countClient: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          const received = NodeHttpServerRequest.toIncomingMessage(request)
          return count(`client ${clients.of(received)}`, perClient)
        }),
        count
      })
    })
  ).pipe(Layer.provide([RateLimiter.layer, ClientAddress.layer]))
}
