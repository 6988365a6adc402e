import { HttpApiGroup, OpenApi } from "effect/http-api"
import { endpointOf } from "../../metering/ForecastsApi.ts"
import { goalOperation } from "./goalOperation.ts"

export const GoalGroup = HttpApiGroup.make("goals")
  .add(endpointOf(goalOperation))
  .annotateMerge(
    OpenApi.annotations({ title: "Goals", description: "What it takes to reach a goal, one credit each." })
  )
