import { Effect } from "effect"
import { directEndpoint } from "../http/direct/DirectEndpoint.ts"
import { deprecated } from "../http/ResponseHeaders.ts"
import { ForecastGroup } from "./ForecastsApi.ts"
import { GoalGroup } from "./GoalsApi.ts"
import { makeMetered } from "./MeteredHttp.ts"
import { ProgressGroup } from "./ProgressApi.ts"

const { forecast, legacyForecast } = ForecastGroup.endpoints
const { goal } = GoalGroup.endpoints
const { progress } = ProgressGroup.endpoints

/** The endpoints with one answer for one credit. */
export const endpoints = Effect.map(makeMetered, (metered) => [
  directEndpoint(forecast, metered(forecast, "forecast")),
  directEndpoint(legacyForecast, metered(legacyForecast, "legacy"), deprecated),
  directEndpoint(goal, metered(goal, "goal")),
  directEndpoint(progress, metered(progress, "progress"))
])
