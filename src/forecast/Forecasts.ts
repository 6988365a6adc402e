import { hash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { Credits, type Sale } from "../credits/Credits.ts"
import type { KeyId } from "../keys/ApiKey.ts"
import type { Assumptions } from "./Assumptions.ts"
import { canonicalText } from "./CanonicalText.ts"
import { computeForecast } from "./Forecast.ts"
import { computeLegacyForecast } from "./LegacyForecast.ts"

/** A forecast that a key asks for. */
export interface ForecastOrder {
  readonly keyId: KeyId
  readonly assumptions: Assumptions
  /** Set where the request may come again: what it does, and the Idempotency-Key that its caller chose. */
  readonly retry: { readonly operation: string; readonly key: string } | undefined
}

type Sold = ReturnType<Credits["Service"]["debit"]>

/**
 * Sells forecasts, one credit each, as JSON texts. The answer is complete before its credit is taken, and a caller who
 * goes away then interrupts nothing: what was charged was computed and is in the ledger.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /** The forecast and the key's use after it. Fails as `Credits.debit` does. */
    readonly forecast: (order: ForecastOrder) => Sold
    /** The same with what the legacy endpoint adds: a campaign score and a risk level. */
    readonly legacyForecast: (order: ForecastOrder) => Sold
  }
>()("outreach-forecast/forecast/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const sell = ({ assumptions, keyId, retry }: ForecastOrder, forecast: object) =>
        Effect.uninterruptible(
          credits.debit({
            keyId,
            answer: answerOf(forecast),
            request: retry && { ...retry, scope: keyId, fingerprint: fingerprintOf(assumptions) }
          })
        )
      return Forecasts.of({
        forecast: (order) => Effect.suspend(() => sell(order, computeForecast(order.assumptions).forecast)),
        legacyForecast: (order) => Effect.suspend(() => sell(order, computeLegacyForecast(order.assumptions)))
      })
    })
  )
}

/** Writes an answer but for the key's use, which stands last in it and is known once the credit is taken. */
const answerOf = (forecast: object): Sale["answer"] => {
  const text = JSON.stringify(forecast).slice(0, -1)
  return (usage) => `${text},"usage":${JSON.stringify(usage)}}`
}

/** The same for equal assumptions, however they were spelt: the SHA-256 of their exact values. */
const fingerprintOf = (assumptions: Assumptions): string => hash("sha256", canonicalText(assumptions), "base64url")
