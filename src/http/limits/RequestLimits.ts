import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { HttpServerRequest } from "effect/http"
import type { KeyId } from "../../KeyId.ts"
import { mailboxOf } from "../../keys/Mailbox.ts"
import { Settings } from "../../Settings.ts"
import { RateLimited } from "../problems/HttpFailures.ts"
import { makeRecent } from "../../Recent.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { Refusals } from "./Refusals.ts"

/** Requests in an hour that need no key and have an effect: from one client, and for a mail to one address. */
const perClient = 20
const perAddress = 5

/** How many that were refused are remembered at least. */
const mostRemembered = 10_000

/**
 * Keeps one client from flooding the world with mails or the service with orders, the world from mailing one address, and
 * the owner of a key from replacing it all the time.
 */
export class RequestLimits extends Context.Service<
  RequestLimits,
  {
    /** Counts a request of the current client. Fails with RateLimited when it had too many in this hour. */
    readonly countClient: Effect.Effect<void, RateLimited, HttpServerRequest.HttpServerRequest>
    /** Counts a request for mail to the mailbox of an address, known or not. */
    readonly countAddress: (email: string) => Effect.Effect<void, RateLimited>
    /** Counts an order for an address, which gets a mail for each; apart from the others, so that it blocks no key. */
    readonly countOrder: (email: string) => Effect.Effect<void, RateLimited>
    /** Counts a replacement of a key. */
    readonly countRotation: (keyId: KeyId) => Effect.Effect<void, RateLimited>
  }
>()("outreach-forecast/http/RequestLimits") {
  static readonly layer = Layer.effect(
    RequestLimits,
    Effect.gen(function* () {
      const { limits } = yield* Settings
      const clients = yield* ClientAddress
      const limiter = yield* RateLimiter.RateLimiter
      const refusals = yield* Refusals
      const clock = yield* Clock.Clock
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      /** Until when each is refused: nothing is written for that. */
      const refusedUntil = makeRecent<string, number>(mostRemembered)
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
        countClient: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          count(`client ${clients.of(NodeHttpServerRequest.toIncomingMessage(request))}`, perClient)
        ).pipe(Effect.tapError(() => refusals.turn)),
        countAddress: (email) => count(`address ${mailboxOf(email)}`, perAddress),
        countOrder: (email) => count(`order ${mailboxOf(email)}`, perAddress),
        countRotation: (keyId) => count(`rotation ${keyId}`, limits.rotationsPerHour)
      })
    })
  ).pipe(Layer.provide([RateLimiter.layer, ClientAddress.layer, Refusals.layer]))
}
