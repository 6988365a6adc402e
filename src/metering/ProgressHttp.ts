import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { Forecasts } from "./Forecasts.ts"
import { ProgressGroup } from "./ProgressApi.ts"
import { metered } from "./MeteredHttp.ts"

const api = apiOf(ProgressGroup)

const handlers = HttpApiBuilder.group(
  api,
  "progress",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleRaw("progress", metered(ProgressGroup.endpoints.progress, "progress", yield* Forecasts))
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(Authenticating.layer))
