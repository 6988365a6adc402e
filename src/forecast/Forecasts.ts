import { hash } from "node:crypto"
import { BigDecimal, Context, Effect, Layer, type Result, Semaphore } from "effect"
import { type Charge, type ChargeFailure, type ChargeRequest, Credits } from "../credits/Credits.ts"
import type { KeyId } from "../keys/KeyId.ts"
import { mapInTurns, onlyResult, pause } from "../Many.ts"
import { makeRecent, mostRecent } from "../Recent.ts"
import type { Assumptions } from "./Assumptions.ts"
import { canonicalText } from "./CanonicalText.ts"
import { forecastInPieces } from "./Forecast.ts"
import { legacyForecastInPieces } from "./LegacyForecast.ts"
import { hasEvidence } from "./outlook/Campaign.ts"
import { reachGoalInPieces } from "./outlook/Goals.ts"
import type { Goal } from "./outlook/GoalTarget.ts"
import type { Pieces } from "./outlook/Pieces.ts"

/** What a key asks for a campaign. */
interface KeyCall {
  readonly keyId: KeyId
  readonly assumptions: Assumptions
  /**
   * Set where the call may come again: its method and path, and the Idempotency-Key that its caller chose. Without one,
   * calls of the operation that ask for the same are one.
   */
  readonly idempotency: { readonly operation: string; readonly key: string | undefined } | undefined
  /** Whether the very same objects are asked for again and again: then the answer is kept for them. */
  readonly isRepeated?: boolean
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

/** Whether an answer takes milliseconds to compute, and so is better computed alone than together with others. */
export const takesLong = (call: ForecastCall | GoalCall): boolean =>
  hasEvidence(call.assumptions) || (call.kind === "goal" && call.goal.chance !== undefined)

/**
 * Forecasts, and what it takes to reach goals, as JSON texts, for one credit each. An answer is complete before its credit is taken, and a caller who goes
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
    /** What it takes to reach a goal, as `forecast`. */
    readonly goal: (call: GoalCall) => Effect.Effect<Charge, ChargeFailure>
    /** The answers to many calls, in order, charged in one transaction. */
    readonly forecastAll: (
      calls: ReadonlyArray<ForecastCall | GoalCall>
    ) => Effect.Effect<ReadonlyArray<Result.Result<Charge, ChargeFailure>>>
  }
>()("outreach-forecast/forecast/Forecasts") {
  static readonly layer = Layer.effect(
    Forecasts,
    Effect.gen(function* () {
      const credits = yield* Credits
      const oneAtATime = yield* Semaphore.make(1)
      const toChargeRequest = makeToChargeRequest()
      const forecastAll = (calls: ReadonlyArray<ForecastCall | GoalCall>) =>
        Effect.uninterruptible(Effect.flatMap(mapInTurns(calls, toChargeRequest), credits.chargeAll))
      const forecast = (call: ForecastCall | GoalCall) => {
        const computed = mapInTurns([call], toChargeRequest)
        // Without the pause one that ends within its turn would be followed by the next one in the same turn.
        const alone = oneAtATime.withPermit(Effect.andThen(pause, computed))
        return Effect.interruptible(takesLong(call) ? alone : computed).pipe(
          Effect.flatMap(credits.chargeAll),
          Effect.uninterruptible,
          Effect.flatMap(onlyResult)
        )
      }
      return Forecasts.of({ forecast, goal: forecast, forecastAll })
    })
  )
}

function* compute(call: ForecastCall | GoalCall): Pieces<object> {
  switch (call.kind) {
    case "legacy":
      return yield* legacyForecastInPieces(call.assumptions)
    case "goal":
      return yield* reachGoalInPieces(call.goal, call.assumptions)
    default:
      return (yield* forecastInPieces(call.assumptions)).forecast
  }
}

/**
 * Makes the generator that computes the answer to a call. An answer depends on nothing but what is asked for: what is asked
 * for again and again, by the very same object, is not computed each time.
 */
const makeToChargeRequest = () => {
  const recent = {
    forecast: makeRecent<object, string>(mostRecent),
    legacy: makeRecent<object, string>(mostRecent),
    goal: makeRecent<object, string>(mostRecent)
  }
  return function* (call: ForecastCall | GoalCall): Pieces<ChargeRequest> {
    const { idempotency, isRepeated = false, keyId, kind } = call
    const asked = kind === "goal" ? call.goal : call.assumptions
    const known = isRepeated ? recent[kind].get(asked) : undefined
    const text = known ?? withoutEnd(yield* compute(call))
    if (isRepeated && known === undefined) recent[kind].set(asked, text)
    return { keyId, cost: 1, answer: answerOf(text), idempotency: idempotency && repeatable(call, idempotency) }
  }
}

const repeatable = (
  call: ForecastCall | GoalCall,
  { key, operation }: NonNullable<KeyCall["idempotency"]>
): ChargeRequest["idempotency"] => {
  const fingerprint = fingerprintOf(call)
  return { scope: call.keyId, operation, key: key ?? fingerprint, fingerprint }
}

/** What was computed as JSON, open for the key's use, which stands last in it and is known once the credit is taken. */
const withoutEnd = (computed: object): string => JSON.stringify(computed).slice(0, -1)

const answerOf =
  (text: string): ChargeRequest["answer"] =>
  (usage) =>
    `${text},"usage":${JSON.stringify(usage)}}`

/** The same for equal calls, however they were spelt: the SHA-256 of their exact values. */
const fingerprintOf = (call: ForecastCall | GoalCall): string => {
  const campaign = canonicalText(call.assumptions)
  return hash("sha256", call.kind === "goal" ? `${campaign} ${goalText(call.goal)}` : campaign, "base64url")
}

const goalText = ({ aim, chance, target }: Goal): string =>
  `goal.${aim}=${BigDecimal.format(target)}${chance === undefined ? "" : ` goal.chance=${BigDecimal.format(chance)}`}`
