import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { HttpServerRequest } from "effect/http"
import { makeSlots, Overloaded } from "../../Slots.ts"
import { RateLimited } from "../problems/HttpFailures.ts"
import { makeLruCache } from "./LruCache.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { makeTokenBuckets } from "./tokenBuckets.ts"

/** How many requests that need no key and have an effect a client may send per hour. */
const perClient = 20

/** How many of the most recently refused names are remembered at least. */
const minRemembered = 10_000

/** The bodies above 64 KiB that are read at a time: of one key or client, and in total. */
const largeBodies = { each: 16, all: 64 }

/** Token buckets by name, of one size, in the memory of this process. */
export interface Buckets {
  /**
   * Takes one token or this many, or as many as a full bucket has, if they are there. Returns the milliseconds to wait for
   * them, 0 if they were taken.
   */
  readonly take: (name: string, count?: number) => number
  /** The same, or fails with RateLimited. */
  readonly count: (name: string, count?: number) => Effect.Effect<void, RateLimited>
  /** Takes this many tokens, or all that are left; a negative number gives tokens back. */
  readonly spend: (name: string, count: number) => void
}

const refused = (millis: number) => new RateLimited({ retryAfter: Math.max(1, Math.ceil(millis / 1000)) })

/**
 * What a client, a key or a mailbox may do: for seconds and minutes in the memory of this process, for hours in a table
 * shared by all instances. It keeps one client from taking the service from the others or flooding the world with
 * emails, the world from flooding one address with emails, and the owner of a key from changing it constantly.
 */
export class Limits extends Context.Service<
  Limits,
  {
    /** Creates token buckets of this size, which are full again after `refill` milliseconds. */
    readonly buckets: (options: { readonly size: number; readonly refill: number }) => Buckets
    /** The slots of bodies above 64 KiB, by key or client. */
    readonly largeBodies: Pick<ReturnType<typeof makeSlots>, "hold">
    /** Counts a request of the current client. Fails with RateLimited if there were too many in this hour. */
    readonly countClient: Effect.Effect<void, RateLimited, HttpServerRequest.HttpServerRequest>
    /** Counts an event by name, such as an email to one address. Fails with RateLimited after `limit` in this hour. */
    readonly count: (name: string, limit: number) => Effect.Effect<void, RateLimited>
  }
>()("outreach-forecast/http/Limits") {
  static readonly layer = Layer.effect(
    Limits,
    Effect.gen(function* () {
      const clients = yield* ClientAddress
      const limiter = yield* RateLimiter.RateLimiter
      const clock = yield* Clock.Clock
      // Setting the system clock back would empty all buckets.
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      /** The time until which each name is refused, without a write to the store. */
      const refusedUntil = makeLruCache<string, number>(minRemembered)

      const buckets = (options: Parameters<typeof makeTokenBuckets>[0]): Buckets => {
        const tokens = makeTokenBuckets(options)
        const take: Buckets["take"] = (name, count) => tokens.take(name, now(), count)
        return {
          take,
          count: (name, count) =>
            Effect.suspend(() => {
              const wait = take(name, count)
              return wait > 0 ? Effect.fail(refused(wait)) : Effect.void
            }),
          spend: (name, count) => tokens.spend(name, count, now())
        }
      }

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

      return Limits.of({
        buckets,
        largeBodies: makeSlots({ ...largeBodies, refusal: () => new Overloaded() }),
        countClient: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          count(`client ${clients.of(NodeHttpServerRequest.toIncomingMessage(request))}`, perClient)
        ),
        count
      })
    })
  ).pipe(Layer.provide([RateLimiter.layer, ClientAddress.layer]))
}
