import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Usage } from "../credits/Usage.ts"
import { exampleGoal, GoalRequestBody } from "../forecast/goals/GoalRequest.ts"
import { GoalAnswer, reachGoal } from "../forecast/goals/Goals.ts"
import { exampleComputed } from "../http/document/PlainSchemas.ts"
import { withIdempotencyKey } from "../idempotency/IdempotencyDocument.ts"
import { SubKeyAuthentication } from "../keys/AuthenticationApi.ts"
import { forecastFailures } from "./forecastFailures.ts"

export const GoalResponse = Schema.Struct({ ...GoalAnswer.fields, usage: Usage }).annotate({
  identifier: "GoalAnswer",
  description:
    "What it takes to reach a goal by changing one input at a time, and the usage and remaining credits of the key.",
  examples: exampleComputed(() => ({
    ...reachGoal(exampleGoal.goal, exampleGoal.assumptions),
    usage: { month: "2026-11", requests: 3, credits_remaining: 97 }
  }))
})

export const GoalGroup = HttpApiGroup.make("goals")
  .add(
    HttpApiEndpoint.post("goal", "/api/v1/goals", {
      payload: GoalRequestBody,
      success: GoalResponse,
      error: forecastFailures
    })
      .middleware(SubKeyAuthentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "goal",
          summary: "Reach a goal",
          description:
            "Solves a forecast backwards: the number of emails, or the rate, deal value or cost, that would by itself reach a given " +
            "number of replies, meetings or clients, or a given revenue, profit or ROI, on average or with a given " +
            "chance. All other inputs stay the same, including campaign_cost. If no value within the bounds of an " +
            "input is enough, `needed` is null. A 200 takes one credit, like a forecast, and counts as one.",
          transform: withIdempotencyKey
        })
      )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Goals", description: "What it takes to reach a goal, one credit each." })
  )
