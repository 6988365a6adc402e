import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Usage } from "../credits/Usage.ts"
import { computeProgress, ProgressAnswer } from "../forecast/progress/Progress.ts"
import { exampleInFlight, ProgressRequestBody } from "../forecast/progress/ProgressRequest.ts"
import { exampleComputed } from "../http/document/PlainSchemas.ts"
import { withIdempotencyKey } from "../idempotency/IdempotencyDocument.ts"
import { SubKeyAuthentication } from "../keys/AuthenticationApi.ts"
import { forecastFailures } from "./forecastFailures.ts"

export const ProgressResponse = Schema.Struct({ ...ProgressAnswer.fields, usage: Usage }).annotate({
  identifier: "ProgressAnswer",
  description:
    "Where a campaign in flight ends compared with its plan, and the usage and remaining credits of the key.",
  examples: exampleComputed(() => ({
    ...computeProgress(exampleInFlight),
    usage: { month: "2026-11", requests: 4, credits_remaining: 96 }
  }))
})

export const ProgressGroup = HttpApiGroup.make("progress")
  .add(
    HttpApiEndpoint.post("progress", "/api/v1/progress", {
      payload: ProgressRequestBody,
      success: ProgressResponse,
      error: forecastFailures
    })
      .middleware(SubKeyAuthentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "progress",
          summary: "Forecast a campaign in flight",
          description:
            "Forecasts the end of a partly sent campaign from its plan and its results so far: the result " +
            "if it continues or stops now, the chance of still reaching the plan, and for each rate whether it may be bad " +
            "luck. Rates are learned from the decided cases, and apply to open cases and new emails alike. At most " +
            "100,000 emails can be left. Counts of more than some thousand people are right to 0.1%, chances to 0.001. A 200 takes one credit, like a forecast, and counts as one.",
          transform: withIdempotencyKey
        })
      )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Progress", description: "Where a campaign in flight ends, one credit each." })
  )
