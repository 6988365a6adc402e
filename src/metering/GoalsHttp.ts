import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { Forecasts } from "./Forecasts.ts"
import { GoalGroup } from "./GoalsApi.ts"
import { metered } from "./MeteredHttp.ts"

const api = apiOf(GoalGroup)

const handlers = HttpApiBuilder.group(
  api,
  "goals",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleRaw("goal", metered(GoalGroup.endpoints.goal, "goal", yield* Forecasts))
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(Authenticating.layer))
