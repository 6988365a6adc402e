import { Result } from "effect"
import { Assumptions } from "../campaign/Assumptions.ts"
import { computation } from "../workers/Computation.ts"
import { forecastInSteps } from "./Forecast.ts"
import { Forecast } from "./ForecastAnswer.ts"
import { LegacyForecast, legacyForecastInSteps } from "./LegacyForecast.ts"

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
