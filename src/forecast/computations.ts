import { Result, Schema } from "effect"
import { Assumptions } from "../campaign/Assumptions.ts"
import { computation, computationWithReports } from "../workers/Computation.ts"
import { forecastInSteps } from "./Forecast.ts"
import { Forecast } from "./ForecastAnswer.ts"
import { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { forecastList, ListAnswer, ListProgress, ListRequest } from "./list/CampaignList.ts"
import { GoalRequest } from "./goals/GoalRequest.ts"
import { LegacyForecast, legacyForecastInSteps } from "./LegacyForecast.ts"
import { reachGoalInSteps } from "./goals/Goals.ts"
import { GoalAnswer } from "./goals/GoalAnswer.ts"
import { progressInSteps } from "./progress/Progress.ts"
import { ProgressAnswer } from "./progress/ProgressAnswer.ts"
import { ProgressRequest } from "./progress/ProgressRequest.ts"

export const forecasting = computation("forecast", { input: Assumptions, success: Forecast }, function* (assumptions) {
  return Result.succeed((yield* forecastInSteps(assumptions)).forecast)
})

export const legacyForecasting = computation(
  "legacy forecast",
  { input: Assumptions, success: LegacyForecast },
  function* (assumptions) {
    return Result.succeed(yield* legacyForecastInSteps(assumptions))
  }
)

export const goalReaching = computation(
  "reach a goal",
  { input: GoalRequest, success: GoalAnswer },
  function* ({ assumptions, goal }) {
    return Result.succeed(yield* reachGoalInSteps(goal, assumptions))
  }
)

export const progressing = computation(
  "forecast a campaign in flight",
  { input: ProgressRequest, success: ProgressAnswer },
  function* (request) {
    return Result.succeed(yield* progressInSteps(request))
  }
)

export const listForecasting = computationWithReports(
  "forecast a list",
  {
    input: ListRequest,
    step: ListProgress,
    success: ListAnswer,
    error: Schema.Union([InvalidInput, MalformedJson])
  },
  forecastList
)
