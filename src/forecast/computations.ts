import { Result, Schema } from "effect"
import { Assumptions } from "../campaign/Assumptions.ts"
import { computation, computationInSteps } from "../workers/Computation.ts"
import { computeForecast } from "./Forecast.ts"
import { Forecast } from "./ForecastAnswer.ts"
import { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { forecastList, ListAnswer, ListProgress, ListRequest } from "./list/CampaignList.ts"
import { GoalRequest } from "./goals/GoalRequest.ts"
import { computeLegacyForecast, LegacyForecast } from "./LegacyForecast.ts"
import { reachGoal } from "./goals/Goals.ts"
import { GoalAnswer } from "./goals/GoalAnswer.ts"
import { computeProgress } from "./progress/Progress.ts"
import { ProgressAnswer } from "./progress/ProgressAnswer.ts"
import { ProgressRequest } from "./progress/ProgressRequest.ts"

export const forecasting = computation("forecast", { input: Assumptions, success: Forecast }, (assumptions) =>
  Result.succeed(computeForecast(assumptions).forecast)
)

export const legacyForecasting = computation(
  "legacy forecast",
  { input: Assumptions, success: LegacyForecast },
  (assumptions) => Result.succeed(computeLegacyForecast(assumptions))
)

export const goalReaching = computation(
  "reach a goal",
  { input: GoalRequest, success: GoalAnswer },
  ({ assumptions, goal }) => Result.succeed(reachGoal(goal, assumptions))
)

export const progressing = computation(
  "forecast a campaign in flight",
  { input: ProgressRequest, success: ProgressAnswer },
  (request) => Result.succeed(computeProgress(request))
)

export const listForecasting = computationInSteps(
  "forecast a list",
  {
    input: ListRequest,
    step: ListProgress,
    success: ListAnswer,
    error: Schema.Union([InvalidInput, MalformedJson])
  },
  forecastList
)
