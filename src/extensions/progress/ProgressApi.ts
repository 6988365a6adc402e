import { HttpApiGroup, OpenApi } from "effect/http-api"
import { endpointOf } from "../../metering/ForecastsApi.ts"
import { progressOperation } from "./progressOperation.ts"

export const ProgressGroup = HttpApiGroup.make("progress")
  .add(endpointOf(progressOperation))
  .annotateMerge(
    OpenApi.annotations({ title: "Progress", description: "Where a campaign in flight ends, one credit each." })
  )
