import { Result, Schema } from "effect"
import { type Assumptions, decodeAssumptions } from "../campaign/Assumptions.ts"
import { canonicalGoal, canonicalProgress, canonicalText } from "../forecast/CanonicalText.ts"
import { computeForecast } from "../forecast/Forecast.ts"
import { decodeGoalRequest, type GoalRequest } from "../forecast/GoalRequest.ts"
import { computeLegacyForecast } from "../forecast/LegacyForecast.ts"
import { reachGoal } from "../forecast/outlook/Goals.ts"
import { computeProgress } from "../forecast/progress/Progress.ts"
import { decodeProgressRequest, type ProgressRequest } from "../forecast/progress/ProgressRequest.ts"
import type { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { decodeJson } from "../input/parseJson.ts"

/** The kinds of metered requests; `legacy` is a forecast with a campaign score and a risk level. */
export const meteredKinds = ["forecast", "legacy", "goal", "progress"] as const
export type MeteredKind = (typeof meteredKinds)[number]

/** A decoded request that costs one credit. */
export type MeteredRequest =
  | { readonly kind: "forecast" | "legacy"; readonly assumptions: Assumptions }
  | ({ readonly kind: "goal" } & GoalRequest)
  | ({ readonly kind: "progress" } & ProgressRequest)

/**
 * A request as its canonical JSON text, which is the same for requests with the same meaning, however they are spelled.
 * A worker reads it from a long body.
 */
export const CanonicalRequest = Schema.Struct({ kind: Schema.Literals(meteredKinds), canonical: Schema.String })
export type CanonicalRequest = typeof CanonicalRequest.Type

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

/** Reads a request from a JSON text; see `decodeMetered`. */
export const readMetered = (
  kind: MeteredKind,
  text: string
): Result.Result<MeteredRequest, InvalidInput | MalformedJson> => decodeJson(text, (json) => decodeMetered(kind, json))

/** Computes the answer, without the usage of the key. Deterministic, and never fails. */
export const computeMetered = (request: MeteredRequest): object => {
  switch (request.kind) {
    case "goal":
      return reachGoal(request.goal, request.assumptions)
    case "progress":
      return computeProgress(request)
    case "legacy":
      return computeLegacyForecast(request.assumptions)
    case "forecast":
      return computeForecast(request.assumptions).forecast
  }
}

const canonicalOf = (request: MeteredRequest): string => {
  switch (request.kind) {
    case "goal":
      return canonicalGoal(request.assumptions, request.goal)
    case "progress":
      return canonicalProgress(request)
    default:
      return canonicalText(request.assumptions)
  }
}

/** The canonical form of a request. */
export const canonicalMetered = (request: MeteredRequest | CanonicalRequest): CanonicalRequest =>
  "canonical" in request ? request : { kind: request.kind, canonical: canonicalOf(request) }

/** True if an answer takes milliseconds to compute rather than microseconds: then a worker computes it. */
export const takesLong = (request: MeteredRequest): boolean =>
  request.kind === "progress" ||
  request.assumptions.history !== undefined ||
  (request.kind === "goal" && request.goal.chance !== undefined)
