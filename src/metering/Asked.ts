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

/** What a single request can ask for: `legacy` is a forecast with a campaign score and a risk level. */
export const askedKinds = ["forecast", "legacy", "goal", "progress"] as const
export type AskedKind = (typeof askedKinds)[number]

/** What a request asks for a campaign, for one credit. */
export type Asked =
  | { readonly kind: "forecast" | "legacy"; readonly assumptions: Assumptions }
  | ({ readonly kind: "goal" } & GoalRequest)
  | ({ readonly kind: "progress" } & ProgressRequest)

/** Reads what a JSON object asks for. Fails with InvalidInput, listing every error. */
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

/** Computes the answer, without the key's usage. Total, and the same each time. */
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

/** The same JSON text for requests that ask for the same, however they were spelt, and another for others. */
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
