import { Context, Effect, Latch, Layer, type Result } from "effect"
import type { KeyId } from "../KeyStatus.ts"
import { makeLruCache, Limits, makeSlots, waiting } from "../Limits.ts"
import { ClientAddress, type ReceivedRequest } from "../http/ClientAddress.ts"
import { Settings } from "../Settings.ts"
import { TooManyKeyRequests, TooManyWrongKeys } from "./KeyFailures.ts"
import { Draining } from "../http/server/Draining.ts"

/** The least number of found secrets that are remembered; beyond that, the least recently used ones are dropped. */
const minKnown = 10_000

/** The most look-ups without a token: of a client at a time, and in line of a client and of all. */
const maxInLine = { atOnce: 1, each: 100, all: 100 }

const secondsOf = (millis: number) => Math.max(1, Math.ceil(millis / 1000))

/** A secret that is looked up: a key, or the token of a link or a session. */
export interface SoughtSecret<A, E> {
  readonly hash: string
  readonly lookUp: Effect.Effect<A, E>
  /** The bucket for requests with the secret, such as that of its key; undefined if nothing was found. */
  readonly bucketOf: (found: Result.Result<A, E>, hash: string) => string | undefined
}

/**
 * Limits the cost of secrets before they are looked up. One that was found before is held to the limit of requests per
 * second of its key or of its own; a look-up of another takes a token of its client, and gives it back unless it finds
 * nothing. While no token is left, look-ups run one at a time, each with the next token. This slows down clients that
 * guess, while valid secrets from the same address continue to work. Each instance counts in its own memory, and no
 * state is cached: each request is still looked up.
 */
export class KeyLimits extends Context.Service<
  KeyLimits,
  {
    /** Looks up the secret of a request, immediately or in its turn. */
    readonly admit: <A, E>(
      request: ReceivedRequest,
      secret: SoughtSecret<A, E>
    ) => Effect.Effect<A, E | TooManyWrongKeys | TooManyKeyRequests>
    /** The bucket of a secret at its last look-up; undefined if it was not found then, or that was long ago. */
    readonly knownBucket: (hash: string) => string | undefined
    /** Counts a request of a bucket that is looked up again later; returns false if it has to wait. */
    readonly countAgain: (bucket: string) => boolean
    /** Notes the look-up of a secret that had a bucket before. */
    readonly note: (request: ReceivedRequest, hash: string, before: string, found: string | undefined) => void
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
      const { buckets } = yield* Limits
      const draining = yield* Draining
      const keyRequests = buckets({ size: limits.keyRequestsPerSecond, refill: 1000 })
      const unknown = buckets({ size: limits.wrongKeysPerMinute, refill: 60_000 })
      /** The buckets of the secrets that were found at their last look-up. */
      const known = makeLruCache<string, string>(minKnown)
      const refusal = (client: string) => {
        const wait = unknown.take(client)
        if (wait === 0) unknown.spend(client, -1)
        return new TooManyWrongKeys({ retryAfter: secondsOf(wait) })
      }
      const line = makeSlots({ ...maxInLine, refusal })
      /** Opened when a look-up of a client gives its token back, for the first in line. */
      const returned = new Map<string, Latch.Latch>()

      /** Counts requests, or returns why they are refused. */
      const countRequests = (bucket: string, requests: number): TooManyKeyRequests | undefined => {
        const wait = keyRequests.take(bucket, requests)
        if (wait === 0) return undefined
        return new TooManyKeyRequests({ limit: limits.keyRequestsPerSecond, retryAfter: secondsOf(wait) })
      }

      const note: KeyLimits["Service"]["note"] = (request, hash, before, found) => {
        if (found === before) return
        if (found !== undefined) return known.set(hash, found)
        // Only the first: those that were in flight when the secret ended were not sent to guess another one.
        if (known.get(hash) === undefined) return
        known.delete(hash)
        unknown.spend(clients.of(request), 1)
      }

      const admitKnown = <A, E>(
        request: ReceivedRequest,
        { hash, lookUp, bucketOf }: SoughtSecret<A, E>,
        bucket: string
      ): Effect.Effect<A, E | TooManyKeyRequests> => {
        const refused = countRequests(bucket, 1)
        if (refused !== undefined) return Effect.fail(refused)
        return withResult(lookUp, (result) => note(request, hash, bucket, bucketOf(result, hash)))
      }

      /** Runs a look-up that has taken a token of its client, and gives the token back unless it finds nothing. */
      const lookUpWithToken = <A, E>(client: string, { hash, lookUp, bucketOf }: SoughtSecret<A, E>) =>
        Effect.suspend(() => {
          let isUnknown = false
          return withResult(lookUp, (result) => {
            const found = bucketOf(result, hash)
            isUnknown = found === undefined
            if (found === undefined) return
            known.set(hash, found)
            keyRequests.take(found)
          }).pipe(
            // Also if the client has disconnected, or the look-up has no result.
            Effect.ensuring(
              Effect.sync(() => {
                if (isUnknown) return
                unknown.spend(client, -1)
                returned.get(client)?.openUnsafe()
              })
            )
          )
        })

      const takeToken = (client: string): Effect.Effect<void> =>
        Effect.suspend(() => {
          const wait = unknown.take(client)
          if (wait === 0) return Effect.sync(() => void returned.delete(client))
          const latch = Latch.makeUnsafe()
          returned.set(client, latch)
          return waiting((begun) =>
            Effect.andThen(Effect.raceFirst(Effect.sleep(Math.ceil(wait)), latch.await), begun)
          ).pipe(
            Effect.onInterrupt(() => Effect.sync(() => returned.delete(client))),
            Effect.andThen(Effect.suspend(() => takeToken(client)))
          )
        })

      /** Runs a look-up once the earlier ones in line are over and there is a token. */
      const inLine = <A, E>(client: string, lookUp: Effect.Effect<A, E>) =>
        // The line may take longer than a shutdown.
        Effect.raceFirst(
          line.use(client, (turn) => Effect.andThen(Effect.andThen(turn, takeToken(client)), lookUp)),
          Effect.andThen(
            draining.refusing,
            Effect.suspend(() => Effect.fail(refusal(client)))
          )
        )

      const admitUnknown = <A, E>(client: string, secret: SoughtSecret<A, E>) =>
        Effect.suspend((): Effect.Effect<A, E | TooManyWrongKeys> => {
          const lookUp = lookUpWithToken(client, secret)
          return line.of(client) === 0 && unknown.take(client) === 0 ? lookUp : inLine(client, lookUp)
        })

      return KeyLimits.of({
        admitMore: (keyId, messages) =>
          Effect.suspend(() => {
            const refused = countRequests(keyId, messages)
            return refused === undefined ? Effect.void : Effect.fail(refused)
          }),
        knownBucket: (hash) => known.get(hash),
        countAgain: (bucket) => countRequests(bucket, 1) === undefined,
        note,
        countWasted: (keyId, forecasts) => keyRequests.spend(keyId, forecasts),
        admit: <A, E>(request: ReceivedRequest, secret: SoughtSecret<A, E>) =>
          Effect.suspend((): Effect.Effect<A, E | TooManyWrongKeys | TooManyKeyRequests> => {
            const bucket = known.get(secret.hash)
            return bucket === undefined
              ? admitUnknown(clients.of(request), secret)
              : admitKnown(request, secret, bucket)
          })
      })
    })
  ).pipe(Layer.provide([ClientAddress.layer, Limits.layer]))
}

/** Runs a look-up and calls a function with its result. */
const withResult = <A, E>(lookUp: Effect.Effect<A, E>, note: (result: Result.Result<A, E>) => void) =>
  Effect.flatMap(Effect.result(lookUp), (result) => {
    note(result)
    return Effect.fromResult(result)
  })
