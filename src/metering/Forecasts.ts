import { hash } from "node:crypto"
import { Context, Effect, Layer, type Result } from "effect"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import type { Overloaded } from "../http/problems/HttpFailures.ts"
import type { KeyId } from "../KeyId.ts"
import { onlyResult } from "../Many.ts"
import { answering } from "./computations.ts"
import { WorkerPool } from "../workers/WorkerPool.ts"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { canonicalGoal, canonicalText } from "../forecast/CanonicalText.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import { computeLegacyForecast } from "../forecast/LegacyForecast.ts"
import { hasEvidence } from "../forecast/outlook/Campaign.ts"
import { reachGoal } from "../forecast/outlook/Goals.ts"
import type { Goal } from "../forecast/outlook/GoalTarget.ts"

/** What a key asks for a campaign. */
interface KeyCall {
  readonly keyId: KeyId
  readonly assumptions: Assumptions
  /**
   * Set where the call may be repeated: its method and path, and the Idempotency-Key that its caller chose. Without one,
   * calls of the operation that ask for the same are one.
   */
  readonly idempotency: { readonly operation: string; readonly key: string | undefined } | undefined
}

/** A forecast that a key asks for: `legacy` adds a campaign score and a risk level. */
export interface ForecastCall extends KeyCall {
  readonly kind: "forecast" | "legacy"
}

/** What it takes to reach a goal, for a key that asks for it. */
export interface GoalCall extends KeyCall {
  readonly kind: "goal"
  readonly goal: Goal
}

type Call = ForecastCall | GoalCall

/** True if an answer takes milliseconds to compute rather than microseconds: then a worker computes it. */
export const takesLong = (call: Call): boolean =>
  hasEvidence(call.assumptions) ||
  call.assumptions.history !== undefined ||
  (call.kind === "goal" && call.goal.chance !== undefined)

/**
 * Forecasts, and what it takes to reach goals, as JSON texts, for one credit each. An answer is complete before its credit
 * is taken, and a caller who goes away then interrupts nothing: what was charged was computed and is in the ledger.
 */
export class Forecasts extends Context.Service<
  Forecasts,
  {
    /** The forecast, with the key's usage after it. Until its credit is taken it can be interrupted. */
    readonly forecast: (call: ForecastCall) => Effect.Effect<Charge, ChargeFailure | Overloaded>
    /** What it takes to reach a goal, as `forecast`. */
    readonly goal: (call: GoalCall) => Effect.Effect<Charge, ChargeFailure | Overloaded>
    /** The answers to many calls that do not take long, in order, charged in one transaction. */
    readonly forecastAll: (
      calls: ReadonlyArray<ForecastCall | GoalCall>
    ) => Effect.Effect<ReadonlyArray<Result.Result<Charge, ChargeFailure>>>
  }
>()("outreach-forecast/metering/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const pool = yield* WorkerPool

      const forecastAll = (calls: ReadonlyArray<Call>) =>
        Effect.uninterruptible(
          Effect.suspend(() => credits.chargeAll(calls.map((call) => chargeOf(call, JSON.stringify(compute(call))))))
        )

      const forecastLong = Effect.fnUntraced(function* (call: Call) {
        const { keyId, kind } = call
        const idempotency = idempotentRequest(call)
        const charged = yield* credits.foresee({ keyId, cost: 1, idempotency })
        if (charged !== undefined) return charged
        const text = yield* Effect.interruptible(
          pool.compute(keyId, (run) => run(answering, { kind, request: canonical(call) }))
        )
        return yield* Effect.uninterruptible(Effect.flatMap(credits.chargeAll([chargeOf(call, text)]), onlyResult))
      })

      const forecast = (call: Call) =>
        takesLong(call) ? forecastLong(call) : Effect.flatMap(forecastAll([call]), onlyResult)
      return Forecasts.of({ forecast, goal: forecast, forecastAll })
    })
  )
}

const compute = (call: Call): object => {
  if (call.kind === "goal") return reachGoal(call.goal, call.assumptions)
  return call.kind === "legacy" ? computeLegacyForecast(call.assumptions) : computeForecast(call.assumptions).forecast
}

const canonical = (call: Call): string =>
  call.kind === "goal" ? canonicalGoal(call.assumptions, call.goal) : canonicalText(call.assumptions)

/** The charge for an answer. The key's usage, which is known once the credit is taken, stands last in the answer. */
const chargeOf = (call: Call, text: string): ChargeRequest => {
  const open = text.slice(0, -1)
  return {
    keyId: call.keyId,
    cost: 1,
    answer: (usage) => `${open},"usage":${JSON.stringify(usage)}}`,
    idempotency: idempotentRequest(call)
  }
}

/** Equal calls have the same fingerprint, however they were spelt: the SHA-256 of their exact values. */
const idempotentRequest = (call: Call): ChargeRequest["idempotency"] => {
  if (call.idempotency === undefined) return undefined
  const { key, operation } = call.idempotency
  const fingerprint = hash("sha256", canonical(call), "base64url")
  return { scope: call.keyId, operation, key: key ?? fingerprint, fingerprint }
}
