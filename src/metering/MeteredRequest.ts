import { Result, Schema } from "effect"
import { Assumptions, decodeAssumptions } from "../campaign/Assumptions.ts"
import { canonicalGoal, canonicalProgress, canonicalText } from "../forecast/CanonicalText.ts"
import { decodeGoalRequest, GoalRequest } from "../forecast/goals/GoalRequest.ts"
import { decodeProgressRequest, ProgressRequest } from "../forecast/progress/ProgressRequest.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"

/** A decoded request that costs one credit; `legacy` is a forecast with a campaign score and a risk level. */
export const MeteredRequest = Schema.Union([
  Schema.Struct({ kind: Schema.Literals(["forecast", "legacy"]), assumptions: Assumptions }),
  Schema.Struct({ kind: Schema.Literal("goal"), ...GoalRequest.fields }),
  Schema.Struct({ kind: Schema.Literal("progress"), ...ProgressRequest.fields })
])
export type MeteredRequest = typeof MeteredRequest.Type
export type MeteredKind = MeteredRequest["kind"]

/** Decodes a request from a JSON object. Fails with InvalidInput, which lists every error. */
export const decodeMetered = (kind: MeteredKind, json: unknown): Result.Result<MeteredRequest, InvalidInput> => {
  switch (kind) {
    case "goal":
      return Result.map(decodeGoalRequest(json), (request) => ({ kind, ...request }))
    case "progress":
      return Result.map(decodeProgressRequest(json), (request) => ({ kind, ...request }))
    default:
      return Result.map(decodeAssumptions(json), (assumptions) => ({ kind, assumptions }))
  }
}

/** A JSON text that is the same for requests with the same meaning, however they are spelled. */
export const canonicalMetered = (request: MeteredRequest): string => {
  switch (request.kind) {
    case "goal":
      return canonicalGoal(request.assumptions, request.goal)
    case "progress":
      return canonicalProgress(request)
    default:
      return canonicalText(request.assumptions)
  }
}
