import { Result } from "effect"
import { type Assumptions, decodeAssumptions } from "../campaign/Assumptions.ts"
import { canonicalGoal, canonicalProgress, canonicalText } from "../forecast/CanonicalText.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import { decodeGoalRequest, type GoalRequest } from "../forecast/GoalRequest.ts"
import { computeLegacyForecast } from "../forecast/LegacyForecast.ts"
import { hasEvidence } from "../forecast/outlook/Campaign.ts"
import { reachGoal } from "../forecast/outlook/Goals.ts"
import { computeProgress } from "../forecast/progress/Progress.ts"
import { decodeProgressRequest, type ProgressRequest } from "../forecast/progress/ProgressRequest.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"

/** The kinds of metered requests; `legacy` is a forecast with a campaign score and a risk level. */
export const askedKinds = ["forecast", "legacy", "goal", "progress"] as const
export type AskedKind = (typeof askedKinds)[number]

/** A decoded request that costs one credit. */
export type Asked =
  | { readonly kind: "forecast" | "legacy"; readonly assumptions: Assumptions }
  | ({ readonly kind: "goal" } & GoalRequest)
  | ({ readonly kind: "progress" } & ProgressRequest)

/** Decodes a request from a JSON object. Fails with InvalidInput, listing every error. */
export const decodeAsked = (kind: AskedKind, json: unknown): Result.Result<Asked, InvalidInput> => {
  switch (kind) {
    case "goal":
      return Result.map(decodeGoalRequest(json), (request) => ({ kind, ...request }))
    case "progress":
      return Result.map(decodeProgressRequest(json), (request) => ({ kind, ...request }))
    default:
      return Result.map(decodeAssumptions(json), (assumptions) => ({ kind, assumptions }))
  }
}

/** Computes the answer, without the usage of the key. Total and deterministic. */
export const computeAsked = (asked: Asked): object => {
  switch (asked.kind) {
    case "goal":
      return reachGoal(asked.goal, asked.assumptions)
    case "progress":
      return computeProgress(asked)
    case "legacy":
      return computeLegacyForecast(asked.assumptions)
    case "forecast":
      return computeForecast(asked.assumptions).forecast
  }
}

/** The canonical JSON text of a request: the same for requests with the same meaning, however they are spelled. */
export const canonicalAsked = (asked: Asked): string => {
  switch (asked.kind) {
    case "goal":
      return canonicalGoal(asked.assumptions, asked.goal)
    case "progress":
      return canonicalProgress(asked)
    default:
      return canonicalText(asked.assumptions)
  }
}

/** True if an answer takes milliseconds to compute rather than microseconds: then a worker computes it. */
export const takesLong = (asked: Asked): boolean =>
  asked.kind === "progress" ||
  hasEvidence(asked.assumptions) ||
  asked.assumptions.history !== undefined ||
  (asked.kind === "goal" && asked.goal.chance !== undefined)
