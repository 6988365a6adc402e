import { Context, Duration, Effect, Layer, Option } from "effect"
import { RateLimiter } from "effect/persistence"
import { HttpServerRequest } from "effect/http"
import { RateLimited } from "./HttpFailures.ts"

/** Requests for mail in an hour: from one client, and to one address. */
const perClient = 20
const perAddress = 5

/** Keeps one client from sending mails to the world, and the world from sending mails to one address. */
export class MailLimits extends Context.Service<
  MailLimits,
  {
    /** Counts a request of the current client. Fails with RateLimited when it had too many in this hour. */
    readonly countClient: Effect.Effect<void, RateLimited, HttpServerRequest.HttpServerRequest>
    /** Counts a request for mail to an address, known or not. */
    readonly countAddress: (email: string) => Effect.Effect<void, RateLimited>
  }
>()("outreach-forecast/http/MailLimits") {
  static readonly layer = Layer.effect(
    MailLimits,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const count = (key: string, limit: number) =>
        limiter.consume({ key, limit, window: "1 hour" }).pipe(
          Effect.catch(({ reason }) =>
            reason._tag === "RateLimitExceeded"
              ? Effect.fail(
                  new RateLimited({ retryAfter: Math.max(1, Math.ceil(Duration.toSeconds(reason.retryAfter))) })
                )
              : Effect.die(reason)
          ),
          Effect.asVoid
        )
      return MailLimits.of({
        countClient: Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
          count(`client ${Option.getOrElse(remoteAddress, () => "unknown")}`, perClient)
        ),
        countAddress: (email) => count(`address ${email}`, perAddress)
      })
    })
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
}
