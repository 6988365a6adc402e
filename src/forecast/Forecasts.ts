import { hash } from "node:crypto"
import { Context, Effect, Layer, type Result, Semaphore } from "effect"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import type { KeyId } from "../keys/KeyId.ts"
import { mapInTurns, onlyResult, pause } from "../Many.ts"
import type { Assumptions } from "./Assumptions.ts"
import { canonicalText } from "./CanonicalText.ts"
import { forecastInPieces } from "./Forecast.ts"
import { legacyForecastInPieces } from "./LegacyForecast.ts"
import { hasEvidence } from "./outlook/Campaign.ts"
import type { Pieces } from "./outlook/Pieces.ts"

/** A forecast that a key asks for: `legacy` adds a campaign score and a risk level. */
export interface ForecastCall {
  readonly keyId: KeyId
  readonly kind: "forecast" | "legacy"
  readonly assumptions: Assumptions
  /** Set where the call may come again: its method and path, and the Idempotency-Key that its caller chose. */
  readonly idempotency: { readonly operation: string; readonly key: string } | undefined
}

/** Whether an answer takes milliseconds to compute, and so is better computed alone than together with others. */
export const takesLong = ({ assumptions }: ForecastCall): boolean => hasEvidence(assumptions)

/**
 * Forecasts as JSON texts, for one credit each. An answer is complete before its credit is taken, and a caller who goes
 * away then interrupts nothing: what was charged was computed and is in the ledger.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /**
     * The forecast, with the key's use after it. One that takes long waits until others that do are computed; until its
     * credit is taken it can be interrupted.
     */
    readonly forecast: (call: ForecastCall) => Effect.Effect<Charge, ChargeFailure>
    /** The forecasts of many calls, in order, charged in one transaction. */
    readonly forecastAll: (
      calls: ReadonlyArray<ForecastCall>
    ) => Effect.Effect<ReadonlyArray<Result.Result<Charge, ChargeFailure>>>
  }
>()("outreach-forecast/forecast/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const oneAtATime = yield* Semaphore.make(1)
      const forecastAll = (calls: ReadonlyArray<ForecastCall>) =>
        Effect.uninterruptible(Effect.flatMap(mapInTurns(calls, toChargeRequest), credits.chargeAll))
      const forecast = (call: ForecastCall) => {
        const computed = mapInTurns([call], toChargeRequest)
        // Without the pause one that ends within its turn would be followed by the next one in the same turn.
        const alone = oneAtATime.withPermit(Effect.andThen(pause, computed))
        return Effect.interruptible(takesLong(call) ? alone : computed).pipe(
          Effect.flatMap(credits.chargeAll),
          Effect.uninterruptible,
          Effect.flatMap(onlyResult)
        )
      }
      return Forecasts.of({ forecast, forecastAll })
    })
  )
}

function* toChargeRequest({ assumptions, idempotency, keyId, kind }: ForecastCall): Pieces<ChargeRequest> {
  const forecast =
    kind === "legacy" ? yield* legacyForecastInPieces(assumptions) : (yield* forecastInPieces(assumptions)).forecast
  return {
    keyId,
    cost: 1,
    answer: answerOf(forecast),
    idempotency: idempotency && { ...idempotency, scope: keyId, fingerprint: fingerprintOf(assumptions) }
  }
}

/** Writes an answer but for the key's use, which stands last in it and is known once the credit is taken. */
const answerOf = (forecast: object): ChargeRequest["answer"] => {
  const text = JSON.stringify(forecast).slice(0, -1)
  return (usage) => `${text},"usage":${JSON.stringify(usage)}}`
}

/** The same for equal assumptions, however they were spelt: the SHA-256 of their exact values. */
const fingerprintOf = (assumptions: Assumptions): string => hash("sha256", canonicalText(assumptions), "base64url")
