import { Clock, Context, Effect, Layer, Result } from "effect"
import type { ApiKey } from "../../keys/ApiKey.ts"
import type { AuthenticationFailure } from "../../keys/Authenticator.ts"
import type { KeyId } from "../../keys/KeyId.ts"
import type { SentSecret } from "../../keys/KeySecret.ts"
import { Settings } from "../../Settings.ts"
import { TooManyKeyRequests, TooManyWrongKeys } from "../problems/HttpFailures.ts"
import { ClientAddress, type ReceivedRequest } from "./ClientAddress.ts"
import { makeRefusalPace } from "./refusalPace.ts"
import { makeTokenBuckets } from "./tokenBuckets.ts"

/** How many good secrets are remembered; beyond that, the one that was not used for the longest time is forgotten. */
const mostKnown = 10_000

/** A request whose key may be looked up. */
export interface Admitted {
  /** Whose share of the service it uses: that of its key where the key was good before, else that of its client. */
  readonly share: string
  /** To be told what the look-up came to: the key, or undefined where the secret opens none. */
  readonly lookedUp: (keyId: KeyId | undefined) => void
  /** To be called in the end, if it is there: gives back what was taken for a look-up that found nothing wrong. */
  readonly end: (() => void) | undefined
}

/** The key that a look-up found, also if its plan is inactive; undefined for a secret that opens none. */
export const keyIdOf = (found: Result.Result<ApiKey, AuthenticationFailure>): KeyId | undefined => {
  if (Result.isSuccess(found)) return found.success.id
  return found.failure._tag === "PlanInactive" ? found.failure.keyId : undefined
}

const secondsOf = (millis: number) => Math.max(1, Math.ceil(millis / 1000))

/**
 * Limits what keys may cost, before they are looked up. A secret that was good before is held to the requests of a key in
 * a second; any other takes one of the wrong keys that its client may try in a minute, and gives it back once it turns
 * out to be good. So who guesses keys is soon refused without a look-up, and those who use good ones from the same
 * address go on. Everything is counted in memory, by each instance for itself, and nothing is known of a key's state:
 * each request is looked up all the same.
 */
export class KeyLimits extends Context.Service<
  KeyLimits,
  {
    /** Admits a request with a secret; an empty one, which is never looked up, always. */
    readonly admit: (
      request: ReceivedRequest,
      sent: SentSecret
    ) => Result.Result<Admitted, TooManyWrongKeys | TooManyKeyRequests>
    /** Calls `refuse`, which answers a request that was not admitted, in its turn; where too many wait, the connection ends. */
    readonly inTurn: (request: ReceivedRequest, refuse: () => void) => void
  }
>()("outreach-forecast/http/KeyLimits") {
  static readonly layer = Layer.effect(
    KeyLimits,
    Effect.gen(function* () {
      const { limits } = yield* Settings
      const clients = yield* ClientAddress
      const clock = yield* Clock.Clock
      // A system clock that is set back would make everybody's buckets empty.
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      const wrongKeys = makeTokenBuckets({ size: limits.wrongKeysPerMinute, refill: 60_000 })
      const keyRequests = makeTokenBuckets({ size: limits.keyRequestsPerSecond, refill: 1000 })
      /** The keys of secrets that were good when they were last looked up, in the order of their last use. */
      const known = new Map<string, KeyId>()

      const remember = (hash: string, keyId: KeyId) => {
        known.delete(hash)
        known.set(hash, keyId)
        if (known.size <= mostKnown) return
        for (const oldest of known.keys()) {
          known.delete(oldest)
          return
        }
      }

      const admitKnown = (request: ReceivedRequest, hash: string, keyId: KeyId) => {
        const wait = keyRequests.take(keyId, now())
        if (wait > 0) {
          return Result.fail(
            new TooManyKeyRequests({ limit: limits.keyRequestsPerSecond, retryAfter: secondsOf(wait) })
          )
        }
        return Result.succeed<Admitted>({
          share: keyId,
          lookedUp: (found) => {
            if (found !== undefined) return remember(hash, found)
            known.delete(hash)
            wrongKeys.take(clients.of(request), now())
          },
          end: undefined
        })
      }

      const admitUnknown = (client: string, hash: string) => {
        const wait = wrongKeys.take(client, now())
        if (wait > 0) return Result.fail(new TooManyWrongKeys({ retryAfter: secondsOf(wait) }))
        let isWrong = false
        return Result.succeed<Admitted>({
          share: client,
          lookedUp: (found) => {
            isWrong = found === undefined
            if (found === undefined) return
            remember(hash, found)
            keyRequests.take(found, now())
          },
          end: () => {
            if (!isWrong) wrongKeys.giveBack(client, now())
          }
        })
      }

      const pace = makeRefusalPace()

      return KeyLimits.of({
        inTurn: ({ socket }, refuse) => {
          if (!pace(refuse)) socket.destroy()
        },
        admit: (request, { hash, isMissing }) => {
          if (isMissing) {
            return Result.succeed({ share: clients.of(request), lookedUp: () => {}, end: undefined })
          }
          const keyId = known.get(hash)
          return keyId === undefined ? admitUnknown(clients.of(request), hash) : admitKnown(request, hash, keyId)
        }
      })
    })
  ).pipe(Layer.provide(ClientAddress.layer))
}
