import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { serverFailures } from "../http/problems/HttpProblems.ts"

const Health = Schema.Struct({
  status: Schema.Literal("ok").annotate({
    title: "HealthStatus",
    description: "Always ok; otherwise the response is 503."
  })
}).annotate({ identifier: "Health", description: "The service is healthy.", examples: [{ status: "ok" }] })

export const HealthGroup = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("live", "/livez", {
      success: Health,
      error: serverFailures
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "live",
        summary: "Liveness check",
        description:
          "Checks only the process itself: restart it if there is no response. 503 while the service drains before it " +
          "stops."
      })
    ),
    HttpApiEndpoint.get("ready", "/readyz", {
      success: Health,
      error: serverFailures
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "ready",
        summary: "Readiness check",
        description:
          "Checks the database and writes to it, at most once per second. 503 if there is a problem with it, or while " +
          "the service drains before it stops."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Health", description: "Probes for operators." }))
