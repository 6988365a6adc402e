import { Clock, Context, Effect, FiberSet, Layer, Result } from "effect"
import type { ApiKey } from "./ApiKey.ts"
import type { AuthenticationFailure } from "./Authenticator.ts"
import type { KeyId } from "../KeyId.ts"
import { makeRecent } from "../Recent.ts"
import { Settings } from "../Settings.ts"
import { TooManyKeyRequests, type TooManyWrongKeys } from "./KeyFailures.ts"
import { Draining } from "../http/server/Draining.ts"
import { ClientAddress, type ReceivedRequest } from "../http/limits/ClientAddress.ts"
import { makeLookUpLines } from "./lookUpLines.ts"
import { makeTokenBuckets } from "../http/limits/tokenBuckets.ts"

/** How many good secrets are remembered at least; beyond that, those used least recently are forgotten. */
const mostKnown = 10_000

/** A request whose key may be looked up. */
export interface Admitted {
  /** Whose share of the service it uses: that of its key where the key was good before, else that of its client. */
  readonly share: string
  /** To be told what the look-up came to: the key, or undefined where the secret opens none. */
  readonly lookedUp: (keyId: KeyId | undefined) => void
}

/** A request that may have its key looked up, or why not. */
export type Admission = Result.Result<Admitted, TooManyWrongKeys | TooManyKeyRequests>

/** The key that a look-up found, also if its plan is inactive; undefined for a secret that opens none. */
export const keyIdOf = (found: Result.Result<ApiKey, AuthenticationFailure>): KeyId | undefined => {
  if (Result.isSuccess(found)) return found.success.id
  return found.failure._tag === "PlanInactive" ? found.failure.keyId : undefined
}

const secondsOf = (millis: number) => Math.max(1, Math.ceil(millis / 1000))

/**
 * Limits what keys may cost, before they are looked up. A secret that was good before is held to the requests of a key in
 * a second; look-ups of any other wait in line with those of their client while it sends wrong keys. So who guesses keys is
 * slowed down, and good keys from the same address go on. Everything is counted in memory, by each instance for itself, and
 * nothing is known of a key's state: each request is looked up all the same.
 */
export class KeyLimits extends Context.Service<
  KeyLimits,
  {
    /**
     * Admits a request with a secret, known by its hash, at once or in its turn. Returns what is to be called where the
     * request ends, if anything: it leaves the line, or ends a look-up of which nobody was told what it came to.
     */
    readonly admit: (
      request: ReceivedRequest,
      hash: string,
      then: (admission: Admission) => void
    ) => (() => void) | undefined
    /** Counts requests of a key that it was not asked for: forecasts that were computed for callers who had gone. */
    readonly countAbandoned: (keyId: KeyId, forecasts: number) => void
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
      // A system clock that is set back would make everybody's buckets empty.
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      const lines = makeLookUpLines({
        wrongPerMinute: limits.wrongKeysPerMinute,
        now,
        later: (millis, wake) => void run(Effect.delay(Effect.sync(wake), millis))
      })
      // Those in line may wait for longer than a shutdown takes.
      yield* Effect.forkScoped(Effect.andThen(draining.refusing, Effect.sync(lines.refuseWaiting)))
      const keyRequests = makeTokenBuckets({ size: limits.keyRequestsPerSecond, refill: 1000 })
      /** The keys of secrets that were good when they were last looked up. */
      const known = makeRecent<string, KeyId>(mostKnown)

      const admitKnown = (request: ReceivedRequest, hash: string, keyId: KeyId): Admission => {
        const wait = keyRequests.take(keyId, now())
        if (wait > 0) {
          return Result.fail(
            new TooManyKeyRequests({ limit: limits.keyRequestsPerSecond, retryAfter: secondsOf(wait) })
          )
        }
        return Result.succeed({
          share: keyId,
          lookedUp: (found) => {
            if (found !== undefined) return
            known.delete(hash)
            lines.countWrong(clients.of(request))
          }
        })
      }

      const admitUnknown = (client: string, hash: string, then: (admission: Admission) => void) => {
        const begin = () =>
          then(
            Result.succeed({
              share: client,
              lookedUp: (found) => {
                if (found !== undefined) {
                  known.set(hash, found)
                  keyRequests.take(found, now())
                }
                end(found === undefined)
              }
            })
          )
        const end = lines.enter(client, { begin, refuse: (failure) => then(Result.fail(failure)) })
        return () => end(false)
      }

      return KeyLimits.of({
        countAbandoned: (keyId, forecasts) => keyRequests.spend(keyId, forecasts, now()),
        admit: (request, hash, then) => {
          const keyId = known.get(hash)
          if (keyId === undefined) return admitUnknown(clients.of(request), hash, then)
          then(admitKnown(request, hash, keyId))
          return undefined
        }
      })
    })
  ).pipe(Layer.provide(ClientAddress.layer))
}
