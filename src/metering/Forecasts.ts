import { hash } from "node:crypto"
import { Context, Effect, Latch, Layer } from "effect"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import { answering } from "./computations.ts"
import { WorkerPool } from "../workers/WorkerPool.ts"
import {
  canonicalMetered,
  type CanonicalRequest,
  computeMetered,
  type MeteredRequest,
  takesLong
} from "./MeteredRequest.ts"

/** A metered request of a key, decoded or in its canonical form. */
export type AuthenticatedRequest = (MeteredRequest | CanonicalRequest) & {
  readonly keyId: KeyId
  readonly subKeyId?: SubKeyId | undefined
  /**
   * Set if the call may be retried: its method and path, and the Idempotency-Key of the caller. Without a key,
   * identical calls of the operation count as one.
   */
  readonly idempotency: { readonly operation: string; readonly key: string | undefined } | undefined
  /** Called with the number of forecasts computed in vain: the client disconnected, or they could no longer be charged. */
  readonly onWasted?: (forecasts: number) => void
}

/** The place of a slow request in the queue of its key. It has a turn while it may have to wait for an earlier one. */
interface Place {
  turn: Latch.Latch | undefined
}

/**
 * Forecasts, goals and campaigns in flight as JSON texts, for one credit each. A response is complete before its credit
 * is taken; from then on, a disconnecting client interrupts nothing, so every charge has a response and a ledger entry.
 * A slow request whose credit is only left if an earlier one of its key fails waits for that.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /** Answers a call; the usage of the key comes last. Interruptible until the credit is taken. */
    readonly forecast: (call: AuthenticatedRequest) => Effect.Effect<Charge, ChargeFailure>
  }
>()("outreach-forecast/metering/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const pool = yield* WorkerPool

      const queues = new Map<KeyId, ReadonlyArray<Place>>()

      const enter = (keyId: KeyId) =>
        Effect.sync(() => {
          const place: Place = { turn: undefined }
          queues.set(keyId, [...(queues.get(keyId) ?? []), place])
          return place
        })

      const leave = (keyId: KeyId, place: Place) =>
        Effect.sync(() => {
          const queue = (queues.get(keyId) ?? []).filter((other) => other !== place)
          if (queue.length === 0) queues.delete(keyId)
          else queues.set(keyId, queue)
          queue.find(({ turn }) => turn !== undefined)?.turn?.openUnsafe()
        })

      /** As `Credits.precheck`, once the credits suffice even if all earlier requests of the queue are charged. */
      const precheck = (call: AuthenticatedRequest, place: Place): Effect.Effect<Charge | undefined, ChargeFailure> =>
        Effect.suspend(() => {
          const { keyId, subKeyId } = call
          const request = { keyId, subKeyId, idempotency: idempotentRequest(call) }
          const earlier = queues.get(keyId)?.indexOf(place) ?? 0
          const now = credits.precheck({ ...request, cost: 1 })
          if (earlier === 0) return now
          const turn = Latch.makeUnsafe()
          place.turn = turn
          const afterTurn = Effect.andThen(Effect.interruptible(turn.await), precheck(call, place))
          const later = Effect.flatMap(now, (charged) => (charged === undefined ? afterTurn : Effect.succeed(charged)))
          return Effect.catchTags(credits.precheck({ ...request, cost: 1 + earlier }), {
            UsageExhausted: () => later,
            SubKeyLimitReached: () => later
          })
        })

      const forecastLong = Effect.fnUntraced(function* (call: AuthenticatedRequest, place: Place) {
        const { keyId } = call
        const charged = yield* precheck(call, place)
        place.turn = undefined
        if (charged !== undefined) return charged
        let computed = 0
        const wasted = Effect.sync(() => call.onWasted?.(computed))
        const text = yield* pool
          .compute(keyId, (run) => run(answering, canonicalMetered(call), () => (computed = 1)))
          .pipe(
            Effect.onInterrupt(() => wasted),
            Effect.interruptible
          )
        return yield* Effect.tapError(credits.charge(keyId, chargeOf(call, text)), () => wasted)
      })

      const forecast = (call: AuthenticatedRequest) =>
        "canonical" in call || takesLong(call)
          ? Effect.acquireUseRelease(
              enter(call.keyId),
              (place) => forecastLong(call, place),
              (place) => leave(call.keyId, place)
            )
          : Effect.suspend(() => credits.charge(call.keyId, chargeOf(call, JSON.stringify(computeMetered(call)))))
      return Forecasts.of({ forecast })
    })
  )
}

/** The charge for an answer. The usage of the key comes last in the text: it is known only after the charge. */
const chargeOf = (call: AuthenticatedRequest, text: string): Omit<ChargeRequest, "keyId"> => {
  const open = text.slice(0, -1)
  return {
    subKeyId: call.subKeyId,
    cost: 1,
    answer: (usage) => `${open},"usage":${JSON.stringify(usage)}}`,
    idempotency: idempotentRequest(call)
  }
}

/** Identical calls have the same fingerprint, however they are spelled: the SHA-256 of their exact values. */
const idempotentRequest = (call: AuthenticatedRequest): ChargeRequest["idempotency"] => {
  if (call.idempotency === undefined) return undefined
  const { key, operation } = call.idempotency
  const fingerprint = hash("sha256", canonicalMetered(call).canonical, "base64url")
  return { scope: call.subKeyId ?? call.keyId, operation, key: key ?? fingerprint, fingerprint }
}
