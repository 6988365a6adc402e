import { Context, Effect, Layer } from "effect"
import { Credits, type Receipt, type UsageExhausted } from "../credits/Credits.ts"
import type { KeyId } from "../keys/ApiKey.ts"
import type { Assumptions } from "./Assumptions.ts"
import { type CampaignScore, scoreCampaign } from "./CampaignScore.ts"
import { computeForecast, type Forecast } from "./Forecast.ts"

/** A forecast that was paid for. */
export interface ChargedForecast {
  readonly forecast: Forecast
  readonly receipt: Receipt
}

/** A forecast that was paid for, with what the legacy endpoint adds. */
export interface ChargedLegacyForecast extends ChargedForecast {
  readonly score: CampaignScore
}

/**
 * Sells forecasts, one credit each. The answer is complete before its credit is taken, and a caller who goes away then
 * interrupts nothing: what was charged was computed and is in the ledger.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    readonly forecast: (keyId: KeyId, assumptions: Assumptions) => Effect.Effect<ChargedForecast, UsageExhausted>
    readonly legacyForecast: (
      keyId: KeyId,
      assumptions: Assumptions
    ) => Effect.Effect<ChargedLegacyForecast, UsageExhausted>
  }
>()("outreach-forecast/forecast/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      return Forecasts.of({
        forecast: Effect.fn("Forecasts.forecast")(function* (keyId: KeyId, assumptions: Assumptions) {
          const { forecast } = computeForecast(assumptions)
          return { forecast, receipt: yield* credits.debit(keyId) }
        }, Effect.uninterruptible),
        legacyForecast: Effect.fn("Forecasts.legacyForecast")(function* (keyId: KeyId, assumptions: Assumptions) {
          const { forecast, funnel } = computeForecast(assumptions)
          const score = scoreCampaign(assumptions, funnel, forecast.risk_flags)
          return { forecast, score, receipt: yield* credits.debit(keyId) }
        }, Effect.uninterruptible)
      })
    })
  )
}
