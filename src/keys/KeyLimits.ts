import { Clock, Context, Effect, FiberSet, Layer, Result } from "effect"
import type { KeyId } from "../KeyId.ts"
import { makeRecent } from "../http/limits/Recent.ts"
import { makeTokenBuckets } from "../http/limits/tokenBuckets.ts"
import { Settings } from "../Settings.ts"
import { TooManyKeyRequests, type TooManyWrongKeys } from "./KeyFailures.ts"
import { Draining } from "../http/server/Draining.ts"
import { ClientAddress, type ReceivedRequest } from "../http/limits/ClientAddress.ts"
import { makeLookUpQueues } from "./lookUpQueues.ts"

/** How many found secrets are remembered at least; beyond that, the least recently used ones are dropped. */
const minKnown = 10_000

const secondsOf = (millis: number) => Math.max(1, Math.ceil(millis / 1000))

/** A secret that is looked up: a key, or the token of a link or a session. */
export interface SoughtSecret<A, E> {
  readonly hash: string
  readonly lookUp: Effect.Effect<A, E>
  /** What requests with the secret count against, such as its key; undefined if nothing was found. */
  readonly shareOf: (found: Result.Result<A, E>, hash: string) => string | undefined
}

/**
 * Limits the cost of secrets before they are looked up. One that was found before is held to the limit of requests per
 * second of its key or of its own; look-ups of others wait in a queue of their client while it sends unknown ones. This
 * slows down clients that guess, while valid secrets from the same address continue to work. Each instance counts in
 * its own memory, and no state is cached: each request is still looked up.
 */
export class KeyLimits extends Context.Service<
  KeyLimits,
  {
    /** Looks up the secret of a request, immediately or in its turn. */
    readonly admit: <A, E>(
      request: ReceivedRequest,
      secret: SoughtSecret<A, E>
    ) => Effect.Effect<A, E | TooManyWrongKeys | TooManyKeyRequests>
    /** Counts the further messages of a request, which counts as one when its key is looked up. */
    readonly admitMore: (keyId: KeyId, messages: number) => Effect.Effect<void, TooManyKeyRequests>
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
      const known = makeRecent<string, string>(minKnown)

      const admitShare = (share: string, requests: number) =>
        Effect.suspend(() => {
          const wait = keyRequests.take(share, now(), requests)
          return wait === 0
            ? Effect.void
            : Effect.fail(new TooManyKeyRequests({ limit: limits.keyRequestsPerSecond, retryAfter: secondsOf(wait) }))
        })

      const admitKnown = <A, E>(
        request: ReceivedRequest,
        { hash, lookUp, shareOf }: SoughtSecret<A, E>,
        share: string
      ): Effect.Effect<A, E | TooManyKeyRequests> =>
        Effect.andThen(
          admitShare(share, 1),
          withResult(lookUp, (result) => {
            const found = shareOf(result, hash)
            if (found !== undefined) return known.set(hash, found)
            known.delete(hash)
            return queues.countWrong(clients.of(request))
          })
        )

      const admitUnknown = <A, E>(client: string, { hash, lookUp, shareOf }: SoughtSecret<A, E>) =>
        Effect.suspend(() => {
          let end = (_foundNothing: boolean) => {}
          return Effect.callback<void, TooManyWrongKeys>((resume) => {
            end = queues.enter(client, {
              begin: () => resume(Effect.void),
              refuse: (failure) => resume(Effect.fail(failure))
            })
          }).pipe(
            Effect.andThen(
              withResult(lookUp, (result) => {
                const found = shareOf(result, hash)
                if (found !== undefined) {
                  known.set(hash, found)
                  keyRequests.take(found, now())
                }
                end(found === undefined)
              })
            ),
            // Only the first end counts: this one is for a client that disconnected, or a look-up without a result.
            Effect.ensuring(Effect.sync(() => end(false)))
          )
        })

      return KeyLimits.of({
        admitMore: admitShare,
        countWasted: (keyId, forecasts) => keyRequests.spend(keyId, forecasts, now()),
        admit: <A, E>(request: ReceivedRequest, secret: SoughtSecret<A, E>) =>
          Effect.suspend((): Effect.Effect<A, E | TooManyWrongKeys | TooManyKeyRequests> => {
            const share = known.get(secret.hash)
            return share === undefined ? admitUnknown(clients.of(request), secret) : admitKnown(request, secret, share)
          })
      })
    })
  ).pipe(Layer.provide(ClientAddress.layer))
}

/** Runs a look-up and calls a function with its result. */
const withResult = <A, E>(lookUp: Effect.Effect<A, E>, note: (result: Result.Result<A, E>) => void) =>
  lookUp.pipe(
    Effect.tap((found) => Effect.sync(() => note(Result.succeed(found)))),
    Effect.tapError((failure) => Effect.sync(() => note(Result.fail(failure))))
  )
