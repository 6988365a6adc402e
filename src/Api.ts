import { HttpApi, OpenApi } from "effect/http-api"
import { version } from "./version.ts"
import { AccessGroup } from "./keys/AccessApi.ts"
import { BenchmarkGroup } from "./metering/BenchmarksApi.ts"
import { withCodeSamples } from "./http/document/CodeSamples.ts"
import { ForecastGroup } from "./metering/ForecastsApi.ts"
import { GoalGroup } from "./metering/GoalsApi.ts"
import { HealthGroup } from "./operation/HealthApi.ts"
import { KeyGroup } from "./keys/KeysApi.ts"
import { OrderGroup } from "./orders/OrdersApi.ts"
import { ProblemAnswers } from "./http/problems/ProblemAnswers.ts"
import { AnyRefusal } from "./http/problems/Problems.ts"
import { withPlainSchemas } from "./http/document/PlainSchemas.ts"
import { withRefusals } from "./http/document/Refusals.ts"
import { withResponseHeaders } from "./http/document/ResponseHeaderDocument.ts"

/** No licence is granted; SPDX has no name for that, so it takes a reference of our own. */
const license = { name: "Proprietary", identifier: "LicenseRef-Proprietary" }

/** Everything the service offers to programs: what `/openapi.json` and `/docs` show. */
export class Api extends HttpApi.make("outreach-forecast")
  .add(ForecastGroup, GoalGroup, BenchmarkGroup, AccessGroup, KeyGroup, OrderGroup, HealthGroup)
  .middleware(ProblemAnswers)
  .annotateMerge(
    OpenApi.annotations({
      title: "Outreach Forecast",
      version,
      description:
        "Turns the assumptions of a cold-email campaign into an ROI forecast: exact, deterministic, and honest about " +
        "what it cannot know. Estimates, not guarantees. Every answer of the API that is not 2xx is " +
        "application/problem+json (RFC 9457). A browser gets a page instead: a request without a key whose Accept header " +
        "prefers text/html to application/json. Every answer has X-Request-Id and X-Content-Type-Options: nosniff, and " +
        "Cache-Control: no-store unless it documents another; pages also have Content-Security-Policy, Referrer-Policy and, " +
        "over HTTPS, Strict-Transport-Security.",
      license,
      servers: [{ url: "/", description: "This server." }]
    })
  )
  .annotate(HttpApi.AdditionalSchemas, [AnyRefusal]) {}

/** The API with its complete document, whose links and code samples use the address `publicUrl`. */
export const documentedAt = (publicUrl: string) =>
  Api.annotate(OpenApi.Transform, (spec) =>
    withRefusals(
      withCodeSamples(
        withResponseHeaders({
          ...withPlainSchemas(spec),
          // Programs that import the document call this address: they know of no other.
          servers: [{ url: publicUrl, description: "This service." }],
          externalDocs: { url: `${publicUrl}/docs/first-call`, description: "Guide" }
        }),
        publicUrl
      )
    )
  )
