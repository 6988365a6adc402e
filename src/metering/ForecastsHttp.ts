import { Effect, Layer } from "effect"
import { HttpApiBuilder, HttpApiGroup } from "effect/http-api"
import * as Deprecation from "../http/Deprecation.ts"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { ForecastGroup } from "./ForecastsApi.ts"
import { GoalGroup } from "./GoalsApi.ts"
import { makeMetered } from "./MeteredHttp.ts"
import { ProgressGroup } from "./ProgressApi.ts"

const { forecast, legacyForecast } = ForecastGroup.endpoints
const { goal } = GoalGroup.endpoints
const { progress } = ProgressGroup.endpoints

/** The endpoints with one answer for one credit. */
const api = apiOf(HttpApiGroup.make("forecasts").add(forecast, legacyForecast, goal, progress))

const handlers = HttpApiBuilder.group(
  api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const metered = yield* makeMetered
    return handlers
      .handleRaw("forecast", metered(forecast, "forecast"))
      .handleRaw("legacyForecast", metered(legacyForecast, "legacy"))
      .handleRaw("goal", metered(goal, "goal"))
      .handleRaw("progress", metered(progress, "progress"))
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, Deprecation.layer])
)
