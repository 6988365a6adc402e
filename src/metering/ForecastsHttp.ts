import { Effect, Layer } from "effect"
import { HttpApiBuilder, HttpApiGroup } from "effect/http-api"
import * as Deprecation from "../http/Deprecation.ts"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { Forecasts } from "./Forecasts.ts"
import { ForecastGroup } from "./ForecastsApi.ts"
import { metered } from "./MeteredHttp.ts"

const { forecast, legacyForecast } = ForecastGroup.endpoints

const api = apiOf(HttpApiGroup.make("forecasts").add(forecast, legacyForecast))

const handlers = HttpApiBuilder.group(
  api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const forecasts = yield* Forecasts
    return handlers
      .handleRaw("forecast", metered(forecast, "forecast", forecasts))
      .handleRaw("legacyForecast", metered(legacyForecast, "legacy", forecasts))
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, Deprecation.layer])
)
