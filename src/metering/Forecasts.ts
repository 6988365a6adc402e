import { hash } from "node:crypto"
import { Context, Data, Effect, Layer } from "effect"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import type { Usage } from "../credits/Balance.ts"
import { Forecaster } from "../forecast/Forecaster.ts"
import { Idempotency, type IdempotencyInProgress } from "../idempotency/Idempotency.ts"
import type { KeyId, SubKeyId } from "../KeyStatus.ts"
import type { Overloaded } from "../Limits.ts"
import type { PaidRequest } from "./Operations.ts"

/** The key that pays for a request. */
export interface Payer {
  readonly keyId: KeyId
  readonly subKeyId?: SubKeyId | undefined
  /**
   * Set if the call may be retried: its method and path, and the Idempotency-Key of the caller. Without a key,
   * identical calls of the operation count as one.
   */
  readonly idempotency: { readonly operation: string; readonly key: string | undefined } | undefined
  /** Called with the number of forecasts computed in vain: the client left, or they could no longer be charged. */
  readonly onWasted?: (forecasts: number) => void
}

/** A request of a key for one credit. */
export interface AuthenticatedRequest extends Payer {
  readonly request: PaidRequest
}

/** Ends the turn of a call whose answer is stored. */
class Answered extends Data.TaggedClass("Answered")<{ readonly charge: Charge }> {}

/** Completes an answer with the usage of its key. */
export type Answer = (usage: Usage) => string

/** Computes an answer once `admit` has not failed, and reports how many forecasts of it are computed. */
type ComputeAnswer = <E>(
  admit: Effect.Effect<void, E>,
  onComputed: (forecasts: number) => void
) => Effect.Effect<Answer, E | Overloaded>

/**
 * Sells forecasts, which the `Forecaster` computes, and whatever else costs credits, as texts. An answer is computed
 * before its credits are taken; from then on, a disconnecting client interrupts nothing, so every charge has a response
 * and a ledger entry. A call that waits for its turn is refused before it is computed if the credits do not suffice then.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /**
     * Answers a call; the usage of the key comes last. Interruptible until the credit is taken. While the same call is
     * being answered, computes nothing: one without an Idempotency-Key waits, and one with it fails with
     * IdempotencyInProgress.
     */
    readonly forecast: (call: AuthenticatedRequest) => Effect.Effect<Charge, ChargeFailure | IdempotencyInProgress>
    /**
     * Charges an answer that is computed before, once its key can pay for it. Requests with the same fingerprint are
     * the same, for their Idempotency-Key. Interruptible until the credits are taken.
     */
    readonly sell: (
      payer: Payer,
      request: { readonly cost: number; readonly fingerprint: string },
      compute: ComputeAnswer
    ) => Effect.Effect<Charge, ChargeFailure>
  }
>()("outreach-forecast/metering/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const forecaster = yield* Forecaster
      const { exclusively, untilAnswered } = yield* Idempotency

      const sell: Forecasts["Service"]["sell"] = (payer, { cost, fingerprint }, compute) =>
        Effect.suspend(() => {
          const { keyId, onWasted, subKeyId } = payer
          const request = { subKeyId, cost, idempotency: idempotentRequest(payer, fingerprint) }
          let computed = 0
          const countWasted = Effect.sync(() => onWasted?.(computed))
          const admit = Effect.suspend(() => credits.precheck({ keyId, ...request })).pipe(
            Effect.flatMap((charge) => (charge === undefined ? Effect.void : Effect.fail(new Answered({ charge }))))
          )
          return compute(admit, (forecasts) => void (computed = forecasts)).pipe(
            Effect.interruptible,
            Effect.flatMap((answer) => credits.charge(keyId, { ...request, answer })),
            Effect.onInterrupt(() => countWasted),
            Effect.tapError(() => countWasted),
            Effect.catchTag("Answered", ({ charge }) => Effect.succeed(charge))
          )
        })

      return Forecasts.of({
        sell,
        forecast: (call) => {
          const fingerprint = call.idempotency === undefined ? "" : fingerprintOf(call.request)
          const sold = sell(call, { cost: 1, fingerprint }, (admit, onComputed) => {
            const begin = Effect.tap(admit, () => Effect.sync(() => onComputed(1)))
            return Effect.map(call.request.compute(forecaster, { of: { key: call.keyId }, admit: begin }), withUsage)
          })
          const request = idempotentRequest(call, fingerprint)
          const answered = exclusively(request, sold)
          return call.idempotency?.key === undefined ? untilAnswered(request, answered) : answered
        }
      })
    })
  ).pipe(Layer.provide(Idempotency.layer))
}

/** The text of an answer, an object. It is kept instead of the answer until the credit is taken. */
const withUsage = (computed: object): Answer => {
  const members = JSON.stringify(computed).slice(0, -1)
  return (usage) => `${members},"usage":${JSON.stringify(usage)}}`
}

/** Identical calls have the same fingerprint, however they are spelled: the SHA-256 of their exact values. */
const fingerprintOf = ({ canonical }: PaidRequest) => hash("sha256", canonical(), "base64url")

/** A request that may be retried, by its fingerprint; undefined for one that may not. */
export const idempotentRequest = (
  { idempotency, keyId, subKeyId }: Payer,
  fingerprint: string
): ChargeRequest["idempotency"] => {
  if (idempotency === undefined) return undefined
  const { key = fingerprint, operation } = idempotency
  return { scope: subKeyId ?? keyId, operation, key, fingerprint }
}
