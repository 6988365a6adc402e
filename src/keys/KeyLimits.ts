import { Clock, Context, Effect, FiberSet, Layer } from "effect"
import type { AuthenticationFailure, LookUp, AuthenticatedKey } from "./Authenticator.ts"
import type { KeyId } from "../KeyId.ts"
import { makeRecent } from "../http/limits/Recent.ts"
import { makeTokenBuckets } from "../http/limits/tokenBuckets.ts"
import { Settings } from "../Settings.ts"
import { TooManyKeyRequests, type TooManyWrongKeys } from "./KeyFailures.ts"
import { Draining } from "../http/server/Draining.ts"
import { ClientAddress, type ReceivedRequest } from "../http/limits/ClientAddress.ts"
import { makeLookUpQueues } from "./lookUpQueues.ts"

/** How many found secrets are remembered at least; beyond that, the least recently used ones are dropped. */
const leastKnown = 10_000

/** What requests with a refused secret count against: its key; a revoked one itself; undefined if nothing was found. */
const shareOf = (failure: AuthenticationFailure, hash: string): string | undefined => {
  if (failure._tag === "PlanInactive") return failure.keyId
  return failure._tag === "KeyRevoked" ? hash : undefined
}

const secondsOf = (millis: number) => Math.max(1, Math.ceil(millis / 1000))

/**
 * Limits the cost of keys before they are looked up. A secret that was found before is held to the limit of requests
 * per second of its key or, once it is revoked, to one of its own; look-ups of other secrets wait in a queue of their
 * client while it sends wrong keys. This slows down clients that guess keys, while valid keys from the same address
 * continue to work. Each instance counts in its own memory, and a key's state is not cached: each request is still
 * looked up.
 */
export class KeyLimits extends Context.Service<
  KeyLimits,
  {
    /** Runs the look-up of a request's secret, identified by its hash, immediately or in its turn. */
    readonly admit: (
      request: ReceivedRequest,
      hash: string,
      lookUp: LookUp
    ) => Effect.Effect<AuthenticatedKey, AuthenticationFailure | TooManyWrongKeys | TooManyKeyRequests>
    /** Counts forecasts that were computed in vain against the limit of their key. */
    readonly countWasted: (keyId: KeyId, forecasts: number) => void
  }
>()("outreach-forecast/keys/KeyLimits") {
  static readonly layer = Layer.effect(
    KeyLimits,
    Effect.gen(function* () {
      const { limits } = yield* Settings
      const clients = yield* ClientAddress
      const clock = yield* Clock.Clock
      const draining = yield* Draining
      const run = yield* FiberSet.makeRuntime()
      // Setting the system clock back would empty all buckets.
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      const queues = makeLookUpQueues({
        wrongPerMinute: limits.wrongKeysPerMinute,
        now,
        later: (millis, wake) => void run(Effect.delay(Effect.sync(wake), millis))
      })
      // Waiting look-ups may take longer than a shutdown.
      yield* Effect.forkScoped(Effect.andThen(draining.refusing, Effect.sync(queues.refuseWaiting)))
      const keyRequests = makeTokenBuckets({ size: limits.keyRequestsPerSecond, refill: 1000 })
      /** What requests with secrets that were found at their last look-up count against. */
      const known = makeRecent<string, string>(leastKnown)

      const admitKnown = (request: ReceivedRequest, hash: string, share: string, lookUp: LookUp) => {
        const wait = keyRequests.take(share, now())
        if (wait > 0) {
          return Effect.fail(
            new TooManyKeyRequests({ limit: limits.keyRequestsPerSecond, retryAfter: secondsOf(wait) })
          )
        }
        return Effect.tapError(lookUp, (failure) =>
          Effect.sync(() => {
            const found = shareOf(failure, hash)
            if (found !== undefined) return known.set(hash, found)
            known.delete(hash)
            return queues.countWrong(clients.of(request))
          })
        )
      }

      const admitUnknown = (client: string, hash: string, lookUp: LookUp) =>
        Effect.suspend(() => {
          let end = (_foundNothing: boolean) => {}
          const lookedUp = (found: string | undefined) =>
            Effect.sync(() => {
              if (found !== undefined) {
                known.set(hash, found)
                keyRequests.take(found, now())
              }
              end(found === undefined)
            })
          return Effect.callback<void, TooManyWrongKeys>((resume) => {
            end = queues.enter(client, {
              begin: () => resume(Effect.void),
              refuse: (failure) => resume(Effect.fail(failure))
            })
          }).pipe(
            Effect.andThen(
              lookUp.pipe(
                Effect.tap(({ id }) => lookedUp(id)),
                Effect.tapError((failure) => lookedUp(shareOf(failure, hash)))
              )
            ),
            // Only the first end counts: this one is for a client that disconnected, or a look-up without a result.
            Effect.ensuring(Effect.sync(() => end(false)))
          )
        })

      return KeyLimits.of({
        countWasted: (keyId, forecasts) => keyRequests.spend(keyId, forecasts, now()),
        admit: (request, hash, lookUp) =>
          Effect.suspend((): ReturnType<KeyLimits["Service"]["admit"]> => {
            const share = known.get(hash)
            return share === undefined
              ? admitUnknown(clients.of(request), hash, lookUp)
              : admitKnown(request, hash, share, lookUp)
          })
      })
    })
  ).pipe(Layer.provide(ClientAddress.layer))
}
