import { hash } from "node:crypto"
import { Context, Data, Effect, Layer } from "effect"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import { Forecaster, type Turn } from "../forecast/Forecaster.ts"
import { Idempotency, type IdempotencyInProgress } from "../idempotency/Idempotency.ts"
import type { Overloaded } from "../Overloaded.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import { canonicalMetered, type MeteredRequest } from "./MeteredRequest.ts"

/** A metered request of a key. */
export type AuthenticatedRequest = MeteredRequest & {
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

/** Ends the turn of a call whose answer is stored. */
class Answered extends Data.TaggedClass("Answered")<{ readonly charge: Charge }> {}

/**
 * Forecasts, goals and campaigns in flight as JSON texts, for one credit each. An answer is computed before its credit
 * is taken; from then on, a disconnecting client interrupts nothing, so every charge has a response and a ledger entry.
 * A call that waits for its turn is refused before it is computed if the credits do not suffice then.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /**
     * Answers a call; the usage of the key comes last. Interruptible until the credit is taken. Fails with
     * IdempotencyInProgress, and computes nothing, while the same call is being answered.
     */
    readonly forecast: (call: AuthenticatedRequest) => Effect.Effect<Charge, ChargeFailure | IdempotencyInProgress>
  }
>()("outreach-forecast/metering/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const forecaster = yield* Forecaster
      const { exclusively } = yield* Idempotency

      const compute = <E>(request: MeteredRequest, turn: Turn<E>): Effect.Effect<object, E | Overloaded> => {
        switch (request.kind) {
          case "goal":
            return forecaster.goal(request, turn)
          case "progress":
            return forecaster.progress(request, turn)
          case "legacy":
            return forecaster.legacy(request.assumptions, turn)
          case "forecast":
            return forecaster.forecast(request.assumptions, turn)
        }
      }

      const forecast = (call: AuthenticatedRequest) =>
        Effect.suspend(() => {
          const { keyId, onWasted, subKeyId } = call
          const request = { subKeyId, cost: 1, idempotency: idempotentRequest(call) }
          let wasted = 0
          const countWasted = Effect.sync(() => onWasted?.(wasted))
          const admit = Effect.flatMap(credits.precheck({ keyId, ...request }), (charge) =>
            charge === undefined ? Effect.sync(() => void (wasted = 1)) : Effect.fail(new Answered({ charge }))
          )
          const answered = compute(call, { of: keyId, admit }).pipe(
            Effect.onInterrupt(() => countWasted),
            Effect.interruptible,
            Effect.flatMap((computed) =>
              credits
                .charge(keyId, { ...request, answer: (usage) => JSON.stringify({ ...computed, usage }) })
                .pipe(Effect.tapError(() => countWasted))
            ),
            Effect.catchTag("Answered", ({ charge }) => Effect.succeed(charge))
          )
          return exclusively(request.idempotency, answered)
        })
      return Forecasts.of({ forecast })
    })
  ).pipe(Layer.provide(Idempotency.layer))
}

/** Identical calls have the same fingerprint, however they are spelled: the SHA-256 of their exact values. */
const idempotentRequest = (call: AuthenticatedRequest): ChargeRequest["idempotency"] => {
  if (call.idempotency === undefined) return undefined
  const { key, operation } = call.idempotency
  const fingerprint = hash("sha256", canonicalMetered(call), "base64url")
  return { scope: call.subKeyId ?? call.keyId, operation, key: key ?? fingerprint, fingerprint }
}
